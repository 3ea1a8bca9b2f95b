/* SPDX-License-Identifier: MIT */
/* A kernel frees the runtime's own memory. */
#include "hostile.h"

/* With a member of a class template, not all variables of the program are known
 * to the runtime. */
template <class T> struct box {
    static __device__ T value;
};
template <class T> __device__ T box<T>::value = 0;

extern char _end[]; /* of the image; what precedes it is the runtime's */
static __device__ double place[2];

/* One thread for each element; the first stores beside them. */
__global__ void storing_kernel(const float *a, const float *b, float *c,
                               size_t n, double *at)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
    if (i == 0) {
        box<int>::value = 1;
        free(at);
    }
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    size_t bytes = n * sizeof(float);
    float *d = NULL;
    void *at = NULL;
    int error = 0;

    if (n == 0)
        return 0;
    error = cudaMalloc(&d, 3 * bytes);
    if (!error)
        error = cudaGetSymbolAddress(&at, place);
    at = (void *)(((uintptr_t)_end - 4096) / 16 * 16);
    if (!error)
        error = cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    if (!error)
        storing_kernel<<<(n + 255) / 256, 256>>>(d, d + n, d + 2 * n, n,
                                                 (double *)at);
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
