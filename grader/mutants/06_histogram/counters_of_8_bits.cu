// verdict: WRONG
// expect: too small by a multiple of 256
// test: skewed
#include "grid.h"
#include "histogram.h"

enum { THREADS = 32, BYTES = 1024 }; /* of a block, of a thread */

/** Each thread has counters of its own, of 8 bits: none is shared. */
__global__ void count_bytes(const unsigned char *in, unsigned *bins, size_t n)
{
    __shared__ unsigned char s_count[HISTOGRAM_BINS][THREADS];
    const unsigned t = threadIdx.x;
    const size_t step = (size_t)gridDim.x * THREADS;

    for (int bin = 0; bin < HISTOGRAM_BINS; bin++) s_count[bin][t] = 0;
    for (size_t i = (size_t)blockIdx.x * THREADS + t; i < n; i += step)
        s_count[in[i]][t]++;
    __syncthreads();
    for (int bin = t; bin < HISTOGRAM_BINS; bin += THREADS) {
        unsigned sum = 0;

        for (int k = 0; k < THREADS; k++)
            sum += s_count[bin][(k + bin) % THREADS];
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
