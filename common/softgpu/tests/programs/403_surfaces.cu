/* SPDX-License-Identifier: MIT */
/* Surfaces of all shapes: what a kernel writes, another reads, as a surface and
 * as a texture; x counts bytes; outside of it, zero and clamp. */
#include "check.h"

/* Thread (x, y) writes its number. */
__global__ void fill(cudaSurfaceObject_t s, int w)
{
    const int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite((float)(y * w + x), s, x * (int)sizeof(float), y);
}

/* Rows through the texture unit; then places outside. */
__global__ void read(cudaSurfaceObject_t s, cudaTextureObject_t t, float *to)
{
    for (int i = 0; i < 4; i++)
        to[i] = tex2D<float>(t, i + 0.5f, 1.5f);
    to[4] = surf2Dread<float>(s, 8, 0);
    to[5] = surf2Dread<float>(s, -4, 0, cudaBoundaryModeZero);
    to[6] = surf2Dread<float>(s, 400, 1, cudaBoundaryModeClamp);
    surf2Dread(&to[7], s, 4, 7, cudaBoundaryModeClamp);
    surf2Dwrite(99.0f, s, 16, 0, cudaBoundaryModeZero); /* no effect */
}

/* One thread writes and reads the other shapes. */
__global__ void shapes(cudaSurfaceObject_t one, cudaSurfaceObject_t three,
                       cudaSurfaceObject_t layered, cudaSurfaceObject_t cube,
                       int *to)
{
    surf1Dwrite(make_uchar4(1, 2, 3, 4), one, 4);
    surf3Dwrite(5, three, 4, 1, 1);
    surf2DLayeredwrite(6, layered, 0, 1, 2);
    surfCubemapwrite(7, cube, 4, 0, 5);
    to[0] = surf1Dread<uchar4>(one, 4).z;
    to[1] = surf1Dread<int>(one, 4);
    to[2] = surf3Dread<int>(three, 4, 1, 1);
    to[3] = surf2DLayeredread<int>(layered, 0, 1, 2);
    to[4] = surfCubemapread<int>(cube, 4, 0, 5);
    to[5] = surf3Dread<int>(three, 0, 0, 2, cudaBoundaryModeZero);
}

/* A surface over a new array, zeroed. */
static cudaSurfaceObject_t make(cudaArray_t *array, cudaExtent e,
                                unsigned flags)
{
    static const char zeros[1024] = {};
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    cudaResourceDesc resource = {};
    cudaMemcpy3DParms copy = {};
    cudaSurfaceObject_t s;
    OK(cudaMalloc3DArray(array, &desc, e, flags | cudaArraySurfaceLoadStore));
    copy.extent = make_cudaExtent(e.width, e.height ? e.height : 1,
                                  e.depth ? e.depth : 1);
    copy.srcPtr = make_cudaPitchedPtr((void *)zeros, e.width * 4, e.width,
                                      copy.extent.height);
    copy.dstArray = *array;
    copy.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&copy));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = *array;
    OK(cudaCreateSurfaceObject(&s, &resource));
    return s;
}

static void two_dimensions()
{
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaSurfaceObject_t s;
    cudaTextureObject_t t;
    cudaArray_t array, plain;
    float *got = managed<float>(8), back[8];
    OK(cudaMallocArray(&array, &desc, 4, 2, cudaArraySurfaceLoadStore));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    OK(cudaCreateSurfaceObject(&s, &resource));
    OK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
    fill<<<1, dim3(4, 2)>>>(s, 4);
    read<<<1, 1>>>(s, t, got);
    RUN();
    for (int i = 0; i < 8; i++)
        printf("%g%s", got[i], i < 7 ? " " : "\n");
    OK(cudaMemcpy2DFromArray(back, 16, array, 0, 0, 16, 2,
                             cudaMemcpyDeviceToHost));
    printf("%g %g\n", back[0], back[7]);
    OK(cudaDestroySurfaceObject(s));
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(array));
    OK(cudaMallocArray(&plain, &desc, 4, 2)); /* without the flag */
    resource.res.array.array = plain;
    SHOW(cudaCreateSurfaceObject(&s, &resource));
    (void)cudaGetLastError();
    OK(cudaFreeArray(plain));
}

int main()
{
    cudaArray_t arrays[4];
    int *got = managed<int>(6);
    two_dimensions();
    const cudaSurfaceObject_t all[4] = {
        make(&arrays[0], make_cudaExtent(8, 0, 0), 0),
        make(&arrays[1], make_cudaExtent(2, 2, 2), 0),
        make(&arrays[2], make_cudaExtent(2, 2, 3), cudaArrayLayered),
        make(&arrays[3], make_cudaExtent(2, 2, 6), cudaArrayCubemap)};
    shapes<<<1, 1>>>(all[0], all[1], all[2], all[3], got);
    RUN();
    printf("%d %#x %d %d %d %d\n", got[0], got[1], got[2], got[3], got[4],
           got[5]);
    for (int i = 0; i < 4; i++) {
        OK(cudaDestroySurfaceObject(all[i]));
        OK(cudaFreeArray(arrays[i]));
    }
    return 0;
}
