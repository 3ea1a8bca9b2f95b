/* SPDX-License-Identifier: MIT */
/* Where things are. */
#include "house.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[PATH_MAX], build[PATH_MAX];

static bool is_root(const char *path)
{
    char labs[PATH_MAX + 32];

    snprintf(labs, sizeof labs, "%s/grader/runner/thunk.h", path);
    return access(labs, R_OK) == 0;
}

/* The nearest folder at or above `path` that is the source tree. */
static bool find_above(const char *path)
{
    snprintf(root, sizeof root, "%s", path);
    for (;;) {
        char *slash = strrchr(root, '/');

        if (is_root(root))
            return true;
        if (!slash || slash == root)
            return false;
        *slash = 0;
    }
}

static void find_build(void)
{
    ssize_t length = readlink("/proc/self/exe", build, sizeof build - 1);
    char *slash;

    build[length > 0 ? length : 0] = 0;
    slash = strrchr(build, '/');
    if (slash)
        *slash = 0;
    slash = strrchr(build, '/'); /* test programs: BUILD/tests/... */
    if (strstr(build, "/tests/"))
        *strstr(build, "/tests/") = 0;
    else if (slash && !strcmp(slash, "/tests"))
        *slash = 0;
}

bool house_find(void)
{
    const char *home = getenv("WARPBOOK_HOME");
    char here[PATH_MAX];

    find_build();
    if (home && realpath(home, root) && is_root(root))
        return true;
    if (find_above(build) || (getcwd(here, sizeof here) && find_above(here)))
        return true;
    fprintf(stderr, "warpbook: cannot find the folder with labs/ and grader/; "
                    "run it there, or set WARPBOOK_HOME\n");
    return false;
}

const char *house_root(void)
{
    return root;
}

const char *house_build(void)
{
    return build;
}

char *house_path(char *path, const char *format, ...)
{
    int used = snprintf(path, PATH_MAX, "%s/", root);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(path + used, (size_t)(PATH_MAX - used), format, arguments);
    va_end(arguments);
    return path;
}

bool make_folders(const char *path)
{
    char part[PATH_MAX];

    snprintf(part, sizeof part, "%s", path);
    for (char *at = part + 1;; at++) {
        char was = *at;

        if (was != '/' && was != 0)
            continue;
        *at = 0;
        if (mkdir(part, 0755) && errno != EEXIST)
            return false;
        if (!was)
            return true;
        *at = was;
    }
}

char *read_whole(const char *path, size_t most, size_t *length)
{
    /* a pipe that nobody writes to would be waited for */
    int plain = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *file = plain >= 0 ? fdopen(plain, "rb") : NULL;
    char *text = NULL;
    struct stat about;

    if (!file) {
        if (plain >= 0)
            close(plain);
        return NULL;
    }
    if (fstat(fileno(file), &about) || !S_ISREG(about.st_mode))
        errno = EINVAL;
    else if ((size_t)about.st_size > most)
        errno = EFBIG;
    else if ((text = malloc((size_t)about.st_size + 1))) {
        *length = fread(text, 1, (size_t)about.st_size, file);
        text[*length] = 0;
    }
    fclose(file);
    return text;
}

/* To a device, a pipe: what is there cannot be replaced by a file. */
static bool is_special(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

bool write_whole(const char *path, const char *text, size_t length)
{
    char beside[PATH_MAX + 16];
    bool special = is_special(path);
    int error = 0;
    FILE *file;

    snprintf(beside, sizeof beside, special ? "%s" : "%s.%d.new", path,
             (int)getpid());
    file = fopen(beside, "wb");
    if (!file)
        return false;
    if (fwrite(text, 1, length, file) != length || fflush(file)
        || (!special && fsync(fileno(file))))
        error = errno;
    if (fclose(file) && !error)
        error = errno;
    if (!special && !error && rename(beside, path))
        error = errno;
    if (!special && error)
        unlink(beside);
    errno = error;
    return error == 0;
}
