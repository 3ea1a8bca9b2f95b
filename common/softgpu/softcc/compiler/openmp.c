/* SPDX-License-Identifier: MIT */
/* OpenMP's words in the sources of a command, and in the headers that they
 * include from the folders of the program.  No preprocessor runs: a word in a
 * comment counts, as does a header that is not included after all. */
#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/files.h"
#include "openmp.h"

enum { MOST_FILES = 400 };

/* What is searched. */
struct search {
    const struct options *options;
    struct list seen; /* files */
};

static bool uses_words(struct search *s, const char *path);

bool is_openmp_option(const char *option)
{
    return strncmp(option, "-fopenmp", 8) == 0;
}

static bool is_seen(const struct search *s, const char *path)
{
    for (int i = 0; i < s->seen.count; i++)
        if (strcmp(s->seen.at[i], path) == 0)
            return true;
    return false;
}

/* Search a header in a folder of n bytes.  @return does it have a word? */
static bool search_header(struct search *s, const char *folder, size_t n,
                          const char *name, size_t length)
{
    char path[PATH_MAX];
    const int bytes = snprintf(path, sizeof path, "%.*s%s%.*s", (int)n, folder,
                               n ? "/" : "", (int)length, name);
    return bytes < (int)sizeof path && access(path, R_OK) == 0
           && uses_words(s, path);
}

/* Search the header of `#include <name>` or "name" in the folders of -I and in
 * that of the file. */
static bool search_include(struct search *s, const char *path,
                           const char *name)
{
    const size_t length = strcspn(name, ">\"\n");
    const char *slash = strrchr(path, '/');
    const struct list *options = &s->options->preprocess;
    if (search_header(s, path, slash ? (size_t)(slash - path) : 0, name,
                      length))
        return true;
    for (int i = 0; i < options->count; i++) {
        const char *folder = options->at[i] + 2;
        if (strncmp(options->at[i], "-I", 2) == 0
            && search_header(s, folder, strlen(folder), name, length))
            return true;
    }
    return false;
}

/* Is it `omp` or a name with omp_ in front, or _OPENMP? */
static bool is_word(const char *text, const char *at)
{
    if (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
        return false;
    return strncmp(at, "_OPENMP", 7) == 0
           || (strncmp(at, "omp", 3) == 0 && !isalnum((unsigned char)at[3]));
}

/* Has the text of a file a word, or a header that it includes? */
static bool search_text(struct search *s, const char *path, const char *text)
{
    for (const char *p = text; (p = strpbrk(p, "o_#")) != NULL; p++) {
        const char *directive = p + 1 + strspn(p + 1, " \t");
        if (is_word(text, p))
            return true;
        if (*p != '#' || strncmp(directive, "include", 7) != 0)
            continue;
        const char *name = directive + strcspn(directive, "<\"\n");
        if (*name != '<' && *name != '"') /* a macro */
            return true;
        if (search_include(s, path, name + 1))
            return true;
    }
    return false;
}

static bool uses_words(struct search *s, const char *path)
{
    size_t n = 0;
    if (is_seen(s, path))
        return false;
    char *text = s->seen.count < MOST_FILES ? read_file(path, SIZE_MAX - 1, &n)
                                            : NULL;
    if (!text)
        return true;
    list_append(&s->seen, strdup(path));
    const bool found = strlen(text) < n || search_text(s, path, text);
    free(text);
    return found;
}

static bool is_source(const char *path)
{
    static const char *const endings[] = { ".cu", ".cpp", ".cc", ".cxx", ".c" };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

/* The files of -include, which are searched as a source is. */
static bool search_forced(struct search *s)
{
    const struct list *options = &s->options->preprocess;
    for (int i = 0; i + 1 < options->count; i++)
        if (strcmp(options->at[i], "-include") == 0
            && uses_words(s, options->at[i + 1]))
            return true;
    return false;
}

bool uses_openmp(const struct options *o)
{
    struct search s = { .options = o };
    bool given = false;
    for (int i = 0; i < o->compile.count; i++)
        given |= is_openmp_option(o->compile.at[i]);
    if (!given)
        return false;
    bool found = o->inputs.count == 0 || search_forced(&s);
    for (int i = 0; i < o->inputs.count && !found; i++)
        found = !is_source(o->inputs.at[i])
                || uses_words(&s, o->inputs.at[i]);
    for (int i = 0; i < s.seen.count; i++)
        free((char *)s.seen.at[i]);
    free(s.seen.at);
    return found;
}
