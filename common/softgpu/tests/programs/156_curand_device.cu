/* SPDX-License-Identifier: MIT */
/* XORWOW and Philox in kernels: the same integers and uniforms as on a GPU. */
#include "check.h"
#include <curand_kernel.h>

/* Four numbers of each generator, and one uniform, per thread. */
__global__ void draw(unsigned *out, float *uniform)
{
    int i = threadIdx.x;
    curandState xorwow;
    curandStatePhilox4_32_10_t philox;
    curand_init(1234, i * 5, i * 3, &xorwow);
    curand_init(1234, i * 5, i * 3, &philox);
    for (int k = 0; k < 4; k++) {
        out[8 * i + k] = curand(&xorwow);
        out[8 * i + 4 + k] = curand(&philox);
    }
    uniform[i] = curand_uniform(&xorwow);
}

/* Adds n normal numbers of each thread, and their squares. */
__global__ void moments(double *sums, int n)
{
    curandState_t state;
    curand_init(7, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
    double sum = 0, squares = 0;
    for (int k = 0; k < n; k++) {
        float x = curand_normal(&state);
        sum += x;
        squares += x * x;
    }
    atomicAdd(&sums[0], sum);
    atomicAdd(&sums[1], squares);
}

int main()
{
    unsigned *out = managed<unsigned>(16);
    float *uniform = managed<float>(2);
    double *sums = managed<double>(2), n = 4 * 64 * 200;
    draw<<<1, 2>>>(out, uniform);
    moments<<<4, 64>>>(sums, 200);
    RUN();
    for (int i = 0; i < 16; i++)
        printf("%u%c", out[i], i % 4 == 3 ? '\n' : ' ');
    printf("%.6f %.6f\n", uniform[0], uniform[1]);
    printf("%.1f %.1f\n", sums[0] / n + 10, sums[1] / n);
    return 0;
}
