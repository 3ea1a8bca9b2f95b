/* SPDX-License-Identifier: MIT */
/** @file
 *  Values of __device__ variables, device by device.
 */
#include "symbol.h"

#include <stdlib.h>
#include <string.h>

#include "device.h"

/** A variable. */
struct symbol {
    char *address;
    size_t bytes;
    char *initial;                     /**< NULL: all zero */
    char *values[SOFTGPU_MAX_DEVICES]; /**< NULL: as initial */
    struct symbol *next;
};

static struct symbol *all;
static int loaded; /* the device whose values are at the addresses */

static int is_zero(const char *p, size_t bytes)
{
    return !bytes || (!p[0] && !memcmp(p, p + 1, bytes - 1));
}

cudaError_t softgpu_symbol_add(char *address, size_t bytes)
{
    struct symbol *s = calloc(1, sizeof *s);
    if (!s)
        return cudaErrorMemoryAllocation;
    s->address = address;
    s->bytes = bytes;
    if (!is_zero(address, bytes)) {
        s->initial = malloc(bytes);
        if (!s->initial) {
            free(s);
            return cudaErrorMemoryAllocation;
        }
        memcpy(s->initial, address, bytes);
    }
    s->next = all;
    all = s;
    return cudaSuccess;
}

/* Keep what is there as a device's value. */
static void save(struct symbol *s, int device)
{
    if (!s->values[device])
        s->values[device] = malloc(s->bytes);
    if (s->values[device])
        memcpy(s->values[device], s->address, s->bytes);
}

static void restore(struct symbol *s, int device)
{
    const char *from = s->values[device] ? s->values[device] : s->initial;
    if (from)
        memcpy(s->address, from, s->bytes);
    else
        memset(s->address, 0, s->bytes);
}

void softgpu_symbols_load(int device)
{
    if (device == loaded)
        return;
    for (struct symbol *s = all; s; s = s->next) {
        save(s, loaded);
        restore(s, device);
    }
    loaded = device;
}

void softgpu_symbols_reset(int device)
{
    for (struct symbol *s = all; s; s = s->next) {
        free(s->values[device]);
        s->values[device] = NULL;
        if (device == loaded)
            restore(s, device);
    }
}
