/* SPDX-License-Identifier: MIT */
/* Source files, read whole and split into lines in place. */
#include "source_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"

#define MAX_SOURCE_BYTES (4L << 20) /* larger than any source written by hand */

struct source_text {
    char *bytes;
    char **line; /* pointers into bytes */
    int lines;
};

/* A report may name any file; only source files are shown. */
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

/* Symbolic links and ".." are resolved first: the real path decides. */
static int is_below(const char *file, const char *root)
{
    char folder[PATH_MAX], path[PATH_MAX];
    size_t n;

    if (!realpath(root, folder) || !realpath(file, path))
        return 0;
    n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || n == 1);
}

/* Line ends become NULs, those of other systems as well. */
static void split_lines(struct source_text *s)
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

static int is_below_any(const char *file, const char *const *roots)
{
    while (*roots && !is_below(file, *roots))
        roots++;
    return *roots != NULL;
}

/* There may be one line more than line ends: the last may have none. */
struct source_text *source_read(const char *file, const char *const *roots)
{
    struct source_text *s;
    size_t length, max_lines = 1;

    if (!file || !is_source_name(file) || (roots && !is_below_any(file, roots)))
        return NULL;
    s = calloc(1, sizeof *s);
    if (s && (s->bytes = read_file(file, MAX_SOURCE_BYTES, &length)) != NULL) {
        for (const char *c = s->bytes; *c; c++)
            max_lines += *c == '\n';
        s->line = calloc(max_lines, sizeof *s->line);
    }
    if (!s || !s->line) {
        source_free(s);
        return NULL;
    }
    split_lines(s);
    return s;
}

int source_paths_match(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);

    if (m < n)
        return source_paths_match(b, a);
    return strcmp(a + m - n, b) == 0 && (m == n || (n && a[m - n - 1] == '/'));
}

int source_line_count(const struct source_text *source)
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
