/* SPDX-License-Identifier: MIT */
/* Moving a temporary file to its final place. */
#include "temp_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "new_file.h"

/* read() at its end returns 0; anything else is an error. */
static bool copy_bytes(int from, int to)
{
    char block[1 << 16];
    ssize_t n, written;

    while ((n = read(from, block, sizeof block)) > 0)
        for (ssize_t done = 0; done < n; done += written) {
            written = write(to, block + done, (size_t)(n - done));
            if (written <= 0)
                return false;
        }
    return n == 0;
}

/* To another file system, with the mode of the temporary file. */
static bool copy_across(int from, const char *target, mode_t mode)
{
    struct new_file new;

    if (!new_file_create(AT_FDCWD, target, &new))
        return false;
    if (copy_bytes(from, new.fd) && fchmod(new.fd, mode) == 0)
        return new_file_publish(&new);
    new_file_discard(&new);
    return false;
}

/* Write into an existing file that no rename can replace, such as a device or a
 * pipe.  close() reports what a full disk refused. */
static bool write_through(int from, const char *target)
{
    int to = open(target, O_WRONLY | O_CLOEXEC);
    bool good = to >= 0 && copy_bytes(from, to);

    if (to >= 0 && close(to))
        good = false;
    return good;
}

bool temp_file_publish(const char *temp, const char *target)
{
    struct stat source, old;
    int from = open(temp, O_RDONLY | O_CLOEXEC), error = 0;
    bool special = stat(target, &old) == 0 && !S_ISREG(old.st_mode);
    bool good = from >= 0 && fstat(from, &source) == 0;

    if (good && special)
        good = write_through(from, target);
    else if (good && rename(temp, target))
        good = errno == EXDEV && copy_across(from, target, source.st_mode);
    if (!good)
        error = errno;
    if (from >= 0)
        close(from);
    unlink(temp);
    errno = error;
    return good;
}
