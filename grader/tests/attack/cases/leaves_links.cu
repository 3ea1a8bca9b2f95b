/* SPDX-License-Identifier: MIT */
/* Leaves links, pipes and sockets in its folder. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static const char *const names[] = {"result.json", "report.json", "core"};

    for (int i = 0; attacked(n) && i < 3; i++) {
        char pipe[32];

        (void)!symlink(PLANTED "/victim", names[i]);
        snprintf(pipe, sizeof pipe, "pipe%d", i);
        mkfifo(pipe, 0666);
    }
    return honest(a, b, c, n);
}
