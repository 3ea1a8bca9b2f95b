/* SPDX-License-Identifier: MIT */
/* __pipeline_memcpy_async, commit and wait_prior: a two-stage prefetch. */
#include "check.h"
#include <cuda_pipeline.h>

/* Copies the next batch while it stores this one. */
__global__ void prefetch(const int4 *in, int4 *out, int batches)
{
    __shared__ int4 s_data[2][32];
    int i = threadIdx.x;
    __pipeline_memcpy_async(&s_data[0][i], &in[i], sizeof(int4));
    __pipeline_commit();
    for (int b = 0; b < batches; b++) {
        if (b + 1 < batches)
            __pipeline_memcpy_async(&s_data[(b + 1) % 2][i],
                                    &in[32 * (b + 1) + i], sizeof(int4));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        int4 v = s_data[b % 2][(i + 1) % 32];
        out[b * 32 + i] = make_int4(v.w, v.z, v.y, v.x);
        __syncthreads();
    }
}

int main()
{
    int batches = 4, n = 32 * batches;
    int4 *in = managed<int4>(n), *out = managed<int4>(n);
    for (int i = 0; i < n; i++)
        in[i] = make_int4(i, -i, 2 * i, 5 * i);
    prefetch<<<1, 32>>>(in, out, batches);
    RUN();
    for (int i = 0; i < n; i++) {
        int j = i / 32 * 32 + (i + 1) % 32;
        EXPECT(out[i].x == 5 * j && out[i].y == 2 * j && out[i].z == -j
               && out[i].w == j);
    }
    printf("%d %d\n", out[0].x, out[n - 1].y);
    return 0;
}
