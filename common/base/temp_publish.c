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

#include "text.h"

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

/* The directory that a path lies in. */
static void directory_of(const char *path, char *directory)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        path = ".";
    text_format(directory, PATH_MAX, "%.*s",
                slash && slash != path ? (int)(slash - path) : 1, path);
}

/* Give the file without a name its name.  linkat replaces nothing, so what is
 * there goes first; another process may be faster with its own. */
static bool link_file(int fd, const char *target)
{
    char self[64];

    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    for (int i = 0; i < 100; i++) {
        if (linkat(AT_FDCWD, self, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0)
            return true;
        if (errno != EEXIST || unlink(target))
            return false;
    }
    return false;
}

/* Where the file system has no files without a name: under the target's. */
static bool copy_in_place(int from, const char *target, mode_t mode)
{
    int to;
    bool good;

    unlink(target);
    to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    good = to >= 0 && copy_bytes(from, to);
    if (to >= 0 && close(to))
        good = false;
    if (to >= 0 && !good)
        unlink(target);
    return good;
}

/* To another file system: through a file that has no name until it is whole. */
static bool copy_across(int from, const char *target, mode_t mode)
{
    char directory[PATH_MAX];
    bool good;
    int to;

    directory_of(target, directory);
    to = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (to < 0 && (errno == EOPNOTSUPP || errno == EISDIR))
        return copy_in_place(from, target, mode);
    good = to >= 0 && copy_bytes(from, to) && fchmod(to, mode) == 0
           && link_file(to, target);
    if (to >= 0 && close(to))
        good = false;
    return good;
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
