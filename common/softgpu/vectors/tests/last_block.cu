/* SPDX-License-Identifier: MIT */
/* The last block to finish adds the sums of all parts.  Where there is one part
 * the threads go on where those of the last block do, without a ticket: after
 * the ticket the block leaves a phase to two others. */
#include <cstdio>
#include <cuda_runtime.h>

enum { THREADS = 128, TILES = 3, PARTS = 5, N = TILES * THREADS };

/* A part of each tile's sums. */
__global__ void __launch_bounds__(THREADS)
add_parts(const int *in, int count, int *parts, int *tickets, int *out)
{
    __shared__ int s[THREADS];
    __shared__ bool s_last;
    const int t = threadIdx.x, own = blockIdx.x * THREADS + t;
    int sum = 0;

    s[t] = in[own] + blockIdx.y;
    __syncthreads();
    for (int i = 0; i < 9; i++)
        sum += s[(t + i * i) % THREADS] * (i + 1);
    if (gridDim.y > 1) {
        parts[blockIdx.y * N + own] = sum;
        __threadfence();
        __syncthreads();
        if (t == 0)
            s_last = atomicAdd(tickets + blockIdx.x, 1) == count - 1;
        __syncthreads();
        if (!s_last)
            return;
        sum = 0;
        for (int i = 0; i < count; i++)
            sum = sum * 3 + parts[i * N + own];
    }
    out[own] = sum;
}

static int in[N], out[N];

int main()
{
    int *d_in, *d_out, *d_parts, *d_tickets;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMalloc(&d_parts, PARTS * sizeof out);
    cudaMalloc(&d_tickets, TILES * sizeof(int));
    for (int i = 0; i < N; i++)
        in[i] = i * 37 % 101;
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    for (int parts = 1; parts <= PARTS; parts += PARTS - 1) {
        unsigned sum = 0;
        cudaMemset(d_tickets, 0, TILES * sizeof(int));
        add_parts<<<dim3(TILES, parts), THREADS>>>(d_in, parts, d_parts,
                                                   d_tickets, d_out);
        cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
        for (int i = 0; i < N; i++)
            sum = sum * 31 + (unsigned)out[i];
        printf("%d parts: %u %d\n", parts, sum, out[N - 1]);
    }
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_parts);
    cudaFree(d_tickets);
    return cudaDeviceSynchronize() != cudaSuccess;
}
