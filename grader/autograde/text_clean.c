/* SPDX-License-Identifier: MIT */
/* Cleaning names and texts that students chose. */
#include "text_clean.h"

#include <jansson.h>
#include <string.h>
#include <strings.h>

#include "common/base/text.h"

/* jansson makes strings of valid UTF-8 only. */
static bool is_utf8(const char *text)
{
    json_t *string = json_string(text);

    json_decref(string);
    return string != NULL;
}

/* Bytes of a character that controls a terminal (C0, DEL, C1) or reorders the
 * text around it (U+202A to U+202E, U+2066 to U+2069), or 0. */
static size_t control_bytes(const char *at)
{
    const unsigned char *c = (const unsigned char *)at;

    if (c[0] < 0x20 || c[0] == 0x7f)
        return 1;
    if (c[0] == 0xc2)
        return c[1] >= 0x80 && c[1] < 0xa0 ? 2 : 0;
    if (c[0] != 0xe2)
        return 0;
    return (c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae)
           || (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9) ? 3 : 0;
}

bool is_clean_utf8(const char *text)
{
    for (const char *at = text; *at; at++)
        if (control_bytes(at))
            return false;
    return is_utf8(text);
}

char *clean_copy(char *to, size_t bytes, const char *from)
{
    size_t length = strlen(from);

    if (length >= bytes) {
        length = bytes - 1;
        while (length > 0 && ((unsigned char)from[length] & 0xc0) == 0x80)
            length--; /* not within a character of UTF-8 */
    }
    memmove(to, from, length);
    to[length] = 0;
    for (char *at = to; *at; at++)
        memset(at, '?', control_bytes(at));
    if (!is_utf8(to))
        make_printable(to);
    return to;
}

bool equals_folded(const char *a, const char *b)
{
    return strcasecmp(a, b) == 0;
}
