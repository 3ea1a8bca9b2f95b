/* SPDX-License-Identifier: MIT */
/* What kept headers were made from: the words of the command, a line for the
 * compiler and a line "SIZE SECONDS.NANOSECONDS PATH" for each file read.  It
 * is compared as text.  A file that a folder of the user's would bring in the
 * place of one of these makes the stamp untrue for this run. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "prelude.h"

static const char beginning_of_files[] = "files\n";

static void add_file(struct buffer *b, const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0)
        s = (struct stat){ .st_size = -1 };
    buffer_print(b, "%lld %lld.%09ld %s\n", (long long)s.st_size,
                 (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec, path);
}

/* The program that execvp would start. */
static bool find_program(const char *name, char *path, size_t bytes)
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/'))
        return realpath(name, path) != NULL;
    while (folders && *folders) {
        int n = (int)strcspn(folders, ":");
        snprintf(path, bytes, "%.*s/%s", n, folders, name);
        if (n > 0 && access(path, X_OK) == 0)
            return true;
        folders += n + (folders[n] == ':');
    }
    return false;
}

bool stamp_begin(struct buffer *stamp, const struct list *words)
{
    char path[PATH_MAX];
    if (!find_program(words->at[0], path, sizeof path))
        return false;
    for (int i = 0; i < words->count; i++)
        buffer_print(stamp, "%s\n", words->at[i]);
    add_file(stamp, path);
    buffer_add(stamp, beginning_of_files, strlen(beginning_of_files));
    return true;
}

/* The next path of a rule for make, blanks in it unescaped. */
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
    struct buffer rule = { 0 };
    char path[PATH_MAX];
    const char *p = read_text(dependencies, &rule) ? strstr(rule.bytes, ": ")
                                                   : NULL;
    for (p = p ? p + 2 : NULL; p && *p;) {
        p = next_path(p, path, sizeof path);
        if (*path)
            add_file(stamp, path);
    }
    free(rule.bytes);
    return p != NULL;
}

/* Whether `name` in the folder is another file than `path`. */
static bool hides(const char *folder, const char *name, const char *path)
{
    char other[2 * PATH_MAX];
    struct stat a, b;
    snprintf(other, sizeof other, "%s/%s", folder, name);
    return stat(other, &a) == 0
           && (stat(path, &b) != 0 || a.st_ino != b.st_ino
               || a.st_dev != b.st_dev);
}

/* Whether the folder has another file by a name that the headers may include
 * `path` by: one of the last three parts of it. */
static bool folder_hides(const char *folder, const char *path)
{
    const char *name = path + strlen(path);
    for (int parts = 0; parts < 3 && name > path; parts++) {
        for (name--; name > path && name[-1] != '/';)
            name--;
        if (hides(folder, name, path))
            return true;
    }
    return false;
}

/* Whether another file would be read in the place of `path`.  Ours include
 * each other from where they are, all but the first. */
static bool is_hidden(const char *path, const struct job *job)
{
    const struct list *options = &job->options->preprocess;
    const char *ours = job->places.include;
    size_t n = strlen(ours);
    bool mine = strncmp(path, ours, n) == 0 && path[n] == '/';
    if (!mine && folder_hides("/usr/local/include", path))
        return true;
    for (int i = 0; i < options->count; i++) {
        const char *folder = options->at[i] + 2;
        if (strncmp(options->at[i], "-I", 2) == 0
            && (mine ? hides(folder, path + n + 1, path)
                     : folder_hides(folder, path)))
            return true;
    }
    return false;
}

/* Each line "SIZE TIME PATH": still so, and read by this job. */
static enum stamp judge_files(char *line, const struct job *job)
{
    struct buffer now = { 0 };
    enum stamp state = *line ? STAMP_GOOD : STAMP_OLD;
    for (char *end; state != STAMP_OLD && (end = strchr(line, '\n'));
         line = end + 1) {
        *end = 0;
        const char *path = strchr(line, ' ');
        path = path ? strchr(path + 1, ' ') : NULL;
        now.length = 0;
        if (path)
            add_file(&now, path + 1);
        if (!path || now.length != (size_t)(end - line) + 1
            || memcmp(now.bytes, line, now.length - 1) != 0)
            state = STAMP_OLD;
        else if (state == STAMP_GOOD && is_hidden(path + 1, job))
            state = STAMP_HIDDEN;
    }
    free(now.bytes);
    return state;
}

enum stamp stamp_judge(const char *path, const struct buffer *begun,
                       const struct job *job)
{
    struct buffer kept = { 0 };
    enum stamp state = STAMP_OLD;
    if (read_text(path, &kept) && kept.length > begun->length
        && memcmp(kept.bytes, begun->bytes, begun->length) == 0)
        state = judge_files(kept.bytes + begun->length, job);
    free(kept.bytes);
    return state;
}

unsigned long long stamp_hash(const struct buffer *text)
{
    unsigned long long hash = 14695981039346656037ull;
    for (size_t i = 0; i < text->length; i++)
        hash = (hash ^ (unsigned char)text->bytes[i]) * 1099511628211ull;
    return hash;
}
