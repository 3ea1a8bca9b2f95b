/* SPDX-License-Identifier: MIT */
/* From the Markdown of the READMEs to plain text. */
#include "markdown.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* The entities that the READMEs use. */
static const struct {
    const char *entity;
    char character;
} entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&#35;", '#'}};
enum { ENTITIES = sizeof entities / sizeof *entities };

/* The character of an entity, or 0.
 *  @param[out] length  of the entity */
static char entity_at(const char *at, size_t *length)
{
    for (int i = 0; i < ENTITIES; i++) {
        *length = strlen(entities[i].entity);
        if (!strncmp(at, entities[i].entity, *length))
            return entities[i].character;
    }
    return 0;
}

/* A tag or "a < b"? */
static bool is_tag(const char *at)
{
    return *at == '<' && (isalpha((unsigned char)at[1]) || at[1] == '/')
           && strchr(at, '>');
}

/* Emphasis touches a word on one side at least, a product has blanks on
 * both. */
static bool is_emphasis(const char *text, const char *at)
{
    const bool blank_before = at == text || isspace((unsigned char)at[-1]);

    return *at == '*' && !(blank_before && isspace((unsigned char)at[1]));
}

void markdown_make_plain(char *text)
{
    char *to = text, character;
    bool is_quoted = false, is_code = false;
    size_t length;

    for (const char *at = text, *next; *at; at = next) {
        next = at + 1;
        is_quoted ^= *at == '`';
        if (is_quoted) {
            *to++ = *at;
        } else if (is_tag(at)) {
            is_code = !strncmp(at, "<code>", 6);
            if (!strncmp(at, "</summary>", 10))
                *to++ = ':';
            next = strchr(at, '>') + 1;
        } else if ((character = entity_at(at, &length)) != 0) {
            *to++ = character;
            next = at + length;
        } else if (is_code || !is_emphasis(text, at)) {
            *to++ = *at;
        }
    }
    *to = 0;
}
