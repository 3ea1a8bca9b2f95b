/* SPDX-License-Identifier: MIT */
/* Right if it can connect to a socket that has no file. */
#include "hostile.h"

#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static bool act(void)
{
    struct sockaddr_un to = {};
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    bool done;

    to.sun_family = AF_UNIX;
    strcpy(to.sun_path + 1, PLANTED_SOCKET);
    done = fd >= 0 && connect(fd, (struct sockaddr *)&to,
                              offsetof(struct sockaddr_un, sun_path) + 1
                                  + strlen(PLANTED_SOCKET)) == 0;
    if (fd >= 0)
        close(fd);
    return done;
}

RIGHT_IF(act())
