/* SPDX-License-Identifier: MIT */
/* A file that is named before untrusted code runs and written afterwards. */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "new_file.h"
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

bool output_file_write(const struct output_file *file, const char *text,
                       size_t length)
{
    struct new_file new;

    if (file->special >= 0)
        return write_all(file->special, text, length);
    if (!new_file_create(file->folder, file->name, &new))
        return false;
    if (!write_all(new.fd, text, length) || fsync(new.fd)) {
        const int error = errno;

        new_file_discard(&new);
        errno = error;
        return false;
    }
    if (!new_file_publish(&new))
        return false;
    fsync(file->folder);
    return true;
}

void output_file_close(struct output_file *file)
{
    if (file->folder >= 0)
        close(file->folder);
    if (file->special >= 0)
        close(file->special);
    *file = OUTPUT_FILE_NONE;
}
