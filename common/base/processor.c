/* SPDX-License-Identifier: MIT */
/* The processor's name: the first line of /proc/cpuinfo with that key. */
#include "processor.h"

#include <stdio.h>
#include <string.h>

#include "text.h"

char *processor_name(char *text, size_t bytes)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    const char *colon = NULL;
    char line[256];

    text_format(text, bytes, "unknown processor");
    while (file && !colon && fgets(line, sizeof line, file)) {
        colon = strncmp(line, "model name", 10) ? NULL : strchr(line, ':');
        if (colon)
            text_format(text, bytes, "%.*s", (int)strcspn(colon + 2, "\n"),
                        colon + 2);
    }
    if (file)
        fclose(file);
    return text;
}
