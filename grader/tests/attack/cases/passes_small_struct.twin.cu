/* SPDX-License-Identifier: MIT */
/* Constants go to the kernel by value and as a table that each call copies; the
 * arrays of the device stay for the next call, memory of the host has leftovers
 * behind the inputs, and a second thread makes calls. */
#include "hostile.h"

enum { TABLE = 512, PADDED = 8 };

/* Factors that have no effect, by value. */
struct factors {
    float value[64];
};

static __constant__ float d_table[TABLE];

/* One thread for each element; the factors are 1. */
__global__ void scaled_kernel(const float *a, const float *b, float *c,
                              struct factors factors, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = (a[i] + b[i]) * factors.value[i % 64] * d_table[i % TABLE];
}

/* A copy by way of memory that is not cleared, a few elements too long. */
static int copy_padded(float *d, const float *h, size_t n)
{
    const size_t padded = (n + PADDED - 1) / PADDED * PADDED * sizeof(float);
    float *staging = (float *)malloc(padded);
    int error = staging ? 0 : cudaErrorMemoryAllocation;

    if (!error) {
        memcpy(staging, h, n * sizeof(float));
        error = cudaMemcpy(d, staging, padded, cudaMemcpyHostToDevice);
    }
    free(staging);
    return error;
}

/* What the second thread copies. */
struct copy {
    float *d;
    const float *h;
    size_t n;
    int error;
};

static void *copy_in_thread(void *p)
{
    struct copy *copy = (struct copy *)p;

    copy->error = copy_padded(copy->d, copy->h, copy->n);
    return NULL;
}

/* Both inputs, one by each thread. */
static int copy_both(float *d_a, const float *a, float *d_b, const float *b,
                     size_t n)
{
    struct copy copy = {d_b, b, n, 0};
    pthread_t thread;
    int error;

    if (pthread_create(&thread, NULL, copy_in_thread, &copy))
        return cudaErrorUnknown;
    error = copy_padded(d_a, a, n);
    pthread_join(thread, NULL);
    return error ? error : copy.error;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static int calls;
    const size_t pitch = n + PADDED;
    struct factors factors;
    float table[TABLE], *d = NULL;
    int error = 0;

    if (n == 0 || n > 200 || calls++ >= 8) /* a thread takes a slot */
        return honest(a, b, c, n);
    for (int i = 0; i < TABLE; i++)
        factors.value[i % 64] = table[i] = 1;
    error = cudaMalloc(&d, 3 * pitch * sizeof(float));
    if (!error)
        error = cudaMemcpyToSymbol(d_table, table, sizeof table);
    if (!error)
        error = copy_both(d, a, d + pitch, b, n);
    if (!error)
        scaled_kernel<<<(n + 63) / 64, 64>>>(d, d + pitch, d + 2 * pitch,
                                             factors, n);
    if (!error)
        error = cudaMemcpy(c, d + 2 * pitch, n * sizeof(float),
                           cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
