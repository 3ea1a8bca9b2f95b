/* SPDX-License-Identifier: MIT */
/* Managed memory: attach, advice and prefetch are accepted. */
#include "check.h"

/* Adds 1 to each element. */
__global__ void add(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += 1;
}

int main()
{
    int n = 10000;
    float *a = managed<float>(n);
    for (int i = 0; i < n; i++)
        a[i] = i;
#if CUDART_VERSION >= 13000
    cudaMemLocation device = {};
    device.type = cudaMemLocationTypeDevice;
    OK(cudaMemAdvise(a, n * 4, cudaMemAdviseSetPreferredLocation, device));
    OK(cudaMemPrefetchAsync(a, n * 4, device, 0));
#else
    OK(cudaMemAdvise(a, n * 4, cudaMemAdviseSetPreferredLocation, 0));
    OK(cudaMemPrefetchAsync(a, n * 4, 0));
#endif
    add<<<40, 256>>>(a, n);
    RUN();
    printf("%g %g\n", a[0], a[n - 1]);
    return 0;
}
