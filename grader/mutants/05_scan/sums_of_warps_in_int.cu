// verdict: WRONG
// expect: the fractions cut off the sums of the parts of 32 elements before
// test: precise
// hint: Keep sums of floats in floats
/* SPDX-License-Identifier: MIT */
/** @file
 *  One block scans all elements in rows; the sums of its warps are in an array
 *  of int. */
#include "grid.h"
#include "scan.h"

enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES };

/** A thread owns every 256th element, a warp 32 neighboring ones of a row. */
__global__ void scan_rows(const float *in, float *out, size_t n, int kind)
{
    __shared__ int s_warp[WARPS];
    const unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    float carry = 0;

    for (size_t first = 0; first < n; first += THREADS) {
        const size_t i = first + threadIdx.x;
        const float own = i < n ? in[i] : 0;
        float sum = own, before = carry;

        for (unsigned d = 1; d < LANES; d *= 2) {
            const float other = __shfl_up_sync(0xffffffff, sum, d);
            if (lane >= d) sum += other;
        }
        if (lane == LANES - 1) s_warp[warp] = (int)sum;
        __syncthreads();
        for (unsigned w = 0; w < WARPS; w++) {
            if (w == warp) before = carry;
            carry += s_warp[w];
        }
        const float exclusive = __shfl_up_sync(0xffffffff, sum, 1);
        if (i < n)
            out[i] = before + (kind == SCAN_INCLUSIVE ? sum
                               : lane                 ? exclusive : 0);
        __syncthreads();
    }
}

int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind)
{
    (void)d_work;
    if (n == 0) return cudaSuccess;
    scan_rows<<<1, THREADS>>>(d_in, d_out, n, kind);
    return CUDA_CHECK(cudaGetLastError());
}
