/* SPDX-License-Identifier: MIT */
/* Macros with names that headers might use, before and after they are read. */
#include "check.h"

#ifdef __SOFTCC__ /* nvcc's own headers take none of this */
#define N 32
#define T 16
#define A 1
#define B 2
#define K 3
#define M 4
#define n 5
#define i 6
#define x_size 7
#define size 8
#define value 9
#define tile 10
#define lane 11
#define mask 12
#define max(p, q) ((p) > (q) ? (p) : (q))
#endif
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>
#include <mma.h>
#ifdef __SOFTCC__
static_assert(N + T + A + B + K + M + n + i + size + value + tile + lane + mask
                  == 119 && max(3, 4) == 4, "macros are as they were");
#undef n
#undef i
#undef size
#undef value
#undef max
#else
#define N 32
#define T 16
#endif
#define STATE 3
#define P 5
#define w 7

namespace cg = cooperative_groups;

/* Uses what the headers declare: groups, half and bfloat16. */
__global__ void all(int *out, float *half_sum)
{
    __shared__ int s_data[N];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s_data, out, sizeof s_data);
    cg::wait(block);
    auto warp = cg::tiled_partition<T>(block);
    const int sum = cg::reduce(warp, s_data[threadIdx.x], cg::plus<int>());
    if (warp.thread_rank() == 0)
        out[threadIdx.x] = sum;
    if (threadIdx.x == 0) {
        const __half h = __float2half(1.5f) + __half(2.0f);
        const __nv_bfloat16 b = __float2bfloat16(0.25f);
        *half_sum = __half2float(h) + __bfloat162float(b) + STATE + P + w;
    }
}

int main()
{
    int *out = managed<int>(N);
    float *half_sum = managed<float>(1);
    for (int k = 0; k < N; k++)
        out[k] = k;
    all<<<1, N>>>(out, half_sum);
    RUN();
    printf("%d %d %g\n", out[0], out[T], *half_sum);
    return 0;
}
