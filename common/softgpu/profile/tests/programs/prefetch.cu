/* SPDX-License-Identifier: MIT */
/* Kernels for loads that are issued ahead of their use, and for copies that a
 * barrier waits for; written as in shared.cu.  as: asynchronous copies/sectors
 * of them that TMA copies; wt: loads to registers while a tile is used/copies
 * that barriers wait for idly. */
#include <cuda_pipeline.h>

#include "../../../../include/ptx.h"

// 16 bytes a lane: a load of 512 bytes and a store of four passes.
// counts: ld=1/16/16/512 ss=1/4/0 sl=1/1/0 st=1/4/4/128 bar=1 as=1/0
__global__ void async_copy(const float4 *in, float *out)
{
    __shared__ float4 s[32];

    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = reinterpret_cast<float *>(s)[threadIdx.x];
}

// One thread issues a TMA copy of a box: two rows of 128 bytes, sector by
// sector.
// counts: ld=8/8/8/256 ss=8/8/0 sl=1/1/0 st=1/4/4/128 bar=1 div=? as=8/8
__global__ void box(const __grid_constant__ ptx_tensor_map map, float *out)
{
    __shared__ __align__(128) float s[64];
    __shared__ uint64_t full;

    if (threadIdx.x == 0)
        ptx_mbarrier_init(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx_mbarrier_arrive_expect_tx(&full, sizeof s);
        ptx_tma_load_2d(s, &map, 0, 0, &full);
    }
    ptx_mbarrier_wait(&full, 0);
    out[threadIdx.x] = s[threadIdx.x];
}

// Two tiles, one after the other: a barrier waits for each.
// counts: ld=2/8/8/256 ss=2/2/0 sl=2/2/0 st=1/4/4/128 bar=4 wt=0/0
__global__ void tiles_in_turn(const float *in, float *out)
{
    __shared__ float s[32];
    float sum = 0;

    for (int tile = 0; tile < 2; tile++) {
        s[threadIdx.x] = in[32 * tile + threadIdx.x];
        __syncthreads();
        sum += s[31 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// The second tile is loaded while the first is used: a barrier waits for the
// first one only.
// counts: ld=2/8/8/256 ss=2/2/0 sl=2/2/0 st=1/4/4/128 bar=2 wt=1/0
__global__ void tiles_ahead(const float *in, float *out)
{
    __shared__ float s[2][32];
    float next, sum = 0;

    s[0][threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int tile = 0; tile < 2; tile++) {
        if (tile == 0)
            next = in[32 + threadIdx.x];
        sum += s[tile][31 - threadIdx.x];
        if (tile == 0) {
            s[1][threadIdx.x] = next;
            __syncthreads();
        }
    }
    out[threadIdx.x] = sum;
}

// The same with asynchronous copies, each of which is waited for at once.
// counts: ld=2/8/8/256 ss=2/2/0 sl=2/2/0 st=1/4/4/128 bar=4 as=2/0 wt=0/2
__global__ void copies_in_turn(const float *in, float *out)
{
    __shared__ float s[32];
    float sum = 0;

    for (int tile = 0; tile < 2; tile++) {
        __pipeline_memcpy_async(&s[threadIdx.x], &in[32 * tile + threadIdx.x],
                                sizeof *s);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        sum += s[31 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// The second copy overlaps with the use of the first tile.
// counts: ld=2/8/8/256 ss=2/2/0 sl=2/2/0 st=1/4/4/128 bar=2 as=2/0 wt=0/1
__global__ void copies_ahead(const float *in, float *out)
{
    __shared__ float s[2][32];
    float sum = 0;

    for (int tile = 0; tile < 3; tile++) {
        if (tile < 2)
            __pipeline_memcpy_async(&s[tile][threadIdx.x],
                                    &in[32 * tile + threadIdx.x], sizeof **s);
        __pipeline_commit();
        if (tile > 0)
            sum += s[tile - 1][31 - threadIdx.x];
        if (tile < 2) {
            __pipeline_wait_prior(0);
            __syncthreads();
        }
    }
    out[threadIdx.x] = sum;
}

__device__ __align__(128) float values[32];

// launched twice; without parameters, which a launch stores.
// counts: ld=2/8/8/256 st=2/8/8/256
__global__ void child()
{
    values[threadIdx.x] += 1;
}

// waits for its children, which are counted apart.
// counts: ld=3/12/12/384 st=2/8/8/256 div=2 bar=2
__global__ void waits(const float *in, float *out)
{
    float sum = in[threadIdx.x + 32];

    for (int i = 0; i < 2; i++) {
        if (threadIdx.x == 31) {
            child<<<1, 32>>>();
            cudaDeviceSynchronize();
        }
        __syncthreads();
        sum += values[threadIdx.x];
        out[threadIdx.x + 32] = sum;
    }
}

int main()
{
    float *in, *out;
    ptx_tensor_map map;

    cudaMalloc(&in, 1 << 16);
    cudaMalloc(&out, 1 << 16);
    cudaMemset(in, 0, 1 << 16);
    async_copy<<<1, 32>>>((float4 *)in, out);
    tiles_in_turn<<<1, 32>>>(in, out), tiles_ahead<<<1, 32>>>(in, out);
    copies_in_turn<<<1, 32>>>(in, out), copies_ahead<<<1, 32>>>(in, out);
    const ptx_matrix two_rows = {in, 2, 64, 64};
    if (ptx_tensor_map_2d(&map, &two_rows, 2))
        return 1;
    box<<<1, 32>>>(map, out);
    waits<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
/* nvcc refuses this without -rdc=true. */
