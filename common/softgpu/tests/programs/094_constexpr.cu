/* SPDX-License-Identifier: MIT */
/* constexpr functions, if constexpr, static_assert and tables in kernels. */
#include "check.h"

__host__ __device__ constexpr int factorial(int n)
{
    return n <= 1 ? 1 : n * factorial(n - 1);
}

constexpr int size = factorial(4);

/* Fills an array by one of two branches, which N decides at compile time. */
template <int N> __global__ void table(int *out)
{
    static_assert(N > 2, "too small");
    constexpr int primes[] = {2, 3, 5, 7};
    __shared__ int s_a[size];
    if constexpr (N % 2 == 0)
        s_a[threadIdx.x] = factorial(N) + primes[threadIdx.x % 4];
    else
        s_a[threadIdx.x] = -N;
    __syncthreads();
    out[threadIdx.x] = s_a[size - 1 - threadIdx.x];
}

int main()
{
    int *out = managed<int>(size);
    table<6><<<1, size>>>(out);
    RUN();
    printf("%d %d\n", out[0], out[1]);
    table<5><<<1, size>>>(out);
    RUN();
    printf("%d\n", out[size - 1]);
    return 0;
}
