/* SPDX-License-Identifier: MIT */
/* The runner's use of the CUDA runtime. */
#include "device.h"

#include "variant.h"

#include <stdio.h>
#include <string.h>

#include <cuda_runtime_api.h>

static struct {
    size_t free_before;
    size_t up, down; /* bytes that were copied */
    size_t taken;    /* bytes of device memory, given back or not */
    int held;        /* made and not given back */
    unsigned replays; /* launches of graphs */
    unsigned launches;
    unsigned grid[3], block[3];
    cudaError_t error;
} watch;

static bool lent_now;   /* the student's code runs */
static size_t together; /* bytes that host and device share, in all calls */

void device_start(void)
{
    uint64_t state = 0;

    device_digest(&state, NULL, 0, NULL); /* its code is loaded, too */
    cudaFree(0);
    cudaGetLastError();
}

void *device_alloc(size_t bytes)
{
    void *d_block = NULL;

    return cudaMalloc(&d_block, bytes) == cudaSuccess ? d_block : NULL;
}

void device_free(void *d_block)
{
    cudaFree(d_block);
}

int device_put(void *d_to, const void *from, size_t bytes)
{
    return cudaMemcpy(d_to, from, bytes, cudaMemcpyHostToDevice)
           != cudaSuccess;
}

int device_get(void *to, const void *d_from, size_t bytes)
{
    return cudaMemcpy(to, d_from, bytes, cudaMemcpyDeviceToHost)
           != cudaSuccess;
}

static void keep_error(cudaError_t error)
{
    const cudaError_t last = cudaGetLastError();

    if (!watch.error)
        watch.error = error ? error : last;
}

void device_wait(void)
{
    keep_error(cudaStreamSynchronize(0));
}

static size_t free_bytes(void)
{
    size_t available = 0, total = 0;

    if (cudaMemGetInfo(&available, &total) != cudaSuccess)
        return 0;
    return available;
}

void device_watch(void)
{
    memset(&watch, 0, sizeof watch);
    watch.free_before = free_bytes();
}

/* What is no error of the runtime may be a status of a library. */
static void name_error(char *text, int64_t error)
{
    const cudaError_t code = (cudaError_t)error;
    const char *name = error > 0 && error < 10000 ? cudaGetErrorName(code) : "";

    text[0] = 0;
    if (!strncmp(name, "cudaError", strlen("cudaError")))
        snprintf(text, FACT_TEXT, "%s: %s", name, cudaGetErrorString(code));
}

void device_facts(struct facts *facts, int64_t status)
{
    size_t free_after;

    keep_error(cudaDeviceSynchronize());
    free_after = free_bytes();
    facts->leaked =
        free_after < watch.free_before ? watch.free_before - free_after : 0;
    facts->counted = runner_counts_launches;
    facts->up = watch.up;
    facts->down = watch.down;
    facts->together = together;
    facts->taken = watch.taken;
    facts->held = watch.held;
    facts->replays = watch.replays;
    facts->launches = runner_counts_launches ? watch.launches : 1;
    memcpy(facts->grid, watch.grid, sizeof watch.grid);
    memcpy(facts->block, watch.block, sizeof watch.block);
    facts->error = (uint32_t)watch.error;
    name_error(facts->error_text, watch.error);
    name_error(facts->status_text, status);
}

static bool paused_now;

void device_pause(bool paused)
{
    paused_now = paused;
}

void device_launched(const unsigned grid[3], const unsigned block[3])
{
    if (paused_now)
        return;
    watch.launches++;
    memcpy(watch.grid, grid, sizeof watch.grid);
    memcpy(watch.block, block, sizeof watch.block);
}

void device_lend(bool lent)
{
    lent_now = lent;
}

void device_moved(size_t up, size_t down)
{
    watch.up += lent_now ? up : 0;
    watch.down += lent_now ? down : 0;
}

void device_took(size_t bytes)
{
    watch.taken += lent_now ? bytes : 0;
}

/* It may be taken in one call, or before the first, and used in another. */
void device_shared(size_t bytes)
{
    together += bytes;
}

void device_holds(int by)
{
    watch.held += lent_now ? by : 0;
}

void device_replayed(void)
{
    watch.replays += lent_now;
}
