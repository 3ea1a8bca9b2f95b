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
__device__ int deviceless() { return 0; }
__host__ __device__ int both()
{
#ifdef __CUDA_ARCH__
    return deviceless() + __CUDA_ARCH__;
#else
    return 1;
#endif
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double *p, double v) { return *p += v; }
#endif
#if __CUDA_ARCH__ >= 700
template <bool twice>
__device__ int only_here(int x)
{
    __shared__ int s;
    s = x;
    return twice ? 2 * s : s;
}
__device__ int declared(int x);
#endif
namespace inner {
#if __CUDA_ARCH__ >= 800
__device__ int deep() { return 1; }
#endif
__device__ int next()
{
#if __CUDA_ARCH__ >= 800
    return deep();
#else
    return host_only;
#endif
}
}
/* Attributes that one pass alone has: still one kernel. */
#ifdef __CUDA_ARCH__
#define ONLY_READ __grid_constant__
#define BOUNDS __launch_bounds__(128)
#else
#define ONLY_READ
#define BOUNDS
#endif
/* Its body differs in the two passes, too. */
template <class T> __global__ void BOUNDS copy(T *p, ONLY_READ const T x)
{
#ifdef __CUDA_ARCH__
    *p = x;
#else
    host_only(p);
#endif
}
/* Compiles only if each name has the device's value of the macro. */
__global__ void k(int *p)
{
#if __CUDA_ARCH__ >= 700
    p[0] = value() + both() + only_here<true>(3) + inner::next();
    if (false)
        p[1] = declared(1);
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
    copy<<<1, 1>>>((int *)nullptr, 1);
    return 0;
}
