/* SPDX-License-Identifier: MIT */
/* Names a file by a handle, which passes by the folders above it. */
#include "hostile.h"

/* The handle of its folder, with another inode in it. */
static bool is_refused(void)
{
    struct {
        struct file_handle head;
        unsigned char bytes[128];
    } file = {};
    int mount, fd = open(".", O_RDONLY | O_DIRECTORY);

    file.head.handle_bytes = sizeof file.bytes;
    if (name_to_handle_at(AT_FDCWD, "/usr", &file.head, &mount, 0) != 0)
        return true;
    return open_by_handle_at(fd, &file.head, O_RDONLY) < 0;
}

RIGHT_IF(is_refused())
