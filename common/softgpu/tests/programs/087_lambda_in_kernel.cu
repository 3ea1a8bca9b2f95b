/* SPDX-License-Identifier: MIT */
/* Lambdas inside a kernel, by value and by reference, with a barrier. */
#include "check.h"

/* One lambda stores and waits at a barrier, the other computes. */
__global__ void lambdas(int *out)
{
    __shared__ int s_a[64];
    int i = threadIdx.x, sum = 0;
    auto store = [&](int value) {
        s_a[threadIdx.x] = value;
        __syncthreads();
        return s_a[(threadIdx.x + 1) % blockDim.x];
    };
    auto twice = [=](auto x) { return 2 * x + i; };
    for (int k = 0; k < 3; k++) {
        sum += twice(store(i * k));
        __syncthreads();
    }
    out[i] = sum;
}

int main()
{
    int *out = managed<int>(64);
    lambdas<<<1, 64>>>(out);
    RUN();
    for (int i = 0; i < 64; i++)
        EXPECT(out[i] == 6 * ((i + 1) % 64) + 3 * i);
    printf("%d %d\n", out[0], out[63]);
    return 0;
}
