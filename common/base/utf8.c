/* SPDX-License-Identifier: MIT */
/* UTF-8 by the table of the Unicode Standard, chapter 3.9: no overlong forms,
 * no surrogates, nothing above U+10FFFF. */
#include "utf8.h"

#include <stdbool.h>
#include <string.h>

/** Characters from `first` to `last`. */
struct range {
    unsigned first, last;
};

static bool is_within(unsigned c, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return true;
    return false;
}

/* How many bytes the first one announces; 0: none begins with it. */
static size_t announced(unsigned char first)
{
    return first < 0x80 ? 1
           : first < 0xc2 ? 0
           : first < 0xe0 ? 2
           : first < 0xf0 ? 3
           : first < 0xf5 ? 4 : 0;
}

/* @param[out] bytes  of the character; 0: it is none */
static unsigned decode(const char *at, size_t *bytes)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)*at;
    const size_t length = announced(first);
    unsigned c = length > 1 ? first & (0x7fu >> length) : first;

    *bytes = 0;
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)at[i] & 0xc0) != 0x80)
            return 0; /* the end of the text is not such a byte either */
        c = c << 6 | ((unsigned char)at[i] & 0x3f);
    }
    if (!*at || !length || c < least[length] || c > 0x10ffff
        || (c >= 0xd800 && c < 0xe000))
        return 0;
    *bytes = length;
    return c;
}

size_t utf8_length(const char *at)
{
    size_t bytes;

    decode(at, &bytes);
    return bytes;
}

size_t utf8_printable(const char *at)
{
    static const struct range never[] = {
        {0, 0x1f}, {0x7f, 0x9f},       /* C0, DEL, C1 */
        {0xad, 0xad}, {0x61c, 0x61c},  /* soft hyphen, Arabic letter mark */
        {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, /* no width,
                                          separators of lines, directions */
        {0xfeff, 0xfeff}, {0xfff9, 0xffff}, {0xe0000, 0xe0fff}};
    size_t bytes;
    const unsigned c = decode(at, &bytes);

    return is_within(c, never, sizeof never / sizeof *never) ? 0 : bytes;
}

int utf8_columns(const char *text, size_t bytes)
{
    static const struct range combining[] = {
        {0x300, 0x36f}, {0x1ab0, 0x1aff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};
    static const struct range wide[] = {
        {0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff},
        {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
        {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
    int columns = 0;

    for (size_t i = 0, length; i < bytes && text[i]; i += length ? length : 1) {
        const unsigned c = decode(text + i, &length);

        if (is_within(c, wide, sizeof wide / sizeof *wide))
            columns += 2;
        else if (!is_within(c, combining,
                            sizeof combining / sizeof *combining))
            columns++;
    }
    return columns;
}

void utf8_trim(char *text)
{
    const size_t length = strlen(text);
    size_t back = 0;

    while (back < 3 && back < length
           && ((unsigned char)text[length - 1 - back] & 0xc0) == 0x80)
        back++;
    if (back < length
        && announced((unsigned char)text[length - 1 - back]) > back + 1)
        text[length - 1 - back] = 0;
}
