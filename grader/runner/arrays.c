/* SPDX-License-Identifier: MIT */
/* The arrays of a call: placed between guards, copied, inspected, freed. */
#include "arrays.h"

#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "variant.h"

/* Poison streams: FRAME_ARGS for outputs, then one for guards. */
enum { GUARD_STREAM = FRAME_ARGS };

static size_t block_bytes(const struct arg *arg)
{
    size_t bytes = arg->misalign + arg->bytes + 2 * runner_guard;

    return bytes ? bytes : 1; /* nothing has an address too */
}

/* The guards and the poison of a block, as they are before the call. */
static unsigned char *fresh_block(const struct arg *arg, uint64_t poison,
                                  unsigned index)
{
    size_t bytes = block_bytes(arg), start = runner_guard + arg->misalign;
    unsigned char *block = aligned_alloc(
        FRAME_ALIGNMENT,
        (bytes + FRAME_ALIGNMENT - 1) / FRAME_ALIGNMENT * FRAME_ALIGNMENT);

    if (!block)
        return NULL;
    poison_fill(block, start, poison, GUARD_STREAM);
    poison_fill(block + start, arg->bytes, poison, index);
    poison_fill(block + start + arg->bytes, runner_guard, poison,
                GUARD_STREAM + 1);
    return block;
}

/* Moves a block to the device.  Without guards an output is left unwritten. */
static unsigned char *to_device(const struct arg *arg, unsigned char *host)
{
    unsigned char *block = device_alloc(block_bytes(arg));
    bool filled = runner_guard || arg_goes_in(arg);

    if (block && filled && device_put(block, host, block_bytes(arg)))
        block = NULL;
    free(host);
    return block;
}

static int place(struct arrays *arrays, struct arg *arg, unsigned index)
{
    size_t start = runner_guard + arg->misalign;
    unsigned char *host = fresh_block(arg, arrays->poison, index), *block;

    if (!host)
        return -1;
    if (arg_goes_in(arg) && arg->bytes)
        memcpy(host + start, arg->data, arg->bytes);
    block = arg->on_device ? to_device(arg, host) : host;
    if (!block)
        return -1;
    arrays->block[index] = block;
    arg->data = block + start;
    if (!arg_comes_back(arg))
        return 0;
    arrays->staging[index] = malloc(arg->bytes + 1);
    if (!arrays->staging[index])
        return -1;
    memset(arrays->staging[index], 0, arg->bytes + 1); /* pages are there */
    return 0;
}

int arrays_place(struct arrays *arrays, struct frame *frame, uint64_t poison)
{
    *arrays = (struct arrays){.poison = poison};
    for (uint32_t i = 0; i < frame->count; i++)
        if (arg_is_array(&frame->arg[i])
            && place(arrays, &frame->arg[i], i))
            return -1;
    return 0;
}

/* A device that fails has nothing to show: poison, as before the call. */
static uint64_t digest_poison(const struct arrays *arrays,
                              const struct arg *arg, uint32_t index,
                              uint64_t state)
{
    poison_fill(arrays->staging[index], arg->bytes, arrays->poison, index);
    return digest_more(state, arrays->staging[index], arg->bytes);
}

void arrays_keep(struct arrays *arrays, const struct frame *frame)
{
    for (uint32_t i = 0; i < frame->count; i++) {
        const struct arg *arg = &frame->arg[i];

        if (arg_comes_back(arg) && !arg->on_device)
            memcpy(arrays->staging[i], arg->data, arg->bytes);
    }
}

uint64_t arrays_digest(struct arrays *arrays, const struct frame *frame,
                       uint64_t key)
{
    uint64_t digest = key;

    device_pause(true);
    for (uint32_t i = 0; i < frame->count; i++) {
        const struct arg *arg = &frame->arg[i];
        void *copy = arrays->staging[i];
        bool copied = true;

        if (!arg_comes_back(arg))
            continue;
        if (!arg->on_device) {
            digest = digest_more(digest, copy, arg->bytes);
        } else if (device_digest(&digest, arg->data, arg->bytes, copy))
            digest = digest_poison(arrays, arg, i, digest);
        else
            copied = device_digest_copies;
        arrays->fetched |= (uint32_t)copied << i;
    }
    device_pause(false);
    return digest;
}

void arrays_fetch(struct arrays *arrays, const struct frame *frame)
{
    for (uint32_t i = 0; i < frame->count; i++) {
        const struct arg *arg = &frame->arg[i];

        if (arg_comes_back(arg) && !(arrays->fetched >> i & 1)
            && device_get(arrays->staging[i], arg->data, arg->bytes))
            digest_poison(arrays, arg, i, 0);
    }
}

/* Compares a block as it is with one made anew. */
static void inspect(const struct arrays *arrays, const struct arg *arg,
                    const void *sent, uint32_t index, struct facts *facts)
{
    size_t start = runner_guard + arg->misalign, bytes = block_bytes(arg);
    unsigned char *fresh = fresh_block(arg, arrays->poison, index);
    unsigned char *now = arrays->block[index], *copy = NULL;

    if (arg->on_device) {
        copy = malloc(bytes);
        now = copy && !device_get(copy, now, bytes) ? copy : NULL;
    }
    if (fresh && now) {
        if (runner_guard
            && (memcmp(now, fresh, start)
                || memcmp(now + start + arg->bytes, fresh + start + arg->bytes,
                          runner_guard)))
            facts->overrun |= 1u << index;
        if (arg->kind == ARG_IN && arg->bytes
            && memcmp(now + start, sent, arg->bytes))
            facts->changed |= 1u << index;
        if (arg_comes_back(arg) && arg->on_device
            && memcmp(now + start, arrays->staging[index], arg->bytes))
            facts->late |= 1u << index;
    }
    free(copy);
    free(fresh);
}

void arrays_inspect(const struct arrays *arrays, const struct frame *frame,
                    const struct frame *sent, struct facts *facts)
{
    for (uint32_t i = 0; i < frame->count; i++)
        if (arg_is_array(&frame->arg[i]))
            inspect(arrays, &frame->arg[i], sent->arg[i].data, i, facts);
}

void arrays_free(struct arrays *arrays, const struct frame *frame)
{
    for (uint32_t i = 0; i < frame->count; i++) {
        if (frame->arg[i].on_device)
            device_free(arrays->block[i]);
        else
            free(arrays->block[i]);
        free(arrays->staging[i]);
    }
}
