/* SPDX-License-Identifier: MIT */
/* Has a pair of sockets of its own. */
#include "hostile.h"

#include <sys/socket.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int pair[2];
    char byte = 1;

    if (attacked(n)) {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)
            || write(pair[0], &byte, 1) != 1 || read(pair[1], &byte, 1) != 1)
            return 1;
        close(pair[0]);
        close(pair[1]);
    }
    return honest(a, b, c, n);
}
