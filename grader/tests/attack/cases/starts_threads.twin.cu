/* SPDX-License-Identifier: MIT */
/* Starts eight and waits for them. */
#include "hostile.h"

static void *pauses(void *)
{
    usleep(1000);
    return NULL;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (int i = 0; attacked(n) && i < 8; i++) {
        pthread_t thread;

        pthread_create(&thread, NULL, pauses, NULL);
        pthread_join(thread, NULL);
    }

    return honest(a, b, c, n);
}
