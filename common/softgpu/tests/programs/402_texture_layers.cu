/* SPDX-License-Identifier: MIT */
/* Layers, cubemaps, levels of a mipmap, and tex2Dgather. */
#include "check.h"

/* One thread reads layers, a row of each. */
__global__ void read_layers(cudaTextureObject_t one, cudaTextureObject_t two,
                            float *to)
{
    for (int layer = 0; layer < 4; layer++) { /* the last one is clamped */
        to[2 * layer] = tex1DLayered<float>(one, 1.5f, layer);
        to[2 * layer + 1] = tex2DLayered<float>(two, 0.5f, 1.5f, layer);
    }
}

/* The middle of each face, and a place right of it on face +x. */
__global__ void read_cube(cudaTextureObject_t t, float *to)
{
    const float3 to_faces[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0},
                                {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int i = 0; i < 6; i++)
        to[i] = texCubemap<float>(t, to_faces[i].x + 0.01f,
                                  to_faces[i].y + 0.01f,
                                  to_faces[i].z + 0.01f);
    to[6] = texCubemap<float>(t, 1, 0.5f, 0.5f);
    to[7] = texCubemap<float>(t, 1, -0.5f, -0.5f);
}

/* Levels of detail 0 to 2 in steps of a quarter, then gradients. */
__global__ void read_levels(cudaTextureObject_t t, float *to)
{
    for (int i = 0; i < 9; i++)
        to[i] = tex2DLod<float>(t, 0.5f, 0.5f, 0.25f * i);
    const float2 none = make_float2(0, 0), half = make_float2(0.5f, 0);
    to[9] = tex2DGrad<float>(t, 0.5f, 0.5f, none, none);
    to[10] = tex2DGrad<float>(t, 0.5f, 0.5f, none, half); /* two elements */
    to[11] = tex2D<float>(t, 0.5f, 0.5f);
}

/* The four elements around a corner. */
__global__ void gather(cudaTextureObject_t t, float4 *to)
{
    to[0] = tex2Dgather<float4>(t, 2, 1);
    to[1] = tex2Dgather<float4>(t, 0, 0);
}

static cudaTextureObject_t make(cudaArray_t array, int normalized)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t t = 0;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    for (int d = 0; d < 3; d++)
        desc.addressMode[d] = cudaAddressModeClamp;
    desc.normalizedCoords = normalized;
    OK(cudaCreateTextureObject(&t, &resource, &desc, nullptr));
    return t;
}

/* An array whose elements are 0, 1, 2 ... */
static cudaArray_t counting(int w, int h, int d, unsigned flags)
{
    static float elements[256];
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    const int rows = h ? h : 1, slices = d ? d : 1;
    cudaArray_t array;
    for (int i = 0; i < 256; i++)
        elements[i] = (float)i;
    OK(cudaMalloc3DArray(&array, &desc, make_cudaExtent(w, h, d), flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr =
        make_cudaPitchedPtr(elements, w * sizeof(float), w, rows);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(w, rows, slices);
    copy.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&copy));
    return array;
}

static void show(const float *got, int n)
{
    for (int i = 0; i < n; i++)
        printf("%g%s", got[i], i < n - 1 ? " " : "\n");
}

static void layers(float *got)
{
    cudaArray_t one = counting(4, 0, 3, cudaArrayLayered),
                two = counting(2, 2, 3, cudaArrayLayered);
    cudaTextureObject_t t1 = make(one, 0), t2 = make(two, 0);
    read_layers<<<1, 1>>>(t1, t2, got);
    RUN();
    show(got, 8);
    OK(cudaDestroyTextureObject(t1));
    OK(cudaDestroyTextureObject(t2));
    OK(cudaFreeArray(one));
    OK(cudaFreeArray(two));
}

static void cube(float *got)
{
    cudaArray_t array = counting(2, 2, 6, cudaArrayCubemap);
    cudaTextureObject_t t = make(array, 1);
    read_cube<<<1, 1>>>(t, got);
    RUN();
    show(got, 8);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(array));
}

/* Level i holds 10 * i. */
static void levels(float *got)
{
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mipmap;
    cudaTextureObject_t t;
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    OK(cudaMallocMipmappedArray(&mipmap, &desc, make_cudaExtent(4, 4, 0), 3));
    for (int i = 0; i < 3; i++) {
        float elements[16];
        cudaArray_t level;
        cudaExtent size;
        OK(cudaGetMipmappedArrayLevel(&level, mipmap, i));
        OK(cudaArrayGetInfo(nullptr, &size, nullptr, level));
        for (int j = 0; j < 16; j++)
            elements[j] = 10.0f * (float)i;
        OK(cudaMemcpy2DToArray(level, 0, 0, elements, size.width * 4,
                               size.width * 4, size.height,
                               cudaMemcpyHostToDevice));
    }
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    how.normalizedCoords = 1;
    how.filterMode = how.mipmapFilterMode = cudaFilterModeLinear;
    how.maxMipmapLevelClamp = 1.5f;
    OK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
    read_levels<<<1, 1>>>(t, got);
    RUN();
    show(got, 12);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeMipmappedArray(mipmap));
}

static void gathered()
{
    float4 *got = managed<float4>(2);
    cudaArray_t array = counting(4, 2, 0, cudaArrayTextureGather);
    cudaTextureObject_t t = make(array, 0);
    gather<<<1, 1>>>(t, got);
    RUN();
    show(&got[0].x, 4);
    show(&got[1].x, 4);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(array));
}

int main()
{
    float *got = managed<float>(16);
    layers(got);
    cube(got);
    levels(got);
    gathered();
    return 0;
}
