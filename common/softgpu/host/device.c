/* SPDX-License-Identifier: MIT */
/** @file
 *  The virtual devices and the environment variables that configure them.
 */
#include "device.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "device_launch.h"
#include "memory.h"
#include "pool.h"
#include "progress.h"
#include "sparse_tickets.h"
#include "stream.h"
#include "symbol.h"

static struct softgpu_device devices[SOFTGPU_MAX_DEVICES];
static int device_count;
static const struct softgpu_card *card;
static int poison, sparse, tf32, host_mib;
static _Thread_local int current_device;

/* Read a number from the environment; an invalid one ends the program. */
static int read_env_int(const char *name, int standard, int least, int most)
{
    const char *text = getenv(name);
    char *end;
    if (!text || !*text)
        return standard;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (!*end && !errno && value >= least && value <= most)
        return (int)value;
    fprintf(stderr, "softgpu: %s=%s: give a number from %d to %d\n", name,
            text, least, most);
    exit(2);
}

/* The card that SOFTGPU_CARD names; with SOFTGPU_SMS it has that many
 * multiprocessors. */
static const struct softgpu_card *read_env_card(void)
{
    const char *key = getenv("SOFTGPU_CARD");
    const struct softgpu_card *found =
        softgpu_find_card(key && *key ? key : "h200");
    const int multiprocessors =
        read_env_int("SOFTGPU_SMS", found ? found->sms : 1, 1, 1024);
    static struct softgpu_card smaller;
    if (found) {
        smaller = *found;
        smaller.sms = multiprocessors;
        return multiprocessors == found->sms ? found : &smaller;
    }
    char keys[200];
    softgpu_list_cards(keys, sizeof keys);
    fprintf(stderr, "softgpu: SOFTGPU_CARD=%s: no such card; there are %s\n",
            key, keys);
    exit(2);
}

/* The defaults of CUDA's documentation and of deviceQuery. */
static void set_default_limits(struct softgpu_device *d)
{
    memset(d->limits, 0, sizeof d->limits);
    d->limits[cudaLimitStackSize] = 1024;
    d->limits[cudaLimitPrintfFifoSize] = 1 << 20;
    d->limits[cudaLimitMallocHeapSize] = 8 << 20;
    d->limits[cudaLimitDevRuntimeSyncDepth] = 2;
    d->limits[cudaLimitDevRuntimePendingLaunchCount] = 2048;
    d->limits[cudaLimitMaxL2FetchGranularity] = 64;
}

void softgpu_initialize(void)
{
    if (device_count)
        return;
    card = read_env_card();
    sparse = read_env_int("SOFTGPU_SPARSE", 0, 0, 2) != 0;
    poison = read_env_int("SOFTGPU_POISON", 0, 0, 1) && !sparse;
    if (sparse)
        softgpu_advance_tickets();
    tf32 = read_env_int("SOFTGPU_TF32", 0, 0, 1);
    host_mib = read_env_int("SOFTGPU_HOST_MEMORY", 0, 1, INT_MAX);
    const int n = read_env_int("SOFTGPU_DEVICES", 1, 1, SOFTGPU_MAX_DEVICES);
    for (int i = 0; i < n; i++) {
        devices[i].index = i;
        set_default_limits(&devices[i]);
    }
    device_count = n;
    softgpu_progress_initialize();
}

int softgpu_host_memory_mib(void)
{
    return host_mib;
}

int softgpu_is_initialized(void)
{
    return device_count > 0;
}

int softgpu_device_count(void)
{
    return device_count;
}

const struct softgpu_card *softgpu_card(void)
{
    return card;
}

struct softgpu_device *softgpu_device_at(int i)
{
    return i >= 0 && i < device_count ? &devices[i] : NULL;
}

struct softgpu_device *softgpu_device(void)
{
    if (softgpu_tls.block)
        return softgpu_launching_device();
    return &devices[current_device];
}

int softgpu_is_sparse(void)
{
    return sparse;
}

int softgpu_is_poisoning(void)
{
    return poison;
}

int softgpu_uses_tf32(void)
{
    return tf32;
}

cudaError_t cudaSetDevice(int device)
{
    softgpu_call_begin(); /* also valid after a sticky error */
    if (!softgpu_device_at(device))
        return softgpu_call_end(cudaErrorInvalidDevice);
    current_device = device;
    return softgpu_call_end(devices[device].failure);
}

cudaError_t cudaGetDevice(int *device)
{
    if (!device)
        return softgpu_record_error(cudaErrorInvalidValue);
    *device = softgpu_device()->index;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    softgpu_call_begin();
    if (!count)
        return softgpu_call_end(cudaErrorInvalidValue);
    *count = device_count;
    return softgpu_call_end(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize(void)
{
    if (softgpu_tls.block)
        return softgpu_wait_for_children(__builtin_return_address(0));
    struct softgpu_device *d = softgpu_device();
    SOFTGPU_CALL(softgpu_check_wait(NULL) ? softgpu_check_wait(NULL)
                                          : softgpu_wait_device(d));
}

cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceReset(void)
{
    struct softgpu_device *d = softgpu_device();
    if (softgpu_call_begin() == cudaErrorNotPermitted)
        return softgpu_call_end(cudaErrorNotPermitted);
    softgpu_wait_device(d);
    softgpu_discard_queues(d);
    softgpu_reset_pools(d);
    softgpu_reset_memory(d);
    softgpu_symbols_reset(d->index);
    d->failure = cudaSuccess;
    d->peers = 0;
    d->flags = 0;
    set_default_limits(d);
    softgpu_clear_error();
    return softgpu_call_end(cudaSuccess);
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags,
                           unsigned int flags)
{
    (void)deviceFlags;
    SOFTGPU_CALL(!softgpu_device_at(device)          ? cudaErrorInvalidDevice
                 : flags & ~cudaInitDeviceFlagsAreValid ? cudaErrorInvalidValue
                                                        : cudaSuccess);
}
