/* SPDX-License-Identifier: MIT */
/* The runner's calls of the CUDA runtime, and its counters. */
#include "device.h"

#include "resources.h"
#include "submission.h"
#include "variant.h"

#include <stdio.h>
#include <string.h>

#include <cuda_runtime_api.h>

static struct {
    size_t free_before;
    size_t h2d_bytes, d2h_bytes; /* bytes copied to the device, to the host */
    size_t allocated_bytes;    /* bytes of device memory, freed or not */
    unsigned graph_launches; /* graph launches */
    size_t host_work;        /* elements */
    size_t host_calls;       /* of what processed them */
    unsigned launches;
    unsigned grid[3], block[3];
    cudaError_t error;
} counters;

static bool in_submission_now;   /* the submission's code runs */
static __thread bool is_own_call; /* this thread calls for the runner */
static size_t managed_bytes; /* managed and pinned memory, of all calls */

void device_init(void)
{
    uint64_t state = 0;

    device_digest(&state, NULL, 0, NULL); /* loads the code of its kernel */
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

int device_copy_to_device(void *d_dst, const void *src, size_t bytes)
{
    return cudaMemcpy(d_dst, src, bytes, cudaMemcpyHostToDevice)
           != cudaSuccess;
}

int device_copy_to_host(void *dst, const void *d_src, size_t bytes)
{
    return cudaMemcpy(dst, d_src, bytes, cudaMemcpyDeviceToHost)
           != cudaSuccess;
}

static void record_error(cudaError_t error)
{
    const cudaError_t last = cudaGetLastError();

    if (!counters.error)
        counters.error = error ? error : last;
}

void device_synchronize_stream(void)
{
    record_error(cudaStreamSynchronize(0));
}

/* A device that has failed has no leaks: the error is reported instead. */
static size_t query_free_bytes(void)
{
    size_t available = 0, total = 0;

    if (cudaMemGetInfo(&available, &total) != cudaSuccess)
        return SIZE_MAX;
    return available;
}

void device_reset_counters(unsigned failing_call)
{
    memset(&counters, 0, sizeof counters);
    resources_reset(failing_call);
    counters.free_before = query_free_bytes();
}

/* Formats a cudaError_t; another value may be a library's status and gives an
 * empty text. */
static void format_error(char *text, int64_t error)
{
    const cudaError_t code = (cudaError_t)error;
    const char *name = error > 0 && error < 10000 ? cudaGetErrorName(code) : "";

    text[0] = 0;
    if (!strncmp(name, "cudaError", strlen("cudaError")))
        snprintf(text, FACT_SIZE, "%s: %s", name, cudaGetErrorString(code));
}

/* The lab's return value: a cudaError_t, or a library's status. */
static void format_status(char *text, int64_t status)
{
    format_error(text, status);
    describe_library_status(status, text);
}

void device_read_counters(struct facts *facts, int64_t status)
{
    size_t free_after;

    record_error(cudaDeviceSynchronize());
    free_after = query_free_bytes();
    facts->leaked = counters.free_before != SIZE_MAX
                            && free_after < counters.free_before
                        ? counters.free_before - free_after
                        : 0;
    facts->counted = runner_counts_launches;
    facts->h2d_bytes = counters.h2d_bytes;
    facts->d2h_bytes = counters.d2h_bytes;
    facts->managed_bytes = managed_bytes;
    facts->allocated_bytes = counters.allocated_bytes;
    resources_report(facts);
    facts->graph_launches = counters.graph_launches;
    facts->host_work = counters.host_work;
    facts->host_calls = counters.host_calls;
    facts->launches = runner_counts_launches ? counters.launches : 1;
    memcpy(facts->grid, counters.grid, sizeof counters.grid);
    memcpy(facts->block, counters.block, sizeof counters.block);
    facts->error = (uint32_t)counters.error;
    format_error(facts->error_text, counters.error);
    format_status(facts->status_text, status);
}

static bool counting_paused;

void device_pause_counting(bool paused)
{
    counting_paused = paused;
}

size_t device_allocated_bytes(void)
{
    return counters.allocated_bytes;
}

void device_count_launch(const unsigned grid[3], const unsigned block[3])
{
    if (counting_paused)
        return;
    counters.launches++;
    memcpy(counters.grid, grid, sizeof counters.grid);
    memcpy(counters.block, block, sizeof counters.block);
}

void device_set_in_submission(bool in_submission)
{
    in_submission_now = in_submission;
}

void device_count_transfer(size_t h2d_bytes, size_t d2h_bytes)
{
    counters.h2d_bytes += device_in_submission() ? h2d_bytes : 0;
    counters.d2h_bytes += device_in_submission() ? d2h_bytes : 0;
}

void device_count_alloc(size_t bytes)
{
    counters.allocated_bytes += device_in_submission() ? bytes : 0;
}

/* Never reset: memory from one call, or from a constructor before the first,
 * can be used in another call. */
void device_count_host_accessible(size_t bytes)
{
    managed_bytes += bytes;
}

bool device_in_submission(void)
{
    return in_submission_now && !is_own_call;
}

void device_leave_memory_error(void)
{
    void *none = NULL;

    is_own_call = true; /* other threads of the submission go on */
    if (cudaMalloc(&none, SIZE_MAX / 2) == cudaSuccess)
        cudaFree(none);
    is_own_call = false;
}

size_t count_host_work(size_t units)
{
    __atomic_fetch_add(&counters.host_work, units, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counters.host_calls, 1, __ATOMIC_RELAXED);
    return submission_content(units - 1);
}

void device_count_graph_launch(void)
{
    counters.graph_launches += device_in_submission();
}
