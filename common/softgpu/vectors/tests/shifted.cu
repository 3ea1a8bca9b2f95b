/* SPDX-License-Identifier: MIT */
/* Places that are sums of thread numbers, shifted right: all lanes' distances
 * are constants, whatever is added to them.  A row of a launch begins at a
 * multiple of 16 threads, in its block and in the grid.  Prints a hash. */
#include <stdio.h>
#include <string.h>

enum { THREADS = 64, SIDE = 4, SIZE = THREADS * SIDE };

/* Offsets of neighbors after a shift. */
__global__ void strided(const float *in, float *out, int n)
{
    __shared__ float s[SIZE + SIDE];
    const int t = threadIdx.x;

    for (int i = 0; i < SIDE; i++) s[i * THREADS + t] = in[t] + i;
    __syncthreads();
    for (int i = 0; i < SIDE; i++)
        out[i * THREADS + t] = s[(t * 12 + n) >> 2] - 3 * s[t + i];
}

/* Each warp of the grid adds rows of 32 elements to its own one. */
__global__ void rows_of_warps(const float *in, float *out, int rows)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = t % 32, warp = t / 32;
    float sum = 0;

    for (int r = 0; r < rows; r++) sum = sum * 0.5f + in[r * 32 + lane];
    for (int r = warp; r < SIZE / 32; r += rows)
        out[r * 32 + lane] += sum * r;
}

int main(void)
{
    float *in, *out;
    unsigned hash = 17, bits;

    cudaMallocManaged(&in, THREADS * sizeof *in);
    cudaMallocManaged(&out, SIZE * sizeof *out);
    for (int i = 0; i < THREADS; i++) in[i] = (float)(i * 7919 % 1009) / 256;
    strided<<<1, THREADS>>>(in, out, SIDE);
    rows_of_warps<<<1, THREADS>>>(in, out, 2);
    rows_of_warps<<<2, 48>>>(in, out, 2); /* warps that share a row of lanes */
    rows_of_warps<<<3, 24>>>(in, out, 2); /* no gangs */
    if (cudaDeviceSynchronize() != cudaSuccess) puts("an error");
    for (int i = 0; i < SIZE; i++) {
        memcpy(&bits, &out[i], sizeof bits);
        hash = hash * 31 + bits;
    }
    printf("%08x\n", hash);
    return 0;
}
