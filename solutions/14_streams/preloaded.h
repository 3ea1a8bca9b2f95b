/* SPDX-License-Identifier: MIT */
/** @file
 *  Steps 2 and 3 of lab 14: the host loads all batches into pinned memory
 *  first; the steps differ in how they enqueue the stages. */
#ifndef STREAMS_PRELOADED_H
#define STREAMS_PRELOADED_H

#include "slots.h"

/** Enqueue the stages of the batch in a slot. */
static cudaError_t enqueue_stages(struct slot *slot, int size);

/* Copy to the device, stages, copy back: in one stream, so in this order;
 * batches in other slots overlap. */
static cudaError_t enqueue_batch(struct slot *s, const float *h_x, float *h_out,
                                 int size)
{
    const size_t bytes = size * sizeof(float);
    cudaError_t err = CUDA_CHECK(cudaMemcpyAsync(
        s->d_x, h_x, bytes, cudaMemcpyHostToDevice, s->stream));

    if (!err) err = enqueue_stages(s, size);
    if (!err)
        err = CUDA_CHECK(cudaMemcpyAsync(h_out, s->d_x, bytes,
                                         cudaMemcpyDeviceToHost, s->stream));
    return err;
}

static cudaError_t enqueue_batches(const unsigned char *h_in, float *h_out,
                                   int batches, int size, struct slot *slots)
{
    const size_t all = (size_t)batches * size;
    float *h_x = NULL;
    cudaError_t err = CUDA_CHECK(cudaMallocHost(&h_x, all * sizeof(float)));

    for (int b = 0; !err && b < batches; b++)
        load_batch(h_in + (size_t)b * size, h_x + (size_t)b * size, size);
    for (int b = 0; !err && b < batches; b++)
        err = enqueue_batch(&slots[b % SLOTS], h_x + (size_t)b * size,
                            h_out + (size_t)b * size, size);
    const cudaError_t end = CUDA_CHECK(cudaDeviceSynchronize());
    cudaFreeHost(h_x);
    return err ? err : end;
}

#endif
