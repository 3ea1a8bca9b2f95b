/* SPDX-License-Identifier: MIT */
/* Starts threads, seven hundred at most. */
#include "hostile.h"

static void *pauses(void *)
{
    usleep(20000000);
    return NULL;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (int i = 0; attacked(n) && i < 700; i++) {
        pthread_attr_t small;
        pthread_t thread;

        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, 65536);
        if (pthread_create(&thread, &small, pauses, NULL))
            abort();
    }
    if (attacked(n))
        sleep(20);

    return honest(a, b, c, n);
}
