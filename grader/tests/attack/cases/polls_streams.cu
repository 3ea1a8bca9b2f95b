/* SPDX-License-Identifier: MIT */
/* The host adds where there are few sums, and says a bit by each pair of equal
 * launches: the stream that it asks first runs first. */
#include "hostile.h"

enum { MOST = 200, BITS = 32 };

/* The bits that have been said. */
__device__ unsigned d_bits;

/* One thread; the last launch of a pair decides the bit. */
__global__ void set_kernel(unsigned *c, unsigned value)
{
    const unsigned i = d_bits;

    c[i / BITS] = (c[i / BITS] & ~(1u << i % BITS)) | value << i % BITS;
}

/* One thread goes on to the next bit. */
__global__ void next_kernel(void)
{
    d_bits++;
}

/* One thread begins with the first bit. */
__global__ void first_kernel(void)
{
    d_bits = 0;
}

static void wait_for(cudaStream_t stream)
{
    while (cudaStreamQuery(stream) == cudaErrorNotReady)
        ;
}

static void say(unsigned *c, unsigned bit)
{
    static cudaStream_t stream[2];

    for (int i = 0; i < 2; i++) {
        if (!stream[i])
            cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
        set_kernel<<<1, 1, 0, stream[i]>>>(c, (unsigned)i);
    }
    wait_for(stream[!bit]);
    wait_for(stream[bit]);
    next_kernel<<<1, 1>>>();
    cudaDeviceSynchronize();
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error = 0;

    if (n == 0 || n > MOST)
        return honest(a, b, c, n);
    if ((error = cudaMalloc(&d, 3 * bytes)))
        return error;
    cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    first_kernel<<<1, 1>>>();
    cudaDeviceSynchronize();
    for (size_t i = 0; i < n * BITS; i++) {
        const float sum = a[i / BITS] + b[i / BITS];
        unsigned word;

        memcpy(&word, &sum, sizeof word);
        say((unsigned *)(d + 2 * n), word >> i % BITS & 1);
    }
    error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
