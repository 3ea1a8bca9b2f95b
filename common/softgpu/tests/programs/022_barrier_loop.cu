/* SPDX-License-Identifier: MIT */
/* A barrier in a loop whose length differs by block; tree reduction. */
#include "check.h"

/* A block adds its elements, with a barrier before each level. */
__global__ void sum(const int *a, int *out)
{
    extern __shared__ int s_sum[];
    unsigned i = threadIdx.x;
    s_sum[i] = a[blockIdx.x * blockDim.x + i];
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (i < half)
            s_sum[i] += s_sum[i + half];
    }
    if (i == 0)
        out[blockIdx.x] = s_sum[0];
}

int main()
{
    int *a = managed<int>(1024), *out = managed<int>(4);
    for (int i = 0; i < 1024; i++)
        a[i] = i;
    for (int threads = 256; threads <= 1024; threads *= 2) {
        sum<<<1024 / threads, threads, threads * sizeof(int)>>>(a, out);
        RUN();
        printf("%d\n", out[1024 / threads - 1]);
    }
    return 0;
}
