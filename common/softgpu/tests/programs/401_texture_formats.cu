/* SPDX-License-Identifier: MIT */
/* Formats and read modes; linear and pitched memory; both forms of a call. */
#include <cuda_fp16.h>

#include "check.h"

/* One thread fetches elements of linear memory, inside and outside. */
template <class T>
__global__ void fetch(cudaTextureObject_t t, T *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = tex1Dfetch<T>(t, i - 1);
}

/* The same rows, through the form that stores. */
__global__ void rows(cudaTextureObject_t t, float *to, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            tex2D(&to[y * w + x], t, x + 0.5f, y + 0.5f);
}

static cudaTextureObject_t make(const cudaResourceDesc &resource,
                                cudaTextureReadMode mode)
{
    cudaTextureDesc desc = {};
    cudaTextureObject_t t = 0;
    desc.readMode = mode;
    desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
    OK(cudaCreateTextureObject(&t, &resource, &desc, nullptr));
    return t;
}

/* A linear texture of n elements of device memory. */
template <class T>
static cudaTextureObject_t linear(const T *from, int n, T **memory,
                                  cudaTextureReadMode mode)
{
    cudaResourceDesc resource = {};
    OK(cudaMalloc((void **)memory, n * sizeof(T)));
    OK(cudaMemcpy(*memory, from, n * sizeof(T), cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = *memory;
    resource.res.linear.desc = cudaCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = n * sizeof(T);
    return make(resource, mode);
}

static void integers()
{
    const signed char bytes[3] = {-128, -1, 127};
    const ushort2 pairs[2] = {{1, 65535}, {40000, 2}};
    signed char *d_bytes;
    ushort2 *d_pairs, *got = managed<ushort2>(4);
    int *words = managed<int>(5);
    float *parts = managed<float>(5);
    cudaTextureObject_t t =
        linear(bytes, 3, &d_bytes, cudaReadModeElementType);
    fetch<int><<<1, 1>>>(t, words, 5);
    RUN();
    printf("signed char: %d %d %d %d %d\n", words[0], words[1], words[2],
           words[3], words[4]);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFree(d_bytes));
    t = linear(bytes, 3, &d_bytes, cudaReadModeNormalizedFloat);
    fetch<float><<<1, 1>>>(t, parts, 5);
    RUN();
    printf("normalized: %g %.5f %g\n", parts[1], parts[2], parts[3]);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFree(d_bytes));
    t = linear(pairs, 2, &d_pairs, cudaReadModeElementType);
    fetch<ushort2><<<1, 1>>>(t, got, 4);
    RUN();
    printf("ushort2: (%d %d) (%d %d) (%d %d)\n", got[0].x, got[0].y, got[1].x,
           got[1].y, got[2].x, got[2].y);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFree(d_pairs));
}

static void pitched()
{
    const int w = 3, h = 2;
    const float from[h * w] = {1, 2, 3, 4, 5, 6};
    float *memory, *got = managed<float>(w * h);
    cudaResourceDesc resource = {};
    size_t pitch;
    OK(cudaMallocPitch((void **)&memory, &pitch, w * sizeof(float), h));
    OK(cudaMemcpy2D(memory, pitch, from, w * sizeof(float), w * sizeof(float),
                    h, cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = w;
    resource.res.pitch2D.height = h;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureObject_t t = make(resource, cudaReadModeElementType);
    rows<<<1, 1>>>(t, got, w, h);
    RUN();
    printf("pitched: %g %g %g %g %g %g\n", got[0], got[1], got[2], got[3],
           got[4], got[5]);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFree(memory));
}

/* An array of halves is read as floats. */
static void halves()
{
    const __half from[2] = {__float2half(0.5f), __float2half(-3)};
    const cudaChannelFormatDesc desc = cudaCreateChannelDescHalf();
    float *got = managed<float>(2);
    cudaResourceDesc resource = {};
    cudaArray_t array;
    OK(cudaMallocArray(&array, &desc, 2, 1));
    OK(cudaMemcpy2DToArray(array, 0, 0, from, 4, 4, 1,
                           cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureObject_t t = make(resource, cudaReadModeElementType);
    rows<<<1, 1>>>(t, got, 2, 1);
    RUN();
    printf("half: %g %g\n", got[0], got[1]);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(array));
}

/* Calls that CUDA refuses. */
static void refused()
{
    float *memory;
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t t;
    OK(cudaMalloc((void **)&memory, 4096));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory + 1;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 64;
    SHOW(cudaCreateTextureObject(&t, &resource, &desc, nullptr));
    resource.res.linear.devPtr = memory;
    desc.readMode = cudaReadModeNormalizedFloat;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    SHOW(cudaCreateTextureObject(&t, &resource, &desc, nullptr));
    SHOW(cudaCreateTextureObject(nullptr, &resource, &desc, nullptr));
    OK(cudaFree(memory));
}

int main()
{
    integers();
    pitched();
    halves();
    refused();
    return 0;
}
