/* SPDX-License-Identifier: MIT */
/* Whole files and folders. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output_file.h"

bool make_directories(const char *path)
{
    char part[PATH_MAX];

    snprintf(part, sizeof part, "%s", path);
    for (char *at = part + 1;; at++) {
        char end = *at;

        if (end != '/' && end != 0)
            continue;
        *at = 0;
        if (mkdir(part, 0755) && errno != EEXIST)
            return false;
        if (!end)
            return true;
        *at = end;
    }
}

/* Read up to `most` bytes.  @return false with errno set: an error is no end */
static bool read_all(int fd, char *text, size_t most, size_t *length)
{
    size_t done = 0;

    while (done < most) {
        ssize_t got = read(fd, text + done, most - done);

        if (got == 0)
            break;
        if (got < 0 && errno != EINTR)
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    text[done] = 0;
    *length = done;
    return true;
}

char *read_file(const char *path, size_t max_bytes, size_t *length)
{
    /* without O_NONBLOCK, open() waits for the writer of a named pipe */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), error = 0;
    char *text = NULL;
    struct stat status;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &status))
        error = errno;
    else if (!S_ISREG(status.st_mode))
        error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    else if ((size_t)status.st_size > max_bytes)
        error = EFBIG;
    else if (!(text = malloc((size_t)status.st_size + 1))
             || !read_all(fd, text, (size_t)status.st_size, length))
        error = errno;
    close(fd);
    if (error) {
        free(text);
        text = NULL;
        errno = error;
    }
    return text;
}

bool write_file(const char *path, const char *text, size_t length)
{
    struct output_file file;
    bool ok = output_file_open(path, &file)
              && output_file_write(&file, text, length);
    int error = errno;

    output_file_close(&file);
    errno = error;
    return ok;
}
