/* SPDX-License-Identifier: MIT */
/* Files without a name (O_TMPFILE), which link() names. */
#include "new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "text.h"

/* A name beside the path that nobody can foresee. */
static bool name_part(struct new_file *file)
{
    const int folder = (int)(base_name(file->path) - file->path);
    uint64_t number;

    if (getrandom(&number, sizeof number, 0) != sizeof number)
        return false;
    if (snprintf(file->part, PATH_MAX, "%.*s.%016" PRIx64 ".part", folder,
                 file->path, number) < PATH_MAX)
        return true;
    *file->part = 0;
    errno = ENAMETOOLONG;
    return false;
}

/* Where the file system has no files without a name. */
static int create_part(struct new_file *file)
{
    int fd;

    do
        fd = name_part(file)
                 ? openat(file->folder, file->part,
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                          0666)
                 : -1;
    while (fd < 0 && errno == EEXIST);
    if (fd < 0)
        *file->part = 0;
    return fd;
}

bool new_file_create(int folder, const char *path, struct new_file *file)
{
    const char *name = base_name(path);
    char beside[PATH_MAX];

    *file = (struct new_file){.folder = folder, .fd = -1};
    if (!*name || strlen(name) > NAME_MAX || strlen(path) >= PATH_MAX) {
        errno = *name ? ENAMETOOLONG : EISDIR;
        return false;
    }
    text_format(file->path, PATH_MAX, "%s", path);
    text_format(beside, PATH_MAX, "%.*s", name > path ? (int)(name - path) : 1,
                name > path ? path : ".");
    file->fd = openat(folder, beside, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (file->fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR))
        file->fd = create_part(file);
    return file->fd >= 0;
}

FILE *new_file_stream(const struct new_file *file)
{
    int fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
    FILE *stream = fd < 0 ? NULL : fdopen(fd, "wb");

    if (!stream && fd >= 0)
        close(fd);
    return stream;
}

/* Give a file without a name this one, if it is free. */
static bool link_as(const struct new_file *file, const char *name)
{
    char self[64];

    text_format(self, sizeof self, "/proc/self/fd/%d", file->fd);
    return linkat(AT_FDCWD, self, file->folder, name, AT_SYMLINK_FOLLOW) == 0;
}

/* link() replaces nothing: a file that is to do so gets a name beside first. */
static bool publish(struct new_file *file)
{
    if (!*file->part) {
        if (link_as(file, file->path))
            return true;
        if (errno != EEXIST)
            return false;
        do
            if (!name_part(file))
                return false;
        while (!link_as(file, file->part) && errno == EEXIST);
    }
    if (renameat(file->folder, file->part, file->folder, file->path))
        return false;
    *file->part = 0;
    return true;
}

bool new_file_publish(struct new_file *file)
{
    const bool ok = publish(file);
    const int error = errno;

    new_file_discard(file);
    errno = error;
    return ok;
}

void new_file_discard(struct new_file *file)
{
    if (*file->part)
        unlinkat(file->folder, file->part, 0);
    *file->part = 0;
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}
