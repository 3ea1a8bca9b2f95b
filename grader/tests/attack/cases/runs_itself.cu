/* SPDX-License-Identifier: MIT */
/* Starts the runner anew, with a library to be loaded first. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        char *const arguments[] = {(char *)"runner", NULL};
        char *const environment[] = {(char *)"LD_PRELOAD=./own.so",
                                     (char *)"LD_AUDIT=./own.so", NULL};

        execve("/proc/self/exe", arguments, environment);
    }
    return honest(a, b, c, n);
}
