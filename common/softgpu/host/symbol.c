/* SPDX-License-Identifier: MIT */
/** @file
 *  Values of __device__ variables for each device.
 */
#include "symbol.h"

#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/core.h"
#include "call.h"
#include "device.h"

/** A __device__ or __constant__ variable. */
struct symbol {
    char *address;
    size_t bytes;
    char *initial;                     /**< initial value; NULL: all zero */
    char *values[SOFTGPU_MAX_DEVICES]; /**< by device; NULL: initial */
    struct symbol *next;
};

static struct symbol *symbol_list;
static int loaded_device; /* the device whose values are loaded */

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
    s->next = symbol_list;
    symbol_list = s;
    return cudaSuccess;
}

/* Save the loaded value of a variable as a device's value. */
static void save_values(struct symbol *s, int device)
{
    if (!s->values[device])
        s->values[device] = malloc(s->bytes);
    if (s->values[device])
        memcpy(s->values[device], s->address, s->bytes);
}

static void restore_values(struct symbol *s, int device)
{
    const char *from = s->values[device] ? s->values[device] : s->initial;
    if (from)
        memcpy(s->address, from, s->bytes);
    else
        memset(s->address, 0, s->bytes);
}

void softgpu_symbols_load(int device)
{
    if (device == loaded_device)
        return;
    for (struct symbol *s = symbol_list; s; s = s->next) {
        save_values(s, loaded_device);
        restore_values(s, device);
    }
    loaded_device = device;
}

int softgpu_symbols_device(void)
{
    return loaded_device;
}

int softgpu_symbols_are_loaded(int device)
{
    return device == loaded_device || !symbol_list;
}

/* For grids, before their threads run. */
static void load_for_turn(int device)
{
    pthread_mutex_lock(&softgpu_lock);
    softgpu_symbols_load(device);
    pthread_mutex_unlock(&softgpu_lock);
}

__attribute__((constructor)) static void register_turns(void)
{
    softgpu_turn_begins = load_for_turn;
}

void softgpu_symbols_reset(int device)
{
    for (struct symbol *s = symbol_list; s; s = s->next) {
        free(s->values[device]);
        s->values[device] = NULL;
        if (device == loaded_device)
            restore_values(s, device);
    }
}
