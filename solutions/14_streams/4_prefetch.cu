/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Streams, step 4: the host loads the next batch while the card works.
 *
 *  A slot has pinned memory for one batch.  The host may write to it again
 *  once it has been copied up, which an event tells: that is all it waits
 *  for.  The card is never without work while the host is the slower one, and
 *  pinned memory is three batches, however many there are. */
// HANDOUT
// /** @file
//  *  Lab 14: batches through the GPU.  The contract is in streams.h; load_batch
//  *  and run_stages are given in stage.h. */
// END SOLUTION
#include "slots.h"

static cudaError_t furnish(struct slot *s, int size)
{
// BEGIN SOLUTION
    const size_t bytes = size * sizeof(float);
    cudaError_t err = CUDA_CHECK(cudaMallocHost(&s->h_x, bytes));

    if (!err)
        err = CUDA_CHECK(
            cudaEventCreateWithFlags(&s->taken, cudaEventDisableTiming));
    return err ? err : capture_stages(s, size);
// HANDOUT
//     /* TODO 3: allocate pinned memory and make an event */
//     /* TODO 5: capture the stages: cudaStreamBeginCapture, run_stages,
//      * cudaStreamEndCapture, cudaGraphInstantiate */
//     return cudaSuccess;
// END SOLUTION
}

static void clear(struct slot *s)
{
// BEGIN SOLUTION
    if (s->step) cudaGraphExecDestroy(s->step);
    if (s->taken) cudaEventDestroy(s->taken);
    cudaFreeHost(s->h_x);
// HANDOUT
//     /* TODO 3, 5: free what furnish() made */
// END SOLUTION
}

// BEGIN SOLUTION
/* The host waits for nothing but its own buffer. */
static cudaError_t one_batch(struct slot *s, const unsigned char *h_in,
                             float *h_out, int size)
{
    const size_t bytes = size * sizeof(float);
    cudaError_t err = CUDA_CHECK(cudaEventSynchronize(s->taken));

    if (err) return err;
    load_batch(h_in, s->h_x, size);
    err = CUDA_CHECK(cudaMemcpyAsync(s->d_x, s->h_x, bytes,
                                     cudaMemcpyHostToDevice, s->stream));
    if (!err) err = CUDA_CHECK(cudaEventRecord(s->taken, s->stream));
    if (!err) err = CUDA_CHECK(cudaGraphLaunch(s->step, s->stream));
    if (!err)
        err = CUDA_CHECK(cudaMemcpyAsync(h_out, s->d_x, bytes,
                                         cudaMemcpyDeviceToHost, s->stream));
    return err;
}

// END SOLUTION
static cudaError_t work_through(const unsigned char *h_in, float *h_out,
                                int batches, int size, struct slot *slots)
{
    cudaError_t err = cudaSuccess;

// BEGIN SOLUTION
    for (int b = 0; !err && b < batches; b++) {
        const size_t at = (size_t)b * size;
        err = one_batch(&slots[b % SLOTS], h_in + at, h_out + at, size);
    }
// HANDOUT
//     /* TODO 1: for each batch, in slot b % SLOTS: load it, copy it up, run
//      * its stages, copy it down; all on the slot's stream */
//     /* TODO 2: copies that only queue: cudaMemcpyAsync */
//     /* TODO 3: before a slot's memory is loaded again: has it been copied? */
//     err = cudaErrorNotSupported;
// END SOLUTION
    return err;
}
