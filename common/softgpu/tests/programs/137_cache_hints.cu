/* SPDX-License-Identifier: MIT */
/* Loads and stores with cache hints move the same values. */
#include "check.h"

/* Loads by four hints and stores by two, chosen by thread; adds by two. */
__global__ void hints(const float4 *in, float4 *out, const int *ints, int *sum)
{
    int i = threadIdx.x;
    float4 v;
    switch (i % 4) {
    case 0: v = __ldg(in + i); break;
    case 1: v = __ldcg(in + i); break;
    case 2: v = __ldcs(in + i); break;
    default: v = __ldca(in + i);
    }
    if (i % 2)
        __stcs(out + i, v);
    else
        __stwt(out + i, v);
    atomicAdd(sum, __ldcv(ints + i) + __ldlu(ints + i));
}

int main()
{
    float4 *in = managed<float4>(32), *out = managed<float4>(32);
    int *ints = managed<int>(32), *sum = managed<int>(1);
    for (int i = 0; i < 32; i++) {
        in[i] = make_float4(i, i + 0.25f, i + 0.5f, -i);
        ints[i] = i;
    }
    hints<<<1, 32>>>(in, out, ints, sum);
    RUN();
    for (int i = 0; i < 32; i++)
        EXPECT(out[i].x == i && out[i].y == i + 0.25f && out[i].z == i + 0.5f
               && out[i].w == -i);
    printf("%d\n", *sum);
    return 0;
}
