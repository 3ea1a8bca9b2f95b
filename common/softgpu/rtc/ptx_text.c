/* SPDX-License-Identifier: MIT */
/* Each byte is two letters, 64 bytes a line, after a head that looks as PTX's
 * does. */
#include "ptx_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 }; /* bytes */

static const char head[] = "//\n// A module of softcc, whose bytes follow as "
                           "letters\n//\n.version 8.8\n.target sm_90\n"
                           ".address_size 64\n";

/* The letters a to p stand for 0 to 15, the high half of a byte first. */
char *softgpu_ptx_encode(const void *module, size_t bytes)
{
    const unsigned char *from = module;
    const size_t lines = (bytes + LINE - 1) / LINE;
    char *text = malloc(sizeof head + 2 * bytes + 4 * lines);

    if (!text)
        return NULL;
    char *to = text + sprintf(text, "%s", head);
    for (size_t i = 0; i < bytes; i++) {
        if (i % LINE == 0)
            to += sprintf(to, "%s//", i ? "\n" : "");
        *to++ = (char)('a' + from[i] / 16);
        *to++ = (char)('a' + from[i] % 16);
    }
    strcpy(to, "\n");
    return text;
}

/* Whatever is no pair of these letters is skipped. */
void *softgpu_ptx_decode(const char *text)
{
    if (strncmp(text, head, sizeof head - 1) != 0)
        return NULL;
    const char *p = text + sizeof head - 1;
    unsigned char *bytes = calloc(strlen(p) / 2 + 1, 1);
    size_t n = 0;

    for (; bytes && *p; p++)
        if (p[0] >= 'a' && p[0] <= 'p' && p[1] >= 'a' && p[1] <= 'p') {
            bytes[n++] = (unsigned char)((p[0] - 'a') * 16 + p[1] - 'a');
            p++;
        }
    return bytes;
}
