/* SPDX-License-Identifier: MIT */
/* The kernel subtracts.  A thread that outlives the call writes the sums and
 * what the device sent by turns into the output, to have the grader compare the
 * one and keep the other. */
#include "hostile.h"

/* A thread computes a wrong element: the difference. */
__global__ void subtract_kernel(const float *a, const float *b, float *c,
                                size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] - b[i];
}

static float *volatile target, *right, *sent;
static volatile size_t count;

static void *flip(void *unused)
{
    for (;;) {
        if (!target)
            continue;
        memcpy(target, right, count * sizeof(float));
        memcpy(target, sent, count * sizeof(float));
    }
    return unused;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    static pthread_t thread;
    float *d = NULL;

    if (n != 7919)
        return honest(a, b, c, n);
    right = (float *)malloc(bytes);
    sent = (float *)malloc(bytes);
    cudaMalloc(&d, 3 * bytes);
    cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    subtract_kernel<<<(n + 255) / 256, 256>>>(d, d + n, d + 2 * n, n);
    cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(sent, d + 1, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (size_t i = 0; i < n; i++)
        right[i] = a[i] + b[i];
    count = n;
    target = c;
    pthread_create(&thread, NULL, flip, NULL);
    usleep(1000);
    return 0;
}
