// verdict: SCORE
// expect: 96 100 right
/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "vector_add.h"

/** The sums are stored in x; inline PTX loads, adds and stores. */
__global__ void add_to(float *x, const float *y, size_t n)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += step)
        asm volatile("{ .reg .f32 a, b;\n"
                     "  ld.global.f32 a, [%0];\n"
                     "  ld.global.nc.f32 b, [%1];\n"
                     "  add.rn.f32 a, a, b;\n"
                     "  st.global.f32 [%0], a; }" ::"l"(x + i), "l"(y + i)
                     : "memory");
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    const unsigned threads = 448, most = 1024;
    float *d_x = NULL, *d_y = NULL;
    cudaError_t err = cudaSuccess;

    if (n == 0) return cudaSuccess;
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_x, bytes));
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_y, bytes));
    if (!err) err = CUDA_CHECK(cudaMemcpy(d_x, a, bytes, cudaMemcpyDefault));
    if (!err) err = CUDA_CHECK(cudaMemcpy(d_y, b, bytes, cudaMemcpyDefault));
    if (!err) {
        const size_t blocks = (n + threads - 1) / threads;

        add_to<<<blocks < most ? (unsigned)blocks : most, threads>>>(d_x, d_y,
                                                                     n);
        err = CUDA_CHECK(cudaGetLastError());
    }
    if (!err) err = CUDA_CHECK(cudaMemcpy(c, d_x, bytes, cudaMemcpyDefault));
    cudaFree(d_x);
    cudaFree(d_y);
    return err;
}
