/* SPDX-License-Identifier: MIT */
/* Places that are sums of thread numbers, shifted right: all lanes' distances
 * are constants, whatever is added to them.  Prints a hash. */
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

int main(void)
{
    float *in, *out;
    unsigned hash = 17, bits;

    cudaMallocManaged(&in, THREADS * sizeof *in);
    cudaMallocManaged(&out, SIZE * sizeof *out);
    for (int i = 0; i < THREADS; i++) in[i] = (float)(i * 7919 % 1009) / 256;
    strided<<<1, THREADS>>>(in, out, SIDE);
    if (cudaDeviceSynchronize() != cudaSuccess) puts("an error");
    for (int i = 0; i < SIZE; i++) {
        memcpy(&bits, &out[i], sizeof bits);
        hash = hash * 31 + bits;
    }
    printf("%08x\n", hash);
    return 0;
}
