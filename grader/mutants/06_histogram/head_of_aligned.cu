// verdict: WRONG
// expect: the count with the first 16 bytes twice
// test: small
/* SPDX-License-Identifier: MIT */
/* An aligned address gets a head of 16 bytes. */
#include <stdint.h>

#include "grid.h"
#include "histogram.h"

/** A thread owns 16 bytes of a grid-stride loop; block 0 has both ends. */
__global__ void count_bytes(const unsigned char *in, unsigned *bins, size_t n,
                            size_t head)
{
    const uint4 *words = (const uint4 *)(in + head % 16);
    const size_t count = (n - head) / 16, step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += step) {
        const uint4 word = words[i];
        const unsigned part[4] = {word.x, word.y, word.z, word.w};

        for (int k = 0; k < 16; k++)
            atomicAdd(&bins[part[k / 4] >> k % 4 * 8 & 255], 1u);
    }
    if (blockIdx.x) return;
    if (threadIdx.x < head) atomicAdd(&bins[in[threadIdx.x]], 1u);
    for (size_t i = head + count * 16 + threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&bins[in[i]], 1u);
}

int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n)
{
    const size_t bytes = HISTOGRAM_BINS * sizeof *d_bins;
    const size_t past = 16 - (uintptr_t)d_in % 16, head = past < n ? past : n;
    cudaError_t err = CUDA_CHECK(cudaMemsetAsync(d_bins, 0, bytes));

    if (err || n == 0) return err;
    count_bytes<<<64, 256>>>(d_in, d_bins, n, head);
    return CUDA_CHECK(cudaGetLastError());
}
