/* SPDX-License-Identifier: MIT */
/* Finds a kernel in what nvcc told: registers, and split accesses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "registers.h"

enum { LINE_BYTES = 4200 };

/* The part of a mangled name that is the same for both compilers: after "_Z",
 * "_ZL" (static) or "_ZN12_GLOBAL__N_1" (an unnamed namespace, to which nvcc
 * appends the file's name). */
static const char *strip_linkage_prefix(const char *name)
{
    char *rest;
    unsigned long length;

    if (strncmp(name, "_Z", 2) != 0)
        return name;
    name += 2 + (name[2] == 'L');
    length = *name == 'N' ? strtoul(name + 1, &rest, 10) : 0;
    if (length && strncmp(rest, "_GLOBAL__N_", 11) == 0
        && strlen(rest) > length)
        return rest + length;
    return name;
}

/* Copy the next line.  @return the begin of the one after it */
static const char *next_line(const char *text, const char *end,
                             char line[LINE_BYTES])
{
    const char *stop = memchr(text, '\n', (size_t)(end - text));
    const int n = (int)((stop ? stop : end) - text);

    snprintf(line, LINE_BYTES, "%.*s", n, text);
    return text + n + 1;
}

static int is_same_function(const char *a, const char *b)
{
    return strcmp(strip_linkage_prefix(a), strip_linkage_prefix(b)) == 0;
}

static const char *last_component(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

uint32_t find_ptxas_registers(const char *text, const char *end,
                              const char *name)
{
    while (text < end) {
        char line[LINE_BYTES], known[2048];
        unsigned registers;

        text = next_line(text, end, line);
        if (sscanf(line, "%2047s %u", known, &registers) == 2
            && is_same_function(known, name))
            return registers;
    }
    return 0;
}

int find_split_line(const char *text, const char *end, const char *name,
                    const char *word, const char *file, int line_number)
{
    while (text < end) {
        char line[LINE_BYTES], known[2048], kind[8], path[2048];
        int number;

        text = next_line(text, end, line);
        if (sscanf(line, "%2047s %7s %2047[^:]:%d", known, kind, path, &number)
                == 4
            && number == line_number && strcmp(kind, word) == 0
            && is_same_function(known, name)
            && strcmp(last_component(path), last_component(file)) == 0)
            return 1;
    }
    return 0;
}
