/* SPDX-License-Identifier: MIT */
/* Finds programs and reads the directives in their first comments. */
#include "program.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "process.h"

enum { PATH_ROOM = 600, COMMENT_LINES = 12 };

static const char *extension(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot ? dot : "";
}

static int is_source(const char *name)
{
    const char *end = extension(name);

    return !strcmp(end, ".cu") || !strcmp(end, ".c") || !strcmp(end, ".cpp");
}

static void append(char **list, int room, const char *text)
{
    int n = 0;

    while (list[n])
        n++;
    if (n < room)
        list[n] = strdup(text);
}

/* Read a directive of the form "// word: value". */
static void read_directive(struct program *p, char *line)
{
    char word[16], value[256];

    line[strcspn(line, "\n")] = 0;
    if (sscanf(line, "// %15[a-z]: %255[^\n]", word, value) != 2)
        return;
    if (!strcmp(word, "exit"))
        p->exit_status = atoi(value);
    else if (!strcmp(word, "env"))
        append(p->env, MAX_DIRECTIVES, value);
    else if (!strcmp(word, "flags"))
        append(p->flags, MAX_DIRECTIVES, value);
    else if (!strcmp(word, "stderr"))
        append(p->errors, MAX_DIRECTIVES, value);
    else if (!strcmp(word, "sort"))
        p->sorted = 1;
    else if (!strcmp(word, "plain"))
        p->plain = 1;
    else if (!strcmp(word, "once"))
        p->once = 1;
}

static void read_directives(struct program *p, const char *path)
{
    FILE *f = fopen(path, "r");
    char line[300];

    for (int i = 0; f && i < COMMENT_LINES && fgets(line, sizeof line, f); i++)
        read_directive(p, line);
    if (f)
        fclose(f);
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* A folder: one program of several source files. */
static void read_folder(struct program *p, const char *folder)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, compare_names);
    char path[PATH_ROOM];

    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (is_source(path)) {
            append(p->sources, MAX_SOURCES, path);
            if (!strncmp(entries[i]->d_name, "main.", 5))
                read_directives(p, path);
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    snprintf(path, sizeof path, "%s/out", folder);
    p->expected = read_text(path);
}

/* A single source file. */
static void read_file(struct program *p, const char *path)
{
    char out[PATH_ROOM];

    append(p->sources, MAX_SOURCES, path);
    read_directives(p, path);
    snprintf(out, sizeof out, "%.*s.out",
             (int)(extension(path) - path), path);
    p->expected = read_text(out);
}

/* Does the name start with a number and belong to a program? */
static int is_program(const char *path, const char *name)
{
    struct stat s;

    if (!isdigit((unsigned char)name[0]) || stat(path, &s))
        return 0;
    return S_ISDIR(s.st_mode) || !strcmp(extension(name), ".cu");
}

int find_programs(const char *folder, struct program *all)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, compare_names), found = 0;
    char path[PATH_ROOM];

    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;

        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (is_program(path, name) && found < MAX_PROGRAMS) {
            struct program *p = &all[found++];
            int length = (int)(extension(path) - path);

            memset(p, 0, sizeof *p);
            snprintf(p->name, sizeof p->name, "%.*s",
                     (int)strcspn(name, "."), name);
            if (strcmp(extension(name), ".cu"))
                read_folder(p, path);
            else if (length)
                read_file(p, path);
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return found;
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void sort_lines(char *text)
{
    size_t n = 0, room = strlen(text) + 1;
    char **lines = calloc(room, sizeof *lines);
    char *copy = strdup(text), *at = text;

    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n"))
        lines[n++] = line;
    qsort(lines, n, sizeof *lines, compare_lines);
    for (size_t i = 0; i < n; i++)
        at += sprintf(at, "%s\n", lines[i]);
    *at = 0;
    free(copy);
    free(lines);
}
