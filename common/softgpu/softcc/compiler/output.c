/* SPDX-License-Identifier: MIT */
/* Result files.  They are written in the directory of this process and moved
 * to their place when they are whole, so that an error or a signal leaves
 * nothing half written. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/process.h"
#include "common/base/temp_dir.h"
#include "output.h"

static const char *cannot_write(const char *path, int error)
{
    fprintf(stderr, "softcc: cannot write %s: %s\n", path, strerror(error));
    return NULL;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Can files be made in the directory of this path? @return 0 or an errno */
static int check_directory(const char *path)
{
    char directory[PATH_MAX];
    int length = (int)(file_name(path) - path);
    snprintf(directory, sizeof directory, "%.*s.", length, path);
    return access(directory, W_OK) == 0 ? 0 : errno;
}

const char *create_output(const char *target)
{
    char path[PATH_MAX];
    struct stat s;
    bool there = stat(target, &s) == 0;
    if (there && S_ISDIR(s.st_mode))
        return cannot_write(target, EISDIR);
    if (there && !S_ISREG(s.st_mode))
        return target;
    int error = check_directory(target);
    if (error || !temp_file_path(path, file_name(target)))
        return cannot_write(target, error ? error : errno);
    char *copy = strdup(path);
    return copy ? copy : cannot_write(target, ENOMEM);
}

/* Programs can be executed, other files not. */
static mode_t file_mode(const char *path)
{
    struct stat s;
    mode_t mask = umask(0);
    umask(mask);
    bool runs = stat(path, &s) == 0 && (s.st_mode & 0100);
    return (runs ? 0777 : 0666) & ~mask;
}

bool commit_output(const char *temporary, const char *target, bool good)
{
    if (temporary == target)
        return good;
    if (!good || interrupted()) {
        unlink(temporary);
        return false;
    }
    chmod(temporary, file_mode(temporary));
    if (temp_file_publish(temporary, target))
        return true;
    cannot_write(target, errno);
    return false;
}

const char *create_temporary(const char *name)
{
    char path[PATH_MAX];
    char *copy = temp_file_path(path, name) ? strdup(path) : NULL;
    return copy ? copy : cannot_write(name, errno);
}

const char *write_temporary_file(const struct buffer *text, const char *name)
{
    const char *path = create_temporary(name);
    FILE *f = path ? fopen(path, "w") : NULL;
    bool good = f && fwrite(text->bytes, 1, text->length, f) == text->length;
    if (f && fclose(f) != 0)
        good = false;
    if (path && !good)
        cannot_write(path, errno);
    return good ? path : "/dev/null";
}
