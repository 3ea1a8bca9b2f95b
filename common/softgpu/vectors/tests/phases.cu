/* SPDX-License-Identifier: MIT */
/* Kernels whose threads take the same way from barrier to barrier: what lives
 * across a barrier, once a block or once a thread, keeps its value. */
#include <cstdio>
#include <cuda_runtime.h>

enum { THREADS = 256, BLOCKS = 6, N = THREADS * BLOCKS };

__device__ int linear_thread()
{
    return threadIdx.x
           + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/* Two pointers of the block are exchanged at each step. */
__global__ void exchange(const int *in, int *out, int steps)
{
    __shared__ int s_a[THREADS], s_b[THREADS];
    const int t = linear_thread();
    int *from = s_a, *to = s_b;
    from[t] = in[blockIdx.x * THREADS + t];
    __syncthreads();
    for (int step = 1; step < steps; step *= 2) {
        to[t] = t >= step ? from[t] + from[t - step] : from[t];
        int *const swap = from;
        from = to;
        to = swap;
        __syncthreads();
    }
    out[blockIdx.x * THREADS + t] = from[t];
}

/* A local array and a value of each warp live across barriers. */
__global__ void keep(const int *in, int *out, int rounds)
{
    __shared__ int s[THREADS];
    const int t = linear_thread(), warp = t / 32;
    int own[4], sum = 0, of_warp;
    for (int i = 0; i < 4; i++)
        own[i] = in[(blockIdx.x * THREADS + t + i) % N];
    if (warp % 3 == 0) /* the same for a warp, not for the block */
        of_warp = warp + 100;
    else
        of_warp = -warp;
    for (int round = 0; round < rounds; round++) {
        s[t] = own[(t + round) % 4] + of_warp;
        __syncthreads();
        for (int i = 0; i <= warp; i++) /* warps differ in their turns */
            sum += s[(t * 7 + i) % THREADS];
        if (t % 5 == round)
            own[round % 4] += sum;
        __syncthreads();
    }
    out[blockIdx.x * THREADS + t] = sum + own[t % 4];
}

/* Both ways of a branch of the block have barriers, and a loop ends early. */
__global__ void branches(const int *in, int *out, int limit)
{
    __shared__ int s[THREADS];
    const int t = linear_thread();
    int value = in[blockIdx.x * THREADS + t], turns = 0;
    if (blockIdx.x % 2) {
        s[t] = value;
        __syncthreads();
        value = s[THREADS - 1 - t];
        __syncthreads();
        turns = 3;
    } else if (limit > 2) {
        for (;;) {
            s[t] = value + turns;
            __syncthreads();
            if (turns + (int)blockIdx.x > limit)
                break;
            value += s[(t + 1) % THREADS];
            turns++;
            __syncthreads();
        }
    }
    for (int i = 0; i < limit; i++)
        for (int j = 0; j < i; j++) {
            s[t] = value;
            __syncthreads();
            if (t > i)
                value ^= s[t - i] + j;
            __syncthreads();
        }
    out[blockIdx.x * THREADS + t] = value + turns;
}

/* Neither loop nor barrier, but branches of the grid and of a thread. */
__global__ void update(const int *in, int *out, int mode)
{
    const int i = blockIdx.x * THREADS + linear_thread();
    if (i >= N - 3)
        return;
    int value = in[i];
    if (mode == 1)
        value += out[i];
    else if (mode == 2)
        value = out[i] = value * 3 - out[i];
    else if (mode != 3)
        value /= mode;
    if (value % 3 == 1)
        value -= i;
    out[i] = value;
}

static int in[N], out[N];

static void report(const char *name, const int *d_out)
{
    unsigned sum = 0;
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        sum = sum * 31 + (unsigned)out[i];
    printf("%s %u %d\n", name, sum, out[N - 1]);
}

int main()
{
    const dim3 shapes[] = { dim3(THREADS), dim3(16, 16), dim3(32, 2, 4) };
    int *d_in, *d_out;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    for (int i = 0; i < N; i++)
        in[i] = i * 37 % 101;
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    for (const dim3 &shape : shapes) {
        exchange<<<BLOCKS, shape>>>(d_in, d_out, THREADS);
        report("exchange", d_out);
        keep<<<BLOCKS, shape>>>(d_in, d_out, 5);
        report("keep", d_out);
        branches<<<BLOCKS, shape>>>(d_in, d_out, 4);
        report("branches", d_out);
        for (int mode = 1; mode < 5; mode++) {
            update<<<BLOCKS, shape>>>(d_in, d_out, mode);
            report("update", d_out);
        }
    }
    cudaFree(d_in);
    cudaFree(d_out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
