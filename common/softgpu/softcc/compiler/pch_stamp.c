/* SPDX-License-Identifier: MIT */
/* A stamp records what a precompiled header was built from: the words of the
 * command, a line for the compiler and a line "SIZE SECONDS.NANOSECONDS PATH"
 * for each file read.  It is compared as text.  If an include directory of the
 * user has a file that would be read instead of one of these, the stamp is not
 * valid for this run. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/files.h"
#include "pch.h"

enum { MAX_BYTES = 1 << 24 /* of a stamp or a dependency file */ };

static const char files_header[] = "files\n";

static void add_file(struct buffer *b, const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0)
        s = (struct stat){ .st_size = -1 };
    buffer_printf(b, "%lld %lld.%09ld %s\n", (long long)s.st_size,
                  (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec, path);
}

bool stamp_command(struct buffer *stamp, const struct list *words)
{
    char path[PATH_MAX];
    if (!find_tool(words->at[0], path))
        return false;
    for (int i = 0; i < words->count; i++)
        buffer_printf(stamp, "%s\n", words->at[i]);
    add_file(stamp, path);
    buffer_write(stamp, files_header, strlen(files_header));
    return true;
}

/* The next path of a make rule, with spaces unescaped. */
static const char *next_path(const char *p, char *path, size_t bytes)
{
    size_t n = 0;
    while (*p == ' ' || *p == '\n' || (*p == '\\' && p[1] == '\n'))
        p++;
    for (; *p && *p != ' ' && *p != '\n'; p++) {
        if ((*p == '\\' && strchr(" #", p[1])) || (*p == '$' && p[1] == '$'))
            p++;
        if (n + 1 < bytes)
            path[n++] = *p;
    }
    path[n] = 0;
    return p;
}

bool stamp_files(struct buffer *stamp, const char *dependencies)
{
    char path[PATH_MAX];
    size_t length;
    char *rule = read_file(dependencies, MAX_BYTES, &length);
    const char *p = rule ? strstr(rule, ": ") : NULL;
    for (p = p ? p + 2 : NULL; p && *p;) {
        p = next_path(p, path, sizeof path);
        if (*path)
            add_file(stamp, path);
    }
    free(rule);
    return p != NULL;
}

/* Is `name` in the folder another file than `path`? */
static bool shadows(const char *folder, const char *name, const char *path)
{
    char other[2 * PATH_MAX];
    struct stat a, b;
    snprintf(other, sizeof other, "%s/%s", folder, name);
    return stat(other, &a) == 0
           && (stat(path, &b) != 0 || a.st_ino != b.st_ino
               || a.st_dev != b.st_dev);
}

/* Does the folder have another file with a name by which headers can include
 * `path`: its last one, two or three components? */
static bool directory_shadows(const char *folder, const char *path)
{
    const char *name = path + strlen(path);
    for (int parts = 0; parts < 3 && name > path; parts++) {
        for (name--; name > path && name[-1] != '/';)
            name--;
        if (shadows(folder, name, path))
            return true;
    }
    return false;
}

/* Would this job read another file instead of `path`?  CUDA's headers include
 * each other by relative paths, except for the first. */
static bool is_shadowed(const char *path, const struct job *job)
{
    const struct list *options = &job->options->preprocess;
    const char *include = job->toolchain.include;
    size_t n = strlen(include);
    bool own_header = strncmp(path, include, n) == 0 && path[n] == '/';
    if (!own_header && directory_shadows("/usr/local/include", path))
        return true;
    for (int i = 0; i < options->count; i++) {
        const char *folder = options->at[i] + 2;
        if (strncmp(options->at[i], "-I", 2) == 0
            && (own_header ? shadows(folder, path + n + 1, path)
                     : directory_shadows(folder, path)))
            return true;
    }
    return false;
}

/* Is each line "SIZE TIME PATH" still true, and the file read by this job? */
static enum stamp check_files(char *line, const struct job *job)
{
    struct buffer now = { 0 };
    enum stamp state = *line ? STAMP_VALID : STAMP_STALE;
    for (char *end; state != STAMP_STALE && (end = strchr(line, '\n'));
         line = end + 1) {
        *end = 0;
        const char *path = strchr(line, ' ');
        path = path ? strchr(path + 1, ' ') : NULL;
        now.length = 0;
        if (path)
            add_file(&now, path + 1);
        if (!path || now.length != (size_t)(end - line) + 1
            || memcmp(now.bytes, line, now.length - 1) != 0)
            state = STAMP_STALE;
        else if (state == STAMP_VALID && is_shadowed(path + 1, job))
            state = STAMP_SHADOWED;
    }
    free(now.bytes);
    return state;
}

enum stamp stamp_check(const char *path, const struct buffer *command_stamp,
                       const struct job *job)
{
    size_t length, command_length = command_stamp->length;
    char *old = read_file(path, MAX_BYTES, &length);
    enum stamp state = STAMP_STALE;
    if (old && length > command_length
        && memcmp(old, command_stamp->bytes, command_length) == 0)
        state = check_files(old + command_length, job);
    free(old);
    return state;
}

unsigned long long stamp_hash(const struct buffer *text)
{
    unsigned long long hash = 14695981039346656037ull;
    for (size_t i = 0; i < text->length; i++)
        hash = (hash ^ (unsigned char)text->bytes[i]) * 1099511628211ull;
    return hash;
}
