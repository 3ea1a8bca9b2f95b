/* SPDX-License-Identifier: MIT */
/* A forked process reads the sums. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const int error = honest(a, b, c, n);
    pid_t child = error ? -1 : fork();
    float most = 0;

    for (size_t i = 0; child == 0 && i < n; i++)
        most = c[i] > most ? c[i] : most;
    if (child == 0)
        _exit(most < 0);
    if (child > 0)
        waitpid(child, NULL, 0);
    return error;
}
