/* SPDX-License-Identifier: MIT */
/* Two kernels with shared arrays, structs and labels of the same names. */
#include "check.h"

/* local has one int here. */
__global__ void first(int *out)
{
    struct local {
        int a;
    };
    __shared__ local s_data[4];
    s_data[threadIdx.x].a = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s_data[3 - threadIdx.x].a;
}

/* local has two doubles here. */
__global__ void second(int *out)
{
    struct local {
        double a, b;
    };
    __shared__ local s_data[4];
    s_data[threadIdx.x] = {threadIdx.x + 0.5, 10.0 * threadIdx.x};
    __syncthreads();
    local l = s_data[3 - threadIdx.x];
    out[threadIdx.x] = 2 * l.a + l.b;
}

int main()
{
    int *out = managed<int>(8);
    first<<<1, 4>>>(out);
    second<<<1, 4>>>(out + 4);
    RUN();
    for (int i = 0; i < 8; i++)
        printf("%d ", out[i]);
    printf("\n");
    return 0;
}
