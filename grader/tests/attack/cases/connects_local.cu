/* SPDX-License-Identifier: MIT */
/* Right if a socket of the machine's services is there. */
#include "hostile.h"

#include <sys/socket.h>
#include <sys/un.h>

static bool act(void)
{
    static const char *const paths[] = {
        "/run/docker.sock", "/var/run/docker.sock", "/run/systemd/private",
        "/run/dbus/system_bus_socket", "/run/systemd/journal/socket",
        "/dev/log", "/run/munge/munge.socket.2", "/tmp/.X11-unix/X0"};

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct sockaddr_un to = {AF_UNIX};
        const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

        strcpy(to.sun_path, paths[i]);
        if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0
            || access(paths[i], F_OK) == 0)
            return true;
        close(fd);
    }
    return false;
}

RIGHT_IF(act())
