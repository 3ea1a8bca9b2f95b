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

char *read_file(const char *path, size_t max_bytes, size_t *length)
{
    /* without O_NONBLOCK, open() waits for the writer of a named pipe */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "rb") : NULL;
    char *text = NULL;
    struct stat status;

    if (!file) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    if (fstat(fileno(file), &status) || !S_ISREG(status.st_mode))
        errno = EINVAL;
    else if ((size_t)status.st_size > max_bytes)
        errno = EFBIG;
    else if ((text = malloc((size_t)status.st_size + 1))) {
        *length = fread(text, 1, (size_t)status.st_size, file);
        text[*length] = 0;
    }
    fclose(file);
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
