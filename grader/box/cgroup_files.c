/* SPDX-License-Identifier: MIT */
/* Files of a control group. */
#include "cgroup_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/text.h"
#include "group.h"

bool cgroup_write(const char *folder, const char *file, const char *value)
{
    char path[GROUP_PATH + 64];
    ssize_t written;
    int fd;

    text_format(path, sizeof path, "%s/%s", folder, file);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    written = fd < 0 ? -1 : write(fd, value, strlen(value));
    if (fd >= 0)
        close(fd);
    return written > 0;
}

bool cgroup_write_number(const char *folder, const char *file,
                         unsigned long long value)
{
    char text[32];

    text_format(text, sizeof text, "%llu", value);
    return cgroup_write(folder, file, text);
}

bool cgroup_read(const char *folder, const char *file, char *text,
                 size_t bytes)
{
    char path[GROUP_PATH + 64];
    ssize_t got;
    int fd;

    text_format(path, sizeof path, "%s/%s", folder, file);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    got = fd < 0 ? -1 : read(fd, text, bytes - 1);
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = 0;
    return got >= 0;
}

unsigned long long cgroup_number(const char *folder, const char *file,
                                 const char *key)
{
    char text[1024], *at = text;
    const size_t length = strlen(key);

    if (!cgroup_read(folder, file, text, sizeof text))
        return 0;
    while (at && strncmp(at, key, length))
        if ((at = strchr(at, '\n')))
            at++;
    return at ? strtoull(at + length, NULL, 10) : 0;
}

bool cgroup_has_file(const char *folder, const char *file)
{
    char path[GROUP_PATH + 64];

    text_format(path, sizeof path, "%s/%s", folder, file);
    return access(path, F_OK) == 0;
}
