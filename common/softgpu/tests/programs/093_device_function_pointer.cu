/* SPDX-License-Identifier: MIT */
/* Pointers to device functions: chosen in the kernel and fetched by symbol. */
#include "check.h"

typedef float (*unary)(float);

__device__ float half_of(float x) { return x / 2; }
__device__ float square_of(float x) { return x * x; }
__device__ unary d_square = square_of;
__device__ unary table[2] = {half_of, square_of};

/* Calls one function by parameter and one by a table. */
__global__ void apply(float *x, unary f)
{
    int i = threadIdx.x;
    x[i] = f(x[i]) + table[i % 2](1 + i);
}

int main()
{
    float *x = managed<float>(4);
    for (int i = 0; i < 4; i++)
        x[i] = i + 1;
    unary h_square;
    OK(cudaMemcpyFromSymbol(&h_square, d_square, sizeof h_square));
    apply<<<1, 4>>>(x, h_square);
    RUN();
    printf("%g %g %g %g\n", x[0], x[1], x[2], x[3]);
    return 0;
}
