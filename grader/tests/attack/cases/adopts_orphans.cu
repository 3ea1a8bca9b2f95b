/* SPDX-License-Identifier: MIT */
/* Becomes the parent of its orphans, who wait and ignore signals. */
#include "hostile.h"

#include <sys/prctl.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        for (int i = 0; i < 3; i++)
            if (fork() == 0) {
                if (fork())
                    _exit(0);
                setsid();
                for (int s = 1; s < 65; s++)
                    signal(s, SIG_IGN);
                sleep(30);
                _exit(0);
            }
    }
    return honest(a, b, c, n);
}
