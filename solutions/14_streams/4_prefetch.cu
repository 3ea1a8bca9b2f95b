/* SPDX-License-Identifier: MIT */
/** @file
 *  Streams, step 4: the host loads the next batch while the GPU works.
 *
 *  A slot has pinned memory for one batch.  The host may overwrite it once it
 *  has been copied to the device; an event tells when.  The host waits for
 *  nothing else.  If the host is the slowest unit, the GPU always has work.
 *  The pinned memory is three batches for any number of batches.
 */
#include "slots.h"

static cudaError_t init_slot(struct slot *s, int size)
{
    const size_t bytes = size * sizeof(float);
    cudaError_t err = CUDA_CHECK(cudaMallocHost(&s->h_x, bytes));

    if (!err)
        err = CUDA_CHECK(
            cudaEventCreateWithFlags(&s->copied, cudaEventDisableTiming));
    return err ? err : capture_stages(s, size);
}

static void free_slot(struct slot *s)
{
    if (s->stages_graph) cudaGraphExecDestroy(s->stages_graph);
    if (s->copied) cudaEventDestroy(s->copied);
    cudaFreeHost(s->h_x);
}

/* The host waits only for its own buffer. */
static cudaError_t process_batch(struct slot *s, const unsigned char *h_in,
                                 float *h_out, int size)
{
    const size_t bytes = size * sizeof(float);
    cudaError_t err = CUDA_CHECK(cudaEventSynchronize(s->copied));

    if (err) return err;
    load_batch(h_in, s->h_x, size);
    err = CUDA_CHECK(cudaMemcpyAsync(s->d_x, s->h_x, bytes,
                                     cudaMemcpyHostToDevice, s->stream));
    if (!err) err = CUDA_CHECK(cudaEventRecord(s->copied, s->stream));
    if (!err) err = CUDA_CHECK(cudaGraphLaunch(s->stages_graph, s->stream));
    if (!err)
        err = CUDA_CHECK(cudaMemcpyAsync(h_out, s->d_x, bytes,
                                         cudaMemcpyDeviceToHost, s->stream));
    return err;
}

static cudaError_t enqueue_batches(const unsigned char *h_in, float *h_out,
                                   int batches, int size, struct slot *slots)
{
    cudaError_t err = cudaSuccess;

    for (int b = 0; !err && b < batches; b++) {
        const size_t at = (size_t)b * size;
        err = process_batch(&slots[b % SLOTS], h_in + at, h_out + at, size);
    }
    return err;
}
