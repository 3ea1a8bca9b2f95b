/* SPDX-License-Identifier: MIT */
/* A call as bytes: function, count, then for each argument its kind, place,
 * misalignment, size and value; then the input arrays. */
#include "frame.h"

#include <string.h>

bool arg_is_array(const struct arg *arg)
{
    return (arg->kind >= ARG_IN && arg->kind <= ARG_INOUT)
           || arg->kind == ARG_DECODED;
}

bool arg_is_input(const struct arg *arg)
{
    return arg->kind == ARG_IN || arg->kind == ARG_INOUT
           || arg->kind == ARG_DECODED;
}

bool arg_is_output(const struct arg *arg)
{
    return arg->kind == ARG_OUT || arg->kind == ARG_INOUT;
}

size_t arg_head_bytes(const struct arg *arg)
{
    return arg->on_device || arg->integer <= 0 ? arg->bytes : arg->bytes / 2;
}

static uint64_t real_bits(double real)
{
    uint64_t bits;

    memcpy(&bits, &real, sizeof bits);
    return bits;
}

static void write_arg(const struct arg *arg, struct bytes *out)
{
    buffer_append_u32(out, arg->kind);
    buffer_append_u32(out, arg->on_device | (uint32_t)arg->misalign << 16);
    buffer_append_u64(out, arg->bytes);
    buffer_append_u64(out, arg->kind == ARG_REAL ? real_bits(arg->real)
                      : (uint64_t)arg->integer);
}

void frame_describe(const struct frame *frame, struct bytes *out)
{
    buffer_append_u32(out, frame->function);
    buffer_append_u32(out, frame->count);
    for (uint32_t i = 0; i < frame->count; i++)
        write_arg(&frame->arg[i], out);
}

static const char *read_arg(struct arg *arg, struct reader *in)
{
    uint32_t kind = reader_u32(in), place = reader_u32(in);
    uint64_t value;

    arg->bytes = reader_u64(in);
    value = reader_u64(in);
    if (in->failed)
        return "the message ends inside an argument";
    if (kind < ARG_IN || kind > ARG_DECODED)
        return "an argument of unknown kind";
    if ((place & 0xfffe) || place >> 16 >= FRAME_ALIGNMENT)
        return "an argument at an unknown place";
    arg->kind = (uint8_t)kind;
    arg->on_device = place & 1;
    arg->misalign = (uint16_t)(place >> 16);
    if (kind == ARG_REAL)
        memcpy(&arg->real, &value, sizeof value);
    else
        arg->integer = (int64_t)value;
    if (!arg_is_array(arg) && arg->bytes)
        return "a number that has a size";
    return NULL;
}

static const char *read_args(struct frame *frame, struct reader *in)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < frame->count; i++) {
        const char *wrong = read_arg(&frame->arg[i], in);

        if (wrong)
            return wrong;
        if (frame->arg[i].bytes > FRAME_MAX_BYTES)
            return "an array that is too large";
        total += frame->arg[i].bytes;
    }
    return total > FRAME_MAX_BYTES ? "arrays that are too large together"
                                   : NULL;
}

const char *frame_parse(struct frame *frame, struct reader *in)
{
    const char *wrong;

    memset(frame, 0, sizeof *frame);
    frame->function = reader_u32(in);
    frame->count = reader_u32(in);
    if (in->failed || frame->count > FRAME_MAX_ARGS)
        return "too many arguments";
    wrong = read_args(frame, in);
    for (uint32_t i = 0; !wrong && i < frame->count; i++)
        if (arg_is_input(&frame->arg[i]))
            frame->arg[i].data =
                (void *)(uintptr_t)reader_bytes(in, frame->arg[i].bytes);
    if (!wrong && in->failed)
        wrong = "the message ends inside an array";
    if (!wrong && in->left)
        wrong = "the message goes on after its end";
    return wrong;
}

static uint64_t total_bytes(const struct frame *frame,
                            bool (*counts)(const struct arg *))
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < frame->count; i++)
        if (counts(&frame->arg[i]))
            total += frame->arg[i].bytes;
    return total;
}

uint64_t frame_input_bytes(const struct frame *frame)
{
    return total_bytes(frame, arg_is_input);
}

uint64_t frame_output_bytes(const struct frame *frame)
{
    return total_bytes(frame, arg_is_output);
}
