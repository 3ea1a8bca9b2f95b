// SPDX-License-Identifier: MIT
// A program that relies on lockstep without volatile says so once; right ones
// that look alike say nothing.
// stderr: exchange relies on the lanes of a warp running in lockstep: thread (
// stderr: 442_lockstep_told.cu:47 what thread (
#include <cstdio>
#include <unistd.h>

/** A reduction: the lanes that store are not those that are loaded from. */
__global__ void reduce(int *out)
{
    __shared__ int s[64];
    const unsigned t = threadIdx.x;

    s[t] = t;
    __syncthreads();
    for (unsigned half = 32; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    out[t] = s[0];
}

/** Statements without a guard, each followed by a synchronization of the warp,
 *  or with a half of the array that nobody stores to. */
__global__ void synchronize(int *out)
{
    __shared__ int s[64];
    const int t = threadIdx.x;

    s[t] = s[t + 32] = t;
    __syncwarp();
    s[t] += s[t + 32];
    s[t] += s[t + 32];
    out[t] = s[t];
}

/** Each lane loads what another one stores in the same statement. */
__global__ void exchange(int *out)
{
    __shared__ int s[32];
    const int t = threadIdx.x;

    s[t] = t;
    __syncwarp();
    s[t] += s[t ^ 16];
    out[t] = s[t];
}

int main()
{
    FILE *log = tmpfile();
    const int terminal = dup(2);
    int *d;

    cudaMalloc(&d, 256);
    dup2(fileno(log), 2);
    reduce<<<2, 64>>>(d);
    synchronize<<<2, 32>>>(d);
    cudaDeviceSynchronize();
    dup2(terminal, 2);
    printf("right programs: %ld bytes\n", lseek(fileno(log), 0, SEEK_END));
    exchange<<<2, 32>>>(d);
    exchange<<<2, 32>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
}
