/* SPDX-License-Identifier: MIT */
/* __CUDA_ARCH__ is defined in device code only; read by the driver's test. */
#include <stdio.h>
__device__ int value()
{
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__;
#else
    return host_only;
#endif
}
__host__ __device__ int both()
{
#ifdef __CUDA_ARCH__
    return device_only;
#else
    return 1;
#endif
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double *p, double v) { return *p += v; }
#endif
__global__ void k(int *p)
{
#if __CUDA_ARCH__ >= 700
    p[0] = value() + both();
#else
    p[0] = host_only;
#endif
}
int main()
{
#ifdef __CUDA_ARCH__
    device_only();
#endif
    k<<<1, 1>>>(nullptr);
    return 0;
}
