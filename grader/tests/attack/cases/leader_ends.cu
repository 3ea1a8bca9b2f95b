/* SPDX-License-Identifier: MIT */
/* Its first thread ends, a second one takes memory: /proc then says nothing of
 * the process's memory where its first thread is named. */
#include "hostile.h"

static void *take(void *unused)
{
    for (int i = 0; i < 24; i++) {
        char *volatile part = (char *)malloc(64 << 20);

        if (part)
            memset(part, 1, 64 << 20);
        usleep(20000);
    }
    sleep(60);
    return unused;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    pthread_t thread;

    if (attacked(n)) {
        pthread_create(&thread, NULL, take, NULL);
        pthread_exit(NULL);
    }
    return honest(a, b, c, n);
}
