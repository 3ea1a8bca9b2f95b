/* SPDX-License-Identifier: MIT */
/* Threads create more events at once than the list of resources has places. */
#include "hostile.h"

static void *create(void *number)
{
    cudaEvent_t event;

    for (int i = 0; i < 400; i++)
        cudaEventCreate(&event);
    return number;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    pthread_t thread[8];

    if (attacked(n)) {
        for (int i = 0; i < 8; i++)
            pthread_create(&thread[i], NULL, create, NULL);
        for (int i = 0; i < 8; i++)
            pthread_join(thread[i], NULL);
    }
    return honest(a, b, c, n);
}
