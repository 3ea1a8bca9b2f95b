/* SPDX-License-Identifier: MIT */
/* A kernel as a template argument, and a functor that a kernel calls. */
#include "check.h"

/* A kernel that is a template argument. */
__global__ void one(int *a) { a[threadIdx.x] += 1; }
/* Another one of the same type. */
__global__ void ten(int *a) { a[threadIdx.x] += 10; }

template <void (*Kernel)(int *)> static void times(int *a, int n)
{
    while (n-- > 0)
        Kernel<<<1, 2>>>(a);
}

struct scale {
    float by;
    __host__ __device__ float operator()(float x) const { return x * by; }
};

/* Applies a functor, passed by value, to each element. */
template <typename F> __global__ void apply(float *x, F f)
{
    x[threadIdx.x] = f(x[threadIdx.x]);
}

int main()
{
    int *a = managed<int>(2);
    float *x = managed<float>(2);
    x[0] = 3;
    x[1] = scale{2}(5);
    times<one>(a, 3);
    times<ten>(a, 4);
    apply<<<1, 2>>>(x, scale{1.5f});
    RUN();
    printf("%d %d %g %g\n", a[0], a[1], x[0], x[1]);
    return 0;
}
