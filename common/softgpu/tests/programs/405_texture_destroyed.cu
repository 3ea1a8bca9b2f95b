/* SPDX-License-Identifier: MIT */
/* The software GPU tells a texture object that was destroyed, one whose array
 * was freed, and one of another shape; on a card all are undefined.  A kernel
 * that was launched before the object is destroyed can use it, and an object
 * may be larger than the memory. */
// stderr: the texture object was destroyed
// stderr: the array of the texture object was freed
// stderr: the texture object is 1D, the function is for 2D
// stderr: 0x10 is no texture object
#include "check.h"

/* One read of one dimension. */
__global__ void one(cudaTextureObject_t t, float *to)
{
    *to = tex1D<float>(t, 0.5f);
}

/* One read of two. */
__global__ void two(cudaTextureObject_t t, float *to)
{
    *to = tex2D<float>(t, 0.5f, 0.5f);
}

/* The first element of linear memory. */
__global__ void first(cudaTextureObject_t t, float *to)
{
    *to = tex1Dfetch<float>(t, 0);
}

static cudaTextureObject_t make(cudaArray_t *array)
{
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    const float zeros[4] = {};
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    OK(cudaMallocArray(array, &desc, 4, 0));
    OK(cudaMemcpy2DToArray(*array, 0, 0, zeros, 16, 16, 1,
                           cudaMemcpyHostToDevice));
    resource.res.array.array = *array;
    OK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
    return t;
}

static void show_and_reset()
{
    SHOW(cudaDeviceSynchronize());
    OK(cudaDeviceReset());
}

/** Destroy an object of linear memory right after the launch that reads it. */
static void destroy_after_launch()
{
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    float *from, *to, h = 7;
    OK(cudaMalloc(&from, sizeof h));
    OK(cudaMalloc(&to, sizeof h));
    OK(cudaMemcpy(from, &h, sizeof h, cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = from;
    resource.res.linear.sizeInBytes = 1 << 20;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    OK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
    first<<<1, 1>>>(t, to);
    OK(cudaDestroyTextureObject(t));
    OK(cudaMemcpy(&h, to, sizeof h, cudaMemcpyDeviceToHost));
    printf("before: %g\n", h);
    OK(cudaFree(from));
    OK(cudaFree(to));
}

int main()
{
    cudaTextureObject_t t, other;
    cudaArray_t array;
    float *to;
    destroy_after_launch();
    for (int i = 0; i < 4; i++) {
        t = make(&array);
        OK(cudaMalloc((void **)&to, sizeof *to));
        if (i == 0) {
            OK(cudaDestroyTextureObject(t));
            other = make(&array); /* in the same place */
            EXPECT(other != t);
            one<<<1, 1>>>(t, to);
        } else if (i == 1) {
            OK(cudaFreeArray(array));
            one<<<1, 1>>>(t, to);
        } else if (i == 2) {
            two<<<1, 1>>>(t, to);
        } else {
            one<<<1, 1>>>(16, to);
        }
        show_and_reset();
    }
    return 0;
}
