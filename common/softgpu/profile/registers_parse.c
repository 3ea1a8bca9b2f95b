/* SPDX-License-Identifier: MIT */
/* Finds a kernel in the list of registers that ptxas printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "registers.h"

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

uint32_t find_ptxas_registers(const char *text, const char *end,
                              const char *name)
{
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        char known[2048];
        unsigned registers;
        int n = (int)((stop ? stop : end) - text);
        char line[2080];

        snprintf(line, sizeof line, "%.*s", n, text);
        if (sscanf(line, "%2047s %u", known, &registers) == 2
            && strcmp(strip_linkage_prefix(known), strip_linkage_prefix(name))
                   == 0)
            return registers;
        text += n + 1;
    }
    return 0;
}
