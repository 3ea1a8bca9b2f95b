/* SPDX-License-Identifier: MIT */
/** @file
 *  The virtual devices and the environment they are made from.
 */
#include "device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "memory.h"
#include "pool.h"
#include "stream.h"
#include "symbol.h"

static struct softgpu_device devices[SOFTGPU_MAX_DEVICES];
static int device_count;
static const struct softgpu_card *card;
static int poison;
static _Thread_local int current;

/* A number of the environment; one line and the end when it is none. */
static int number(const char *name, int standard, int least, int most)
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

static const struct softgpu_card *chosen_card(void)
{
    const char *key = getenv("SOFTGPU_CARD");
    const struct softgpu_card *found =
        softgpu_find_card(key && *key ? key : "h200");
    if (found)
        return found;
    char keys[200];
    softgpu_card_keys(keys, sizeof keys);
    fprintf(stderr, "softgpu: SOFTGPU_CARD=%s: no such card; there are %s\n",
            key, keys);
    exit(2);
}

/* What CUDA's documentation and deviceQuery show after a start. */
static void set_limits(struct softgpu_device *d)
{
    memset(d->limits, 0, sizeof d->limits);
    d->limits[cudaLimitStackSize] = 1024;
    d->limits[cudaLimitPrintfFifoSize] = 1 << 20;
    d->limits[cudaLimitMallocHeapSize] = 8 << 20;
    d->limits[cudaLimitDevRuntimeSyncDepth] = 2;
    d->limits[cudaLimitDevRuntimePendingLaunchCount] = 2048;
    d->limits[cudaLimitMaxL2FetchGranularity] = 64;
}

void softgpu_start_up(void)
{
    if (device_count)
        return;
    card = chosen_card();
    poison = number("SOFTGPU_POISON", 0, 0, 1);
    const int n = number("SOFTGPU_DEVICES", 1, 1, SOFTGPU_MAX_DEVICES);
    for (int i = 0; i < n; i++) {
        devices[i].index = i;
        set_limits(&devices[i]);
    }
    device_count = n;
}

int softgpu_started(void)
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
    return &devices[current];
}

int softgpu_poison(void)
{
    return poison;
}

cudaError_t cudaSetDevice(int device)
{
    softgpu_enter(); /* works beside a failure, too */
    if (!softgpu_device_at(device))
        return softgpu_leave(cudaErrorInvalidDevice);
    current = device;
    return softgpu_leave(devices[device].failure);
}

cudaError_t cudaGetDevice(int *device)
{
    if (!device)
        return softgpu_record(cudaErrorInvalidValue);
    *device = current;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    softgpu_enter();
    if (!count)
        return softgpu_leave(cudaErrorInvalidValue);
    *count = device_count;
    return softgpu_leave(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize(void)
{
    struct softgpu_device *d = softgpu_device();
    SOFTGPU_CALL(softgpu_may_wait(NULL) ? softgpu_may_wait(NULL)
                                        : softgpu_wait_device(d));
}

cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceReset(void)
{
    struct softgpu_device *d = softgpu_device();
    if (softgpu_enter() == cudaErrorNotPermitted)
        return softgpu_leave(cudaErrorNotPermitted);
    softgpu_wait_device(d);
    softgpu_drop_queues(d);
    softgpu_forget_pools(d);
    softgpu_forget_memory(d);
    softgpu_symbols_reset(d->index);
    d->failure = cudaSuccess;
    d->peers = 0;
    d->flags = 0;
    set_limits(d);
    softgpu_forget_error();
    return softgpu_leave(cudaSuccess);
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
