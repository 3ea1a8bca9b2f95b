/* SPDX-License-Identifier: MIT */
/* The hint of results that differ from call to call. */
#include "order_hint.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "source_words.h"

/* Functions that add, and the index of the value among their arguments. */
static const struct adding {
    const char *name;
    int value;
} adding[] = {{"atomicAdd", 1}, {"atomicAdd_block", 1},
              {"atomicAdd_system", 1}, {"fetch_add", 0}};

/* The first byte of an argument.
 * at: the parenthesis before the first one.  @return NULL: there are fewer */
static const char *find_argument(const char *at, int index)
{
    int depth = 0;

    if (*at++ != '(')
        return NULL;
    for (; index > 0; at++) {
        if (!*at || (depth == 0 && *at == ')'))
            return NULL;
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        index -= depth == 0 && *at == ',';
    }
    return at + strspn(at, " \t\n");
}

/* A literal, as of a counter: 1, 1u, -1, 1ull. */
static bool is_integer(const char *at)
{
    const char *digits = at + (*at == '-');
    const char *end = digits + strspn(digits, "0123456789");

    end += strspn(end, "uUlL");
    end += strspn(end, " \t\n");
    return isdigit((unsigned char)*digits) && (*end == ')' || *end == ',');
}

/* Does an atomic addition of something else than a literal stand here? */
static const struct adding *find_addition(const char *text, const char *at)
{
    for (size_t i = 0; i < sizeof adding / sizeof *adding; i++) {
        const char *argument;

        if (!is_word(text, at, adding[i].name))
            continue;
        argument = find_argument(at + strlen(adding[i].name), adding[i].value);
        return argument && !is_integer(argument) ? &adding[i] : NULL;
    }
    return NULL;
}

bool order_hint(const char *text, char *hint, size_t bytes)
{
    for (const char *at = text; *at; at++) {
        const char *next = skip_text(at);
        const struct adding *found;

        if (next > at) {
            at = next - 1;
            continue;
        }
        found = find_addition(text, at);
        if (!found)
            continue;
        snprintf(hint, bytes, "%s() of line %d adds in the order in which the "
                 "threads arrive, and each addition of floats rounds: store "
                 "the partial sums, and let one thread or block add them in "
                 "the order of their indices.", found->name,
                 line_of(text, at));
        return true;
    }
    return false;
}
