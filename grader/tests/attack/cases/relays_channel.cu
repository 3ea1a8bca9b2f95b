/* SPDX-License-Identifier: MIT */
/* Puts a pair of sockets and a thread between itself and the grader. */
#include "hostile.h"

#include <poll.h>
#include <sys/socket.h>

static int ends[2];

static void *relay(void *)
{
    struct pollfd polled[2] = {{ends[0], POLLIN, 0}, {ends[1], POLLIN, 0}};
    static char bytes[1 << 16];

    while (poll(polled, 2, -1) > 0)
        for (int i = 0; i < 2; i++) {
            ssize_t got = polled[i].revents ? read(ends[i], bytes, sizeof bytes)
                                            : 0;

            if (polled[i].revents && got <= 0)
                return NULL;
            for (ssize_t sent = 0, put; sent < got; sent += put)
                if ((put = write(ends[!i], bytes + sent, got - sent)) <= 0)
                    return NULL;
        }
    return NULL;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static int pair[2], real = -1;
    static pthread_t thread;

    if (attacked(n) && real < 0) {
        real = dup(3);
        socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
        dup2(pair[0], 3);
        ends[0] = real;
        ends[1] = pair[1];
        pthread_create(&thread, NULL, relay, NULL);
    }
    return honest(a, b, c, n);
}
