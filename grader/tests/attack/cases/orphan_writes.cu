/* SPDX-License-Identifier: MIT */
/* A process whose parent has ended writes on the channel after the call. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n) && fork() == 0) {
        if (fork() == 0) {
            usleep(150000);
            for (int i = 0; i < 2000; i++) {
                (void)!write(3, "late", 4);
                usleep(1000);
            }
        }
        _exit(0);
    }
    while (attacked(n) && waitpid(-1, NULL, WNOHANG) > 0)
        ;
    if (attacked(n))
        sleep(1);
    return honest(a, b, c, n);
}
