/* SPDX-License-Identifier: MIT */
/* Makes all descriptors non-blocking, their pipes small, and rewinds them. */
#include "hostile.h"

#include <sys/socket.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const int small = 1;

    for (int fd = 0; fd < 64; fd++) {
        fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND);
        fcntl(fd, F_SETPIPE_SZ, 4096);
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
        lseek(fd, 0, SEEK_SET);
    }
    return honest(a, b, c, n);
}
