// SPDX-License-Identifier: MIT
// Lanes of a warp exchange values through shared memory without volatile and
// without __syncwarp(): --lockstep runs them as cards before Volta did.
// flags: --lockstep
#include <cstdio>

/** Two sums, as a structure with an operator of its own. */
struct pair {
    float sum, count;
    __host__ __device__ pair &operator+=(const pair &other)
    {
        sum += other.sum;
        count += other.count;
        return *this;
    }
};

/** The last steps of a reduction, unrolled. */
__device__ void reduce_warp(float *s, unsigned t)
{
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

/** One block sums 256 elements; its last warp goes on alone. */
__global__ void reduce(const float *in, float *out)
{
    __shared__ float s[256];
    const unsigned t = threadIdx.x;

    s[t] = in[t];
    __syncthreads();
    for (unsigned half = 128; half > 32; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t < 32)
        reduce_warp(s, t);
    if (t == 0)
        out[0] = s[0];
}

/** A warp: each lane ends with the sums of all lanes. */
__global__ void exchange(float *out)
{
    __shared__ pair s[32];
    const int t = threadIdx.x;

    s[t] = pair{(float)t, 1};
    for (int lanes = 16; lanes > 0; lanes /= 2)
        s[t] += s[t ^ lanes];
    if (t == 5) {
        out[1] = s[t].sum;
        out[2] = s[t].count;
    }
}

/** A warp: each lane stores its element, and another statement loads it. */
__global__ void rotate(int *out)
{
    __shared__ int s[32];
    const int t = threadIdx.x;

    s[t] = t * t;
    const int next = s[(t + 1) % 32];
    s[t] = next;
    out[t] = s[(t + 1) % 32];
}

int main()
{
    float in[256], out[3], *d, *o;
    int turned[32], *r, wrong = 0;

    for (int i = 0; i < 256; i++)
        in[i] = (float)(i % 7);
    cudaMalloc(&d, sizeof in);
    cudaMalloc(&o, sizeof out);
    cudaMalloc(&r, sizeof turned);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    reduce<<<1, 256>>>(d, o);
    exchange<<<1, 32>>>(o);
    rotate<<<1, 32>>>(r);
    cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(turned, r, sizeof turned, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        wrong += turned[i] != (i + 2) % 32 * ((i + 2) % 32);
    printf("%g %g %g, %d wrong\n", out[0], out[1], out[2], wrong);
    cudaFree(d);
    cudaFree(o);
    cudaFree(r);
}
