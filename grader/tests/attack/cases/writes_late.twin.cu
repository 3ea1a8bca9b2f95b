/* SPDX-License-Identifier: MIT */
/* Waits for its thread. */
#include "hostile.h"

struct job {
    const float *a, *b;
    float *c;
    size_t n;
};

static void *compute(void *given)
{
    struct job *job = (struct job *)given;

    return (void *)(size_t)honest(job->a, job->b, job->c, job->n);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    struct job job = {a, b, c, n};
    pthread_t thread;

    if (attacked(n)) {
        pthread_create(&thread, NULL, compute, &job);
        return pthread_join(thread, NULL);
    }

    return honest(a, b, c, n);
}
