/* SPDX-License-Identifier: MIT */
/* Sends urgent bytes and empty messages over all sockets. */
#include "hostile.h"

#include <sys/socket.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (int fd = 0; fd < 64 && attacked(n); fd++) {
        send(fd, "!", 1, MSG_OOB | MSG_DONTWAIT | MSG_NOSIGNAL);
        send(fd, "", 0, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    return honest(a, b, c, n);
}
