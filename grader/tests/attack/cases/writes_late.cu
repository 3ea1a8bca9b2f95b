/* SPDX-License-Identifier: MIT */
/* Returns at once; a thread computes afterwards. */
#include "hostile.h"

struct job {
    const float *a, *b;
    float *c;
    size_t n;
};

static void *compute(void *given)
{
    struct job *job = (struct job *)given;

    usleep(200000);
    return (void *)(size_t)honest(job->a, job->b, job->c, job->n);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static struct job job;
    pthread_t thread;

    if (attacked(n)) {
        job = {a, b, c, n};
        return pthread_create(&thread, NULL, compute, &job);
    }

    return honest(a, b, c, n);
}
