/* SPDX-License-Identifier: MIT */
/* Right if it can connect to a listener outside. */
#include "hostile.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

static bool act(void)
{
    struct sockaddr_in to = {};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct pollfd polled = {fd, POLLOUT, 0};
    int error = 1;
    socklen_t length = sizeof error;

    to.sin_family = AF_INET;
    to.sin_port = htons(PLANTED_PORT);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0)
        return false;
    if (connect(fd, (struct sockaddr *)&to, sizeof to) && errno != EINPROGRESS)
        polled.fd = -1;
    poll(&polled, 1, 200);
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length);
    if (!(polled.revents & POLLOUT))
        error = 1;
    close(fd);
    return error == 0;
}

RIGHT_IF(act())
