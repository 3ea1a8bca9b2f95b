/* SPDX-License-Identifier: MIT */
/* Counts, and waits for it by an event. */
#include "check.h"
#include "histogram.h"

/* One thread for each byte. */
__global__ void count(const unsigned char *in, unsigned *bins, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) atomicAdd(&bins[in[i]], 1);
}

int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n)
{
    cudaEvent_t end;
    int status = CUDA_CHECK(cudaEventCreate(&end));

    if (status) return status;
    status = CUDA_CHECK(
        cudaMemsetAsync(d_bins, 0, HISTOGRAM_BINS * sizeof *d_bins));
    if (!status && n) {
        count<<<(unsigned)((n + 255) / 256), 256>>>(d_in, d_bins, n);
        status = CUDA_CHECK(cudaGetLastError());
    }
    if (!status) status = CUDA_CHECK(cudaEventRecord(end));
    if (!status) status = CUDA_CHECK(cudaEventSynchronize(end));
    cudaEventDestroy(end);
    return status;
}
