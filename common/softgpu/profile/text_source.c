/* SPDX-License-Identifier: MIT */
/* Source files, read whole and cut into lines in place. */
#include "text_source.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BYTES (4L << 20) /* more is no source that a person wrote */

struct source_text {
    char *bytes;
    char **line; /* into bytes */
    int lines;
};

/* A report names any file it likes; only source is worth showing. */
static int is_source_name(const char *file)
{
    static const char *const ends[] = {".cu", ".cuh", ".h", ".hpp", ".inl",
                                       ".c", ".cc", ".cpp", ".cxx"};
    const char *dot = strrchr(file, '.');

    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
        if (strcmp(dot, ends[i]) == 0)
            return 1;
    return 0;
}

/* Links and ".." are followed first: the real path decides. */
static int is_below(const char *file, const char *root)
{
    char folder[PATH_MAX], path[PATH_MAX];
    size_t n;

    if (!realpath(root, folder) || !realpath(file, path))
        return 0;
    n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || n == 1);
}

/* All bytes and a 0, or NULL.  Not blocking, for what is a pipe. */
static char *read_all(const char *file)
{
    int fd = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    char *bytes = NULL;
    struct stat is;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &is) == 0 && S_ISREG(is.st_mode) && is.st_size <= MOST_BYTES)
        bytes = calloc(1, (size_t)is.st_size + 1);
    if (bytes && read(fd, bytes, (size_t)is.st_size) != is.st_size) {
        free(bytes);
        bytes = NULL;
    }
    close(fd);
    return bytes;
}

/* Ends become zeros, also of files from other systems. */
static void cut_lines(struct source_text *s)
{
    char *at = s->bytes;

    while (*at) {
        char *end = strchr(at, '\n');

        s->line[s->lines++] = at;
        if (!end)
            return;
        *end = 0;
        if (end > at && end[-1] == '\r')
            end[-1] = 0;
        at = end + 1;
    }
}

/* One line more than there are ends: the last may have none. */
struct source_text *source_read(const char *file, const char *root)
{
    struct source_text *s;
    size_t most = 1;

    if (!file || !is_source_name(file) || (root && !is_below(file, root)))
        return NULL;
    s = calloc(1, sizeof *s);
    if (s && (s->bytes = read_all(file)) != NULL) {
        for (const char *c = s->bytes; *c; c++)
            most += *c == '\n';
        s->line = calloc(most, sizeof *s->line);
    }
    if (!s || !s->line) {
        source_free(s);
        return NULL;
    }
    cut_lines(s);
    return s;
}

int source_same(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);

    if (m < n)
        return source_same(b, a);
    return strcmp(a + m - n, b) == 0 && (m == n || (n && a[m - n - 1] == '/'));
}

int source_lines(const struct source_text *source)
{
    return source ? source->lines : 0;
}

const char *source_line_at(const struct source_text *source, int line)
{
    return source && line >= 1 && line <= source->lines ? source->line[line - 1]
                                                        : NULL;
}

void source_free(struct source_text *source)
{
    if (!source)
        return;
    free(source->bytes);
    free(source->line);
    free(source);
}
