/* SPDX-License-Identifier: MIT */
/* Cleaning names and texts that students chose. */
#include "text_clean.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/text.h"
#include "common/base/utf8.h"

/* jansson makes strings of valid UTF-8 only. */
bool is_utf8(const char *text)
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

/* Characters 0x80 to 0x9f of Windows-1252; those above are Unicode's. */
static const unsigned short windows_1252[32] = {
    0x20ac, 0x3f,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
    0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x3f,   0x17d,  0x3f,
    0x3f,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
    0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x3f,   0x17e,  0x178};

/* A character below 0x10000 as UTF-8.  @return behind it */
static char *append_utf8(char *to, unsigned c)
{
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
    } else {
        *to++ = (char)(0xe0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (c & 0x3f));
    return to;
}

char *text_to_utf8(char *text)
{
    char *whole, *to;

    if (is_utf8(text))
        return text;
    whole = to = malloc(3 * strlen(text) + 1);
    for (const char *at = text; whole && *at; at++) {
        unsigned c = (unsigned char)*at;

        to = append_utf8(to, c >= 0x80 && c < 0xa0 ? windows_1252[c - 0x80]
                                                   : c);
    }
    if (whole)
        *to = 0;
    free(text);
    return whole;
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

char *name_copy(char *to, size_t bytes, const char *from)
{
    char *own = strdup(from);

    own = own ? text_to_utf8(own) : NULL;
    clean_copy(to, bytes, own ? own : from);
    free(own);
    return to;
}

char *name_column(char text[NAME_COLUMN], const char *name)
{
    enum { COLUMNS = 24, SHOWN = 61 };
    char shown[SHOWN];
    int columns;

    clean_copy(shown, sizeof shown, name);
    columns = utf8_columns(shown, strlen(shown));
    return text_format(text, NAME_COLUMN, "%s%*s", shown,
                       columns < COLUMNS ? COLUMNS - columns : 0, "");
}

bool equals_folded(const char *a, const char *b)
{
    return strcasecmp(a, b) == 0;
}
