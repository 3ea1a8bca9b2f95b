/* SPDX-License-Identifier: MIT */
/* Four threads allocate, copy, free and destroy the same things at once. */
#include "hostile.h"

static float *volatile d;
static cudaStream_t volatile stream;
static cudaEvent_t volatile event;

static void *use(void *number)
{
    char host[256] = "";

    for (int i = 0; i < 300; i++) {
        float *mine = NULL;
        cudaStream_t s;
        cudaEvent_t e;

        cudaMalloc(&mine, 4096);
        cudaStreamCreate(&s);
        cudaEventCreate(&e);
        cudaMemcpyAsync(d, host, 256, cudaMemcpyHostToDevice, stream);
        cudaEventRecord(event, stream);
        cudaFree(d);
        cudaStreamDestroy(stream);
        cudaEventDestroy(event);
        d = mine;
        stream = s;
        event = e;
    }
    return number;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    pthread_t thread[4];

    if (attacked(n)) {
        for (int i = 0; i < 4; i++)
            pthread_create(&thread[i], NULL, use, NULL);
        for (int i = 0; i < 4; i++)
            pthread_join(thread[i], NULL);
        cudaDeviceSynchronize();
        cudaGetLastError();
    }
    return honest(a, b, c, n);
}
