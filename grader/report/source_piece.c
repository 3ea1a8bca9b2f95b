/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "source_piece.h"

#include <ctype.h>
#include <string.h>

#include "source_words.h"

bool is_changed(const char *name, size_t length, struct piece text)
{
    const char *end = text.at + text.length;

    for (const char *at = text.at; at + length <= end; at++) {
        const char *next = skip_text(at);

        if (next > at) { /* a comment changes nothing */
            at = next - 1;
            continue;
        }
        next = at + length;
        if (strncmp(at, name, length) || is_name_char(*next)
            || (at > text.at && is_name_char(at[-1])))
            continue;
        next += strspn(next, " ");
        if ((*next == '=' && next[1] != '=')
            || (strchr("+-*/%&|^", *next) && *next && next[1] == '=')
            || !strncmp(next, "++", 2) || !strncmp(next, "--", 2)
            || !strncmp(next, "<<=", 3) || !strncmp(next, ">>=", 3))
            return true;
        if (at > text.at + 1
            && (!strncmp(at - 2, "++", 2) || !strncmp(at - 2, "--", 2)))
            return true;
        if (at > text.at && at[-1] == '&'
            && (at < text.at + 2 || at[-2] != '&'))
            return true;
    }
    return false;
}

bool has(struct piece text, const char *wanted)
{
    char plain[220];
    size_t n = 0;

    for (size_t i = 0; i < text.length && n + 1 < sizeof plain; i++)
        if (!isspace((unsigned char)text.at[i]))
            plain[n++] = text.at[i];
    plain[n] = 0;
    return strstr(plain, wanted) != NULL;
}

bool contains(struct piece text, const char *words)
{
    return memmem(text.at, text.length, words, strlen(words)) != NULL;
}

struct piece first_value(const char *text, struct piece name)
{
    for (const char *at = text;
         (at = memmem(at, strlen(at), name.at, name.length)); at++) {
        const char *value = at + name.length;

        if ((at > text && is_name_char(at[-1])) || is_name_char(*value))
            continue;
        value += strspn(value, " \t");
        if (*value == '=' && value[1] != '=')
            return (struct piece){value + 1, strcspn(value, ";,\n") - 1};
    }
    return (struct piece){"", 0};
}
