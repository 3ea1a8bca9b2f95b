/* SPDX-License-Identifier: MIT */
/* A second thread takes some memory and ends before the first goes on. */
#include "hostile.h"

static void *take(void *unused)
{
    char *part = (char *)malloc(16 << 20);

    if (part)
        memset(part, 1, 16 << 20);
    free(part);
    pthread_exit(unused);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, take, NULL) == 0)
        pthread_join(thread, NULL);
    return honest(a, b, c, n);
}
