/* SPDX-License-Identifier: MIT */
/* Reading the hints of a lab out of its README.md. */
#include "hints.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/text.h"

enum { MAX_BYTES = 1 << 20 };

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

/* Drop tags and resolve entities, in place. */
static void make_plain(char *text)
{
    char *to = text;

    for (const char *at = text; *at;) {
        size_t length;
        char character;

        if (*at == '<') {
            at += strcspn(at, ">");
            at += *at == '>';
        } else if (*at == '&' && (character = entity_at(at, &length))) {
            *to++ = character;
            at += length;
        } else
            *to++ = *at++;
    }
    *to = 0;
}

void hints_read(const char *stem, struct hints *hints)
{
    static const char head[] = "<details><summary>Hint ";
    char path[PATH_MAX], *at;
    size_t length;

    *hints = (struct hints){0};
    root_path(path, "labs/%s/README.md", stem);
    hints->text = at = read_file(path, MAX_BYTES, &length);
    while (at && (at = strstr(at, head)) && hints->count < HINTS_MAX) {
        char *from = strchr(at, '\n');
        char *end = from ? strstr(from, "</details>") : NULL;

        if (!end)
            return;
        *end = 0;
        hints->hint[hints->count++] = from + 1;
        make_plain(from + 1);
        text_join_lines(from + 1);
        at = end + 1;
    }
}

void hints_free(struct hints *hints)
{
    free(hints->text);
    *hints = (struct hints){0};
}
