/* SPDX-License-Identifier: MIT */
/** @file
 *  Steps 2 and 3 of lab 14: the host loads all batches into pinned memory
 *  first; the steps differ in how they queue the stages.
 */
#ifndef STREAMS_ALL_LOADED_H
#define STREAMS_ALL_LOADED_H

#include "slots.h"

/** Queue the stages of the batch in a slot. */
static cudaError_t queue_stages(struct slot *slot, int size);

/* Up, through the stages, down: in one stream, so in this order; batches in
 * other slots go on beside it. */
static cudaError_t queue_batch(struct slot *s, const float *h_x, float *h_out,
                               int size)
{
    const size_t bytes = size * sizeof(float);
    cudaError_t err = CUDA_CHECK(cudaMemcpyAsync(
        s->d_x, h_x, bytes, cudaMemcpyHostToDevice, s->stream));

    if (!err) err = queue_stages(s, size);
    if (!err)
        err = CUDA_CHECK(cudaMemcpyAsync(h_out, s->d_x, bytes,
                                         cudaMemcpyDeviceToHost, s->stream));
    return err;
}

static cudaError_t work_through(const unsigned char *h_in, float *h_out,
                                int batches, int size, struct slot *slots)
{
    const size_t all = (size_t)batches * size;
    float *h_x = NULL;
    cudaError_t err = CUDA_CHECK(cudaMallocHost(&h_x, all * sizeof(float)));

    for (int b = 0; !err && b < batches; b++)
        load_batch(h_in + (size_t)b * size, h_x + (size_t)b * size, size);
    for (int b = 0; !err && b < batches; b++)
        err = queue_batch(&slots[b % SLOTS], h_x + (size_t)b * size,
                          h_out + (size_t)b * size, size);
    const cudaError_t end = CUDA_CHECK(cudaDeviceSynchronize());
    cudaFreeHost(h_x);
    return err ? err : end;
}

#endif
