/* SPDX-License-Identifier: MIT */
/* A file that is named before untrusted code runs and written afterwards. */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

/* Splits a path into its folder, with room for PATH_MAX bytes, and its name. */
static bool split(const char *path, char *folder, char *name)
{
    const char *last = base_name(path);
    size_t length = (size_t)(last - path);

    if (!*last || strlen(last) > NAME_MAX || length >= PATH_MAX) {
        errno = *last ? ENAMETOOLONG : EISDIR;
        return false;
    }
    text_format(folder, PATH_MAX, "%.*s", length ? (int)length : 1,
                length ? path : ".");
    strcpy(name, last);
    return true;
}

bool output_file_open(const char *path, struct output_file *file)
{
    char folder[PATH_MAX];
    struct stat about;

    *file = OUTPUT_FILE_NONE;
    if (!split(path, folder, file->name))
        return false;
    file->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file->folder < 0)
        return false;
    if (stat(path, &about) || S_ISREG(about.st_mode))
        return true;
    /* a pipe without a reader fails with ENXIO, a directory with EISDIR */
    file->special = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (file->special >= 0)
        return fcntl(file->special, F_SETFL, O_WRONLY) == 0;
    output_file_close(file);
    return false;
}

/* Repeat write() until all bytes are written: a signal may interrupt it, and a
 * pipe may take a part. */
static bool write_all(int fd, const char *text, size_t length)
{
    ssize_t written;

    for (size_t done = 0; done < length; done += (size_t)written) {
        written = write(fd, text + done, length - done);
        if (written < 0 && errno == EINTR)
            written = 0;
        else if (written <= 0)
            return false;
    }
    return true;
}

/* A new file of the folder under a name that nobody can foresee. */
static int create_temporary(const struct output_file *file, char *name)
{
    uint64_t number = 0;
    int fd;

    do {
        if (getrandom(&number, sizeof number, 0) != sizeof number)
            return -1;
        text_format(name, NAME_MAX + 1, ".warpbook.%016" PRIx64, number);
        fd = openat(file->folder, name, O_WRONLY | O_CREAT | O_EXCL
                    | O_NOFOLLOW | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EEXIST);
    return fd;
}

bool output_file_write(const struct output_file *file, const char *text,
                       size_t length)
{
    char temporary[NAME_MAX + 1];
    int fd, error = 0;

    if (file->special >= 0)
        return write_all(file->special, text, length);
    fd = create_temporary(file, temporary);
    if (fd < 0)
        return false;
    if (!write_all(fd, text, length) || fsync(fd))
        error = errno;
    if (close(fd) && !error)
        error = errno;
    if (!error && renameat(file->folder, temporary, file->folder, file->name))
        error = errno;
    if (error)
        unlinkat(file->folder, temporary, 0);
    else
        fsync(file->folder);
    errno = error;
    return error == 0;
}

void output_file_close(struct output_file *file)
{
    if (file->folder >= 0)
        close(file->folder);
    if (file->special >= 0)
        close(file->special);
    *file = OUTPUT_FILE_NONE;
}
