/* SPDX-License-Identifier: MIT */
/* One line of a [function] section that says how large an array is. */
#include "array.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool fail(char *error, const char *what, const char *at)
{
    snprintf(error, CONTRACT_ERROR, "%s: \"%.60s\"", what, at);
    return false;
}

static const char *skip_spaces(const char *at)
{
    return at + strspn(at, " \t");
}

/* The rest after a word, or NULL when another word stands there. */
static const char *accept_word(const char *at, const char *word)
{
    const size_t length = strlen(word);

    if (strncmp(at, word, length) || isalnum((unsigned char)at[length]))
        return NULL;
    return skip_spaces(at + length);
}

/* Copies the text up to `end`, without spaces around it. */
static bool copy_text(char *to, size_t bytes, const char *at, const char *end)
{
    at = skip_spaces(at);
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    if (end <= at || (size_t)(end - at) >= bytes)
        return false;
    memcpy(to, at, (size_t)(end - at));
    to[end - at] = 0;
    return true;
}

/* The ']' that closes the '[' before `at`; NULL: none. */
static const char *find_bracket(const char *at)
{
    int depth = 1;

    for (; *at; at++) {
        depth += (*at == '[') - (*at == ']');
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* "[n][c]": @return what follows, or NULL with an error. */
static const char *parse_dims(const char *at, struct array *array, char *error)
{
    for (; *at == '['; at = skip_spaces(at)) {
        const char *end = find_bracket(at + 1);

        if (!end) {
            fail(error, "there is no \"]\" for this \"[\"", at);
            return NULL;
        }
        if (array->dims >= CONTRACT_DIMS) {
            fail(error, "there are too many dimensions", at);
            return NULL;
        }
        if (!copy_text(array->dim[array->dims++], sizeof *array->dim, at + 1,
                       end)) {
            fail(error, "this dimension is empty or too long", at);
            return NULL;
        }
        at = end + 1;
    }
    if (array->dims == 0) {
        fail(error, "a size such as [n] is expected", at);
        return NULL;
    }
    return at;
}

/* "in", "out" or "inout": @return what follows, or NULL. */
static const char *parse_direction(const char *at, enum direction *direction)
{
    static const char *const names[] = {"in", "out", "inout"};

    for (int i = 0; i < 3; i++) {
        const char *rest = accept_word(at, names[i]);

        if (rest) {
            *direction = (enum direction)i;
            return rest;
        }
    }
    return NULL;
}

/* "if CONDITION else DIRECTION": @return what follows, or NULL with an
 * error. */
static const char *parse_condition(const char *at, struct array *array,
                                   char *error)
{
    const char *other = strstr(at, " else "), *rest;

    if (!other
        || !copy_text(array->condition, sizeof array->condition, at, other)) {
        fail(error, "\"if CONDITION else DIRECTION\" is expected", at);
        return NULL;
    }
    rest = parse_direction(skip_spaces(other + 6), &array->otherwise);
    if (!rest)
        fail(error, "in, out or inout is expected", other + 6);
    return rest;
}

bool parse_array(const char *value, struct array *array, char *error)
{
    const char *at = parse_dims(skip_spaces(value), array, error), *rest;

    if (!at)
        return false;
    if (!accept_word(at, "in place of")
        && (rest = parse_direction(at, &array->direction))) {
        at = rest;
        rest = accept_word(at, "if");
        if (rest && !(at = parse_condition(rest, array, error)))
            return false;
    }
    rest = accept_word(at, "in place of");
    if (rest
        && !copy_text(array->in_place_of, sizeof array->in_place_of, rest,
                      rest + strlen(rest)))
        return fail(error, "\"in place of\" wants a name", at);
    if (!rest && *at)
        return fail(error, "this is not expected behind the size", at);
    return true;
}
