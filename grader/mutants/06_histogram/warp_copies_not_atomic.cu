// verdict: CHECK
// expect: lanes of one warp store one element: must the update be atomic
// Each warp has counters of its own, which its lanes increment as if alone.
#include "grid.h"
#include "histogram.h"

enum { THREADS = 128, WARPS = THREADS / 32, BYTES = 64 }; /* of a thread */

/** A copy of the counters for each warp of the block. */
__global__ void count_bytes(const unsigned char *in, unsigned *bins, size_t n)
{
    __shared__ unsigned s_count[WARPS][HISTOGRAM_BINS];
    const unsigned t = threadIdx.x;
    const size_t step = (size_t)gridDim.x * THREADS;

    for (unsigned i = t; i < WARPS * HISTOGRAM_BINS; i += THREADS)
        s_count[i / HISTOGRAM_BINS][i % HISTOGRAM_BINS] = 0;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * THREADS + t; i < n; i += step)
        s_count[t / 32][in[i]]++;
    __syncthreads();
    for (unsigned bin = t; bin < HISTOGRAM_BINS; bin += THREADS) {
        unsigned sum = 0;

        for (unsigned warp = 0; warp < WARPS; warp++)
            sum += s_count[warp][bin];
        if (sum > 0) atomicAdd(&bins[bin], sum);
    }
}

int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n)
{
    cudaError_t err = CUDA_CHECK(
        cudaMemsetAsync(d_bins, 0, HISTOGRAM_BINS * sizeof *d_bins));

    if (err || n == 0) return err;
    count_bytes<<<(unsigned)ceil_div(n, THREADS * BYTES), THREADS>>>(
        d_in, d_bins, n);
    return CUDA_CHECK(cudaGetLastError());
}
