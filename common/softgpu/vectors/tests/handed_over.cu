// SPDX-License-Identifier: MIT
// Data that kernels hand from phase to phase: two buffers in turns,
// asynchronous copies, and tickets, by which the last block of a grid is found.
#include <cuda_pipeline.h>

#include <cstdio>

enum { THREADS = 128, BLOCKS = 5, N = THREADS * BLOCKS };

/** An inclusive scan of a block in two buffers. */
__global__ void scan_block(const int *in, int *out)
{
    __shared__ int s[2][THREADS];
    const unsigned t = threadIdx.x, at = blockIdx.x * THREADS + t;
    int now = 0;

    s[now][t] = in[at];
    __syncthreads();
    for (unsigned distance = 1; distance < THREADS; distance *= 2) {
        now ^= 1;
        s[now][t] =
            s[now ^ 1][t] + (t >= distance ? s[now ^ 1][t - distance] : 0);
        __syncthreads();
    }
    out[at] = s[now][t];
}

/** Is this the last block to ask?  All threads learn it from shared memory. */
__device__ bool is_last(unsigned *ticket)
{
    __shared__ bool s_last;

    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) s_last = atomicAdd(ticket, 1) == gridDim.x - 1;
    __syncthreads();
    __threadfence();
    return s_last;
}

/** Sums of all blocks by the last block, which asks for a second ticket. */
__global__ void sum_all(const int *in, int *partial, int *out,
                        unsigned *tickets)
{
    __shared__ int s[THREADS];
    const unsigned t = threadIdx.x;

    s[t] = in[blockIdx.x * THREADS + t];
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = s[0];
    if (!is_last(&tickets[0])) return;
    s[t] = t < gridDim.x ? partial[t] : 0;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) *out = s[0] + (int)atomicAdd(&tickets[1], 5u);
}

/** A tile is copied while the one before it is added. */
__global__ void copy_ahead(const float *in, float *out, int tiles)
{
    __shared__ float4 s[2][THREADS];
    const unsigned t = threadIdx.x;
    float sum = 0;

    __pipeline_memcpy_async(&s[0][t], in + 4 * t, sizeof(float4));
    __pipeline_commit();
    for (int i = 0; i < tiles; i++) {
        if (i + 1 < tiles)
            __pipeline_memcpy_async(&s[(i + 1) % 2][t],
                                    in + 4 * ((i + 1) * THREADS + t),
                                    sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        const float4 q = s[i % 2][THREADS - 1 - t];
        sum += q.x + 2 * q.y + 3 * q.z + 4 * q.w;
        __syncthreads();
    }
    out[t] = sum;
}

/** The same for n floats: past them a copy is of zeros.  The last warp adds. */
__global__ void copy_tail(const float *in, float *out, int n)
{
    __shared__ float s[2][THREADS];
    const int t = threadIdx.x;
    float sum = 0;

    for (int i = 0; i < 2; i++) {
        const int at = i * THREADS + t;
        __pipeline_memcpy_async(&s[i][t], in + (at < n ? at : 0),
                                sizeof(float), at < n ? 0 : sizeof(float));
        __pipeline_commit();
    }
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            __pipeline_wait_prior(1);
        else
            __pipeline_wait_prior(0);
        __syncthreads();
        sum = sum * 2 + s[i][THREADS - 1 - t];
    }
    __syncthreads();
    s[0][t] = sum;
    __syncthreads();
    if (t < 32)
        for (int half = 16; half > 0; half /= 2) {
            const float other = s[0][t + half];
            __syncwarp();
            s[0][t] += other;
            __syncwarp();
        }
    __syncthreads();
    out[t] = s[0][t];
}

/** The place of each element, in the order of the threads. */
__global__ void take_places(unsigned *count, unsigned *out)
{
    __shared__ unsigned s[THREADS];

    s[threadIdx.x] = atomicAdd(count, 3u);
    __syncthreads();
    out[threadIdx.x] = s[THREADS - 1 - threadIdx.x];
}

/** A sum by the first lanes of the warps, which keep their order. */
__global__ void add_warps(const float *in, float *sum)
{
    float own = in[threadIdx.x];

    for (int offset = 16; offset > 0; offset /= 2)
        own += __shfl_down_sync(0xffffffff, own, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, own);
}

/** Blocks of at most 64 threads: none of them prints, which a gang cannot, and
 *  each copies four elements. */
__global__ void __launch_bounds__(64) bounded(const int *in, int *out)
{
    __shared__ int s[256];

    if (threadIdx.x >= 64 || threadIdx.y >= 64 || blockDim.z > 64)
        printf("a thread beyond __launch_bounds__\n");
    for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 64) out[i] = s[255 - i];
}

int main()
{
    static int in[N], out[N];
    static float values[4 * N], sums[THREADS];
    int *d_in, *d_out;
    unsigned *d_tickets;
    float *d_values;

    for (int i = 0; i < N; i++)
        in[i] = i * 7 % 31;
    for (int i = 0; i < 4 * N; i++)
        values[i] = (float)(i * 5 % 17) / 3;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, 2 * sizeof out);
    cudaMalloc(&d_tickets, 64);
    cudaMalloc(&d_values, sizeof values);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyDefault);
    cudaMemcpy(d_values, values, sizeof values, cudaMemcpyDefault);
    cudaMemset(d_tickets, 0, 64);

    scan_block<<<BLOCKS, THREADS>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDefault);
    for (int i = 0; i < N; i += 37)
        printf("%d ", out[i]);
    sum_all<<<BLOCKS, THREADS>>>(d_in, d_out + N, d_out, d_tickets);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDefault);
    printf("\n%d\n", out[0]);
    copy_ahead<<<1, THREADS>>>(d_values, (float *)d_out, BLOCKS);
    cudaMemcpy(sums, d_out, sizeof sums, cudaMemcpyDefault);
    for (int i = 0; i < THREADS; i += 13)
        printf("%a ", sums[i]);
    copy_tail<<<1, THREADS>>>(d_values, (float *)d_out, THREADS + 29);
    cudaMemcpy(sums, d_out, sizeof sums, cudaMemcpyDefault);
    for (int i = 0; i < THREADS; i += 13)
        printf("%a ", sums[i]);
    cudaMemset(d_tickets, 0, 64);
    take_places<<<1, THREADS>>>(d_tickets, (unsigned *)d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDefault);
    printf("\n%d %d %d\n", out[0], out[77], out[THREADS - 1]);
    for (int threads : {64, 65, 47, 0}) {
        cudaMemset(d_out, 0, sizeof out);
        if (threads)
            bounded<<<1, threads>>>(d_in, d_out);
        else
            bounded<<<1, dim3(7, 9)>>>(d_in, d_out);
        cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDefault);
        printf("%d %d %d %s\n", out[0], out[46], out[255],
               cudaGetErrorName(cudaGetLastError()));
    }
    cudaMemset(d_out, 0, sizeof out);
    add_warps<<<1, THREADS>>>(d_values, (float *)d_out);
    cudaMemcpy(sums, d_out, sizeof(float), cudaMemcpyDefault);
    printf("%a\n", sums[0]);
    puts(cudaGetErrorString(cudaGetLastError()));
}
