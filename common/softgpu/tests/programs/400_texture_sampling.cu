/* SPDX-License-Identifier: MIT */
/* tex1D, tex2D and tex3D against a reference in double precision: four address
 * modes, both filters, plain and normalized coordinates, inside and outside. */
#include "check.h"
#include "texture_reference.h"

enum { POINTS = 96, W = 6, H = 5, D = 4 };

/* Thread i samples point i. */
__global__ void sample(cudaTextureObject_t t, int dimensions, const float3 *at,
                       float *to)
{
    const int i = threadIdx.x;
    const float3 p = at[i];
    to[i] = dimensions == 1   ? tex1D<float>(t, p.x)
            : dimensions == 2 ? tex2D<float>(t, p.x, p.y)
                              : tex3D<float>(t, p.x, p.y, p.z);
}

static cudaArray_t make_array(const texture_model &m)
{
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    const int *n = m.size;
    cudaArray_t array;
    OK(cudaMalloc3DArray(&array, &desc,
                         make_cudaExtent(n[0], m.dimensions > 1 ? n[1] : 0,
                                         m.dimensions > 2 ? n[2] : 0)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void *)m.elements,
                                      n[0] * sizeof(float), n[0], n[1]);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(n[0], n[1], n[2]);
    copy.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&copy));
    return array;
}

/* How many of the points differ from the reference. */
static int compare(const texture_model &m, cudaArray_t array, float3 *at,
                   float *got)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t texture;
    int wrong = 0;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    for (int d = 0; d < 3; d++)
        desc.addressMode[d] = m.mode;
    desc.filterMode = m.linear ? cudaFilterModeLinear : cudaFilterModePoint;
    desc.normalizedCoords = m.normalized;
    desc.borderColor[0] = m.border;
    OK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
    for (int i = 0; i < POINTS; i++) {
        /* from -1.5 to 2.5 times the size, off the middle of elements */
        const float x = -1.5f + 4.0f * (i + 0.37f) / POINTS;
        const float k = m.normalized ? 1 : 0;
        at[i] = make_float3(x * (k ? 1 : m.size[0]),
                            (0.9f - x) * (k ? 1 : m.size[1]),
                            0.7f * x * (k ? 1 : m.size[2]));
    }
    sample<<<1, POINTS>>>(texture, m.dimensions, at, got);
    RUN();
    for (int i = 0; i < POINTS; i++) {
        const float p[3] = {at[i].x, at[i].y, at[i].z};
        wrong += std::fabs(sampled(m, p) - got[i]) > 1e-4;
    }
    OK(cudaDestroyTextureObject(texture));
    return wrong;
}

int main()
{
    static const char *const names[] = {"wrap", "clamp", "mirror", "border"};
    static float elements[W * H * D];
    float3 *at = managed<float3>(POINTS);
    float *got = managed<float>(POINTS);
    for (int i = 0; i < W * H * D; i++)
        elements[i] = (float)(i * 37 % 101) - 20;
    for (int dimensions = 1; dimensions <= 3; dimensions++) {
        texture_model m = {elements, {W, dimensions > 1 ? H : 1,
                                      dimensions > 2 ? D : 1},
                           dimensions, cudaAddressModeWrap, false, false, 7.5f};
        cudaArray_t array = make_array(m);
        for (int i = 0; i < 16; i++) {
            m.mode = (cudaTextureAddressMode)(i / 4);
            m.linear = i & 1;
            m.normalized = i >> 1 & 1;
            printf("%dD %s %s %s: %d wrong\n", dimensions, names[i / 4],
                   m.linear ? "linear" : "point",
                   m.normalized ? "normalized" : "plain",
                   compare(m, array, at, got));
        }
        OK(cudaFreeArray(array));
    }
    return 0;
}
