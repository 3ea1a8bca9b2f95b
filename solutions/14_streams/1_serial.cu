/* SPDX-License-Identifier: MIT */
/** @file
 *  Streams, step 1: everything serially.
 *
 *  While the host loads, the device is idle; while a copy runs, the
 *  multiprocessors are idle; and pageable memory is copied through a staging
 *  buffer of the driver.
 */
#include <stdlib.h>

#include "stage.h"

/* One batch; each call returns when its work is complete. */
static cudaError_t process_batch(float *h_x, float *d_x, float *d_y,
                                 float *h_out, int size)
{
    const size_t bytes = size * sizeof(float);
    cudaError_t err =
        CUDA_CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    if (!err) err = run_stages(d_x, d_y, size, 0);
    if (!err)
        err = CUDA_CHECK(
            cudaMemcpy(h_out, d_x, bytes, cudaMemcpyDeviceToHost));
    return err;
}

int streams(const unsigned char *h_in, float *h_out, int batches, int size)
{
    const size_t bytes = size * sizeof(float);
    float *h_x = (float *)malloc(bytes + 1), *d_x = NULL, *d_y = NULL;
    cudaError_t err = h_x ? cudaSuccess : cudaErrorMemoryAllocation;

    if (size == 0) batches = 0;
    if (!err && batches) err = CUDA_CHECK(cudaMalloc(&d_x, bytes));
    if (!err && batches) err = CUDA_CHECK(cudaMalloc(&d_y, bytes));
    for (int b = 0; !err && b < batches; b++) {
        load_batch(h_in + (size_t)b * size, h_x, size);
        err = process_batch(h_x, d_x, d_y, h_out + (size_t)b * size, size);
    }
    cudaFree(d_x);
    cudaFree(d_y);
    free(h_x);
    return err;
}
