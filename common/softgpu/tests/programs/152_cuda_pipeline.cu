/* SPDX-License-Identifier: MIT */
/* cuda::pipeline: a thread's own, and one of the block with two stages. */
#include "check.h"
#include <cooperative_groups.h>
#include <cuda/pipeline>

/* Each thread copies an element with a pipeline of its own. */
__global__ void own(const double *in, double *out)
{
    __shared__ double s_a[32];
    int i = threadIdx.x;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s_a[i], &in[i], sizeof(double), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    out[i] = s_a[31 - i];
    pipe.consumer_release();
}

/* The block copies batches ahead, up to two. */
__global__ void staged(const int *in, int *out, int batches)
{
#pragma nv_diag_suppress static_var_with_dynamic_init
    constexpr int stages = 2;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages>
        state;
    __shared__ int s_data[stages][64];
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int i = threadIdx.x, fetch = 0;
    for (int b = 0; b < batches; b++) {
        for (; fetch < batches && fetch < b + stages; fetch++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s_data[fetch % stages], in + 64 * fetch,
                               sizeof(int) * 64, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[64 * b + i] = s_data[b % stages][63 - i] + 1;
        pipe.consumer_release();
    }
}

int main()
{
    double *in = managed<double>(32), *out = managed<double>(32);
    int batches = 6, n = 64 * batches, *a = managed<int>(n),
        *b = managed<int>(n);
    for (int i = 0; i < 32; i++)
        in[i] = i / 4.0;
    for (int i = 0; i < n; i++)
        a[i] = 3 * i;
    own<<<1, 32>>>(in, out);
    staged<<<1, 64>>>(a, b, batches);
    RUN();
    for (int i = 0; i < n; i++)
        EXPECT(b[i] == 3 * (i / 64 * 64 + 63 - i % 64) + 1);
    printf("%g %g %d %d\n", out[0], out[30], b[0], b[n - 1]);
    return 0;
}
