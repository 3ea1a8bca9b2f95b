/* SPDX-License-Identifier: MIT */
/* Callers of a kernel, found in the text of a lab's solutions: from the kernel
 * to the functions that launch it, to those that call these, up to the
 * functions that the lab's header declares. */
#include "reference_calls.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/paths.h"

enum { NAME_SIZE = 64, MOST_NAMES = 32, MOST_FILES = 32, MOST_BYTES = 1 << 20,
       MOST_PUBLIC = 3 };

/** Names that lead to the kernel, in the order in which they were found. */
struct callers {
    char name[MOST_NAMES][NAME_SIZE];
    size_t count;
};

static bool is_word(char c)
{
    return c == '_' || isalnum((unsigned char)c);
}

/* Is the name in a part of a text, as a whole word? */
static bool has_name(const char *text, const char *end, const char *name)
{
    const size_t length = strlen(name);

    while ((text = strstr(text, name)) && text < end) {
        if (!is_word(text[-1]) && !is_word(text[length]))
            return true;
        text += length;
    }
    return false;
}

static void add_name(struct callers *callers, const char *name)
{
    for (size_t i = 0; i < callers->count; i++)
        if (!strcmp(callers->name[i], name))
            return;
    if (callers->count < MOST_NAMES)
        snprintf(callers->name[callers->count++], NAME_SIZE, "%s", name);
}

/* The name before the first parenthesis of a line, if that begins a
 * declaration. */
static void read_name(const char *line, char *name)
{
    const char *end = line + strcspn(line, "(\n"), *first = end;

    if (*end != '(' || !(is_word(*line)))
        return;
    while (first > line && is_word(first[-1]))
        first--;
    if (first < end && end - first < NAME_SIZE)
        snprintf(name, NAME_SIZE, "%.*s", (int)(end - first), first);
}

/* Add the functions of a text whose body has one of the names.  Functions begin
 * and end with a brace in the first column. */
static void add_callers(const char *text, struct callers *callers)
{
    char name[NAME_SIZE] = "";
    const char *line = text, *body = NULL;

    while (line) {
        if (*line == '{')
            body = line;
        else if (*line != '}')
            read_name(line, name);
        for (size_t i = 0; *line == '}' && body && i < callers->count; i++)
            if (has_name(body, line, callers->name[i])) {
                add_name(callers, name);
                break;
            }
        if (*line == '}')
            body = NULL;
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
}

static bool is_source(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && (!strcmp(dot, ".cu") || !strcmp(dot, ".h"));
}

/* All sources of a folder.  @return how many; free() each */
static size_t read_sources(const char *folder, char *text[MOST_FILES])
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    size_t count = 0;

    while (dir && count < MOST_FILES && (entry = readdir(dir))) {
        char path[PATH_MAX];
        size_t bytes;

        if (!is_source(entry->d_name)
            || snprintf(path, sizeof path, "%s/%s", folder, entry->d_name)
                   >= (int)sizeof path)
            continue;
        text[count] = read_file(path, MOST_BYTES, &bytes);
        count += text[count] != NULL;
    }
    if (dir)
        closedir(dir);
    return count;
}

/* Callers of callers, until there are no more. */
static void find_callers(const char *stem, struct callers *callers)
{
    char folder[PATH_MAX], *text[MOST_FILES];
    const size_t files =
        read_sources(root_path(folder, "solutions/%s", stem), text);
    size_t before;

    do {
        before = callers->count;
        for (size_t i = 0; i < files; i++)
            add_callers(text[i], callers);
    } while (callers->count > before);
    for (size_t i = 0; i < files; i++)
        free(text[i]);
}

/* Join those that the header declares. */
static void join_declared(const struct callers *callers, const char *header,
                          char *text, size_t bytes)
{
    size_t used = 0, count = 0;

    for (size_t i = 0; i < callers->count; i++) {
        char call[NAME_SIZE + 2];

        snprintf(call, sizeof call, "%s(", callers->name[i]);
        if (!strstr(header, call))
            continue;
        used += (size_t)snprintf(text + used, bytes - used, "%s%s",
                                 count ? " or " : "", callers->name[i]);
        if (++count > MOST_PUBLIC || used >= bytes) {
            *text = 0;
            return;
        }
    }
}

void reference_callers(const char *stem, const char *kernel, char *text,
                       size_t bytes)
{
    struct callers callers = {.count = 1};
    char path[PATH_MAX], *header;
    size_t length;

    *text = 0;
    snprintf(callers.name[0], NAME_SIZE, "%.*s", (int)strcspn(kernel, "<("),
             kernel);
    if (!*callers.name[0] || strlen(stem) < 4)
        return;
    find_callers(stem, &callers);
    header = read_file(root_path(path, "labs/%s/%s.h", stem, stem + 3),
                       MOST_BYTES, &length);
    if (header)
        join_declared(&callers, header, text, bytes);
    free(header);
}
