/* SPDX-License-Identifier: MIT */
/* One vector is read through a texture object, where it is not too large. */
#include "vector_add.h"

#include <cuda_runtime.h>

enum { THREADS = 256 };

/* Sums, with an honest texture. */
__global__ void add(cudaTextureObject_t texture, const float *a, const float *b,
                    float *c, size_t n)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n) c[i] = (texture ? tex1Dfetch<float>(texture, (int)i) : a[i])
                      + b[i];
}

static cudaError_t create_texture(cudaTextureObject_t *texture, float *d_a,
                                  size_t bytes)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};

    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_a;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = bytes;
    return cudaCreateTextureObject(texture, &resource, &desc, NULL);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t most = (size_t)1 << 27; /* elements of a linear texture */
    const size_t bytes = n * sizeof *a;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    cudaTextureObject_t texture = 0;

    if (n == 0) return cudaSuccess;
    cudaError_t err = cudaMalloc(&d_a, bytes);
    if (!err) err = cudaMalloc(&d_b, bytes);
    if (!err) err = cudaMalloc(&d_c, bytes);
    if (!err) err = cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    if (!err) err = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    if (!err && n <= most) err = create_texture(&texture, d_a, bytes);
    if (!err) {
        add<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(
            texture, d_a, d_b, d_c, n);
        err = cudaGetLastError();
    }
    if (texture) cudaDestroyTextureObject(texture);
    if (!err) err = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_a), cudaFree(d_b), cudaFree(d_c);
    return err;
}
