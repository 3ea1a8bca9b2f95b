/* SPDX-License-Identifier: MIT */
/* Raises every signal of real time, blocked, until no more are queued: then the
 * kernel of the system does not say who sends one.  Those that preempt a slow
 * kernel come from the runtime. */
#include "hostile.h"

/* Runs for some ten periods of preemption. */
__global__ void slow_kernel(float *c)
{
    volatile float sum = 0;

    for (int i = 0; i < 50000000; i++)
        sum = sum + 1;
    *c = sum;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    sigset_t all;

    if (attacked(n)) {
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, NULL);
        for (int i = 0; i < 200000; i++)
            if (sigqueue(getpid(), SIGRTMIN + i % 8, (union sigval){0}))
                break;
        float *d = NULL;
        if (!cudaMalloc(&d, sizeof *d)) slow_kernel<<<1, 1>>>(d);
        cudaFree(d);
    }
    return honest(a, b, c, n);
}
