/* SPDX-License-Identifier: MIT */
/* The arrays of a call: allocated with guard zones, copied, checked, freed. */
#include "arrays.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device.h"
#include "submission.h"
#include "variant.h"

/* Poison streams: FRAME_MAX_ARGS for outputs, then the guards'. */
enum { GUARD_STREAM = FRAME_MAX_ARGS };

enum { HUGE_PAGE = 2 << 20 }; /* bytes */

/* Bytes of the sparse part of an array in host memory. */
static size_t gap_bytes(const struct arg *arg)
{
    return arg->on_device ? 0 : (size_t)arg->integer;
}

static size_t block_bytes(const struct arg *arg)
{
    size_t bytes = arg->misalign + arg->bytes + gap_bytes(arg)
                   + 2 * runner_guard_bytes;

    return bytes ? bytes : 1; /* an empty array has an address as well */
}

/* Host memory of a block: that of the submission, or our own. */
static unsigned char *allocate_block(const struct arg *arg)
{
    const size_t bytes = block_bytes(arg);

    return arg->on_device
        ? aligned_alloc(FRAME_ALIGNMENT, (bytes + FRAME_ALIGNMENT - 1)
                                         / FRAME_ALIGNMENT * FRAME_ALIGNMENT)
        : submission_alloc(bytes);
}

/* Poison an output.  The two parts of a sparse one go on where the other
 * ended. */
static void poison_output(unsigned char *data, const struct arg *arg,
                          uint64_t poison, unsigned index)
{
    const size_t head = arg_head_bytes(arg), tail = arg->bytes - head;

    poison_fill(data, arg->bytes, poison, index);
    if (tail) { /* the gap is longer than the tail */
        memcpy(data + head + gap_bytes(arg), data + head, tail);
        memset(data + head, 0, tail);
    }
}

/* Fill a block as it is before the call: guards, and input or poison. */
static void fill_block(unsigned char *block, const struct arg *arg,
                       uint64_t poison, unsigned index)
{
    const size_t start = runner_guard_bytes + arg->misalign;
    const size_t head = arg_head_bytes(arg), gap = gap_bytes(arg);

    poison_fill(block, start, poison, GUARD_STREAM);
    if (!arg_is_input(arg)) {
        poison_output(block + start, arg, poison, index);
    } else if (arg->bytes) {
        memcpy(block + start, arg->data, head);
        memcpy(block + start + head + gap, (char *)arg->data + head,
               arg->bytes - head);
    }
    poison_fill(block + start + arg->bytes + gap, runner_guard_bytes, poison,
                GUARD_STREAM + 1);
}

/* Does an array have this content? */
static bool is_content(const unsigned char *data, const struct arg *arg,
                       const unsigned char *content)
{
    const size_t head = arg_head_bytes(arg);

    return !memcmp(data, content, head)
           && !memcmp(data + head + gap_bytes(arg), content + head,
                      arg->bytes - head);
}

/* Is a guard still as fill_block() has filled it? */
static bool is_intact(const unsigned char *guard, size_t bytes,
                      uint64_t poison, unsigned stream)
{
    unsigned char *before = malloc(bytes + 1);
    bool same;

    if (!before)
        return true;
    poison_fill(before, bytes, poison, stream);
    same = !memcmp(guard, before, bytes);
    free(before);
    return same;
}

/* Copies a block to the device. Without guards, outputs stay uninitialized, so
 * that initcheck can see reads of them. */
static unsigned char *copy_to_device(const struct arg *arg, unsigned char *host)
{
    /* room behind sparse bytes: what the runtime writes there shares no page
     * with them */
    const size_t sparse = (size_t)arg->integer;
    unsigned char *block =
        device_alloc(block_bytes(arg) + sparse + (sparse ? 2 * HUGE_PAGE : 0));
    bool is_initialized = runner_guard_bytes || arg_is_input(arg);

    if (block && is_initialized
        && device_copy_to_device(block, host, block_bytes(arg)))
        block = NULL;
    free(host);
    return block;
}

static int place_array(struct arrays *arrays, struct arg *arg, unsigned index)
{
    unsigned char *block = allocate_block(arg);

    if (!block)
        return -1;
    fill_block(block, arg, arrays->poison, index);
    if (arg->on_device)
        block = copy_to_device(arg, block);
    if (!block)
        return -1;
    arrays->block[index] = block;
    arg->data = block + runner_guard_bytes + arg->misalign;
    if (!arg_is_output(arg))
        return 0;
    arrays->staging[index] = malloc(arg->bytes + 1);
    if (!arrays->staging[index])
        return -1;
    memset(arrays->staging[index], 0, arg->bytes + 1); /* touch the pages, so
                                                          the timed copy
                                                          faults none in */
    return 0;
}

int arrays_place(struct arrays *arrays, struct frame *frame, uint64_t poison)
{
    *arrays = (struct arrays){.poison = poison};
    for (uint32_t i = 0; i < frame->count; i++)
        if (arg_is_array(&frame->arg[i]) && frame->arg[i].kind != ARG_DECODED
            && place_array(arrays, &frame->arg[i], i))
            return -1;
    return 0;
}

/* When the device fails, the output counts as unwritten: it is the poison from
 * before the call. */
static uint64_t digest_poison(const struct arrays *arrays,
                              const struct arg *arg, uint32_t index,
                              uint64_t state)
{
    poison_fill(arrays->staging[index], arg->bytes, arrays->poison, index);
    return digest_update(state, arrays->staging[index], arg->bytes);
}

void arrays_copy_host_outputs(struct arrays *arrays, const struct frame *frame)
{
    for (uint32_t i = 0; i < frame->count; i++) {
        const struct arg *arg = &frame->arg[i];
        const size_t head = arg_head_bytes(arg);
        char *to = arrays->staging[i], *from = arg->data;

        if (!arg_is_output(arg) || arg->on_device)
            continue;
        submission_receive_output(i, to, from, head);
        if (arg->bytes > head)
            submission_receive_output(i, to + head,
                                      from + head + gap_bytes(arg),
                                      arg->bytes - head);
    }
}

uint64_t arrays_digest(struct arrays *arrays, const struct frame *frame,
                       uint64_t key)
{
    uint64_t digest = key;

    device_pause_counting(true);
    for (uint32_t i = 0; i < frame->count; i++) {
        const struct arg *arg = &frame->arg[i];
        void *copy = arrays->staging[i];
        bool is_copied = true;

        if (!arg_is_output(arg))
            continue;
        if (!arg->on_device) {
            digest = digest_update(digest, copy, arg->bytes);
        } else if (device_digest(&digest, arg->data, arg->bytes, copy))
            digest = digest_poison(arrays, arg, i, digest);
        else
            is_copied = device_digest_fills_copy;
        arrays->fetched |= (uint32_t)is_copied << i;
    }
    device_pause_counting(false);
    return digest;
}

void arrays_copy_outputs(struct arrays *arrays, const struct frame *frame)
{
    for (uint32_t i = 0; i < frame->count; i++) {
        const struct arg *arg = &frame->arg[i];

        if (arg_is_output(arg) && !(arrays->fetched >> i & 1)
            && device_copy_to_host(arrays->staging[i], arg->data, arg->bytes))
            digest_poison(arrays, arg, i, 0);
    }
}

/* Were bytes of a sparse array accessed, from `from` on up to `to`?  Without
 * the pages that have byte `from`. */
static bool is_touched(const struct arg *arg, size_t from, size_t to)
{
    enum { PAGE = 4096, STEP = 64 << 20 };
    static unsigned char resident[STEP / PAGE];
    const uintptr_t end = ((uintptr_t)arg->data + to + PAGE - 1) / PAGE * PAGE;
    uintptr_t at =
        ((uintptr_t)arg->data + from) / HUGE_PAGE * HUGE_PAGE + HUGE_PAGE;

    for (; at < end; at += STEP) {
        const size_t length = end - at < STEP ? end - at : STEP;

        if (mincore((void *)at, length, resident))
            return true; /* not known */
        if (memchr(resident, 1, length / PAGE))
            return true;
    }
    return false;
}

/* Where was a sparse array accessed?  Beyond the largest power of two, or only
 * at its start, or somewhere between. */
static void check_sparse(const struct arg *arg, uint32_t index,
                         struct facts *facts)
{
    enum { START = 4 << 20 }; /* bytes of the tiles of three blocks */
    const size_t bytes = (size_t)arg->integer;
    const size_t half = (size_t)1 << (63 - __builtin_clzll(bytes));

    if (is_touched(arg, half, bytes))
        return;
    facts->untouched |= 1u << index;
    if (is_touched(arg, START, half))
        facts->astray |= 1u << index;
}

/* Compares a block with its state before the call: guards, inputs, outputs
 * that changed after the digest. */
static void check_array(const struct arrays *arrays, const struct arg *arg,
                        const void *original, uint32_t index,
                        struct facts *facts)
{
    size_t start = runner_guard_bytes + arg->misalign, bytes = block_bytes(arg);
    unsigned char *current = arrays->block[index], *copy = NULL;

    if (arg->on_device) {
        copy = malloc(bytes);
        current =
            copy && !device_copy_to_host(copy, current, bytes) ? copy : NULL;
    }
    if (current) {
        if (runner_guard_bytes
            && (!is_intact(current, start, arrays->poison, GUARD_STREAM)
                || !is_intact(current + start + arg->bytes + gap_bytes(arg),
                              runner_guard_bytes, arrays->poison,
                              GUARD_STREAM + 1)))
            facts->overrun |= 1u << index;
        if (arg->kind == ARG_IN && arg->bytes
            && !is_content(current + start, arg, original))
            facts->modified |= 1u << index;
        if (arg_is_output(arg) && arg->on_device
            && memcmp(current + start, arrays->staging[index], arg->bytes))
            facts->unsynchronized |= 1u << index;
    }
    free(copy);
}

void arrays_check(const struct arrays *arrays, const struct frame *frame,
                  const struct frame *original, struct facts *facts)
{
    for (uint32_t i = 0; i < frame->count; i++)
        if (arg_is_array(&frame->arg[i]) && frame->arg[i].on_device
            && frame->arg[i].integer > 0)
            check_sparse(&frame->arg[i], i, facts);
        else if (arg_is_array(&frame->arg[i]))
            check_array(arrays, &frame->arg[i], original->arg[i].data, i,
                        facts);
}

void arrays_free(struct arrays *arrays, const struct frame *frame)
{
    for (uint32_t i = 0; i < frame->count; i++) {
        if (frame->arg[i].on_device)
            device_free(arrays->block[i]);
        free(arrays->staging[i]);
    }
    submission_free_all();
}
