/* SPDX-License-Identifier: MIT */
/* Cutting a handout: one pass over lines, three states. */
#include "cut.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum state { COPIED, SOLUTION, HANDOUT };

/* What a line means, or -1 for text. */
static int marker(const char *line, size_t length)
{
    static const char *const markers[] = {"// END SOLUTION",
                                          "// BEGIN SOLUTION", "// HANDOUT"};

    for (int i = 0; i < 3; i++)
        if (length == strlen(markers[i]) && !strncmp(line, markers[i], length))
            return i;
    return -1;
}

/* A marker leads from one state to the next, in this order only. */
static bool follows(enum state state, int next)
{
    return (state == COPIED && next == SOLUTION)
           || (state == SOLUTION && (next == HANDOUT || next == COPIED))
           || (state == HANDOUT && next == COPIED);
}

/* The learner's text of a line, or NULL when it is no comment. */
static const char *uncommented(const char *line, size_t *length)
{
    if (*length < 2 || strncmp(line, "//", 2))
        return NULL;
    if (*length > 2 && line[2] != ' ')
        return NULL;
    if (*length == 2)
        *length = 0;
    else
        *length -= 3;
    return line + (*length || line[2] == ' ' ? 3 : 2);
}

/* Appends one line of the reference as the state wants it; NULL when it may
 * not stand there. */
static char *put_line(char *out, enum state state, const char *line,
                      size_t length)
{
    if (state == SOLUTION)
        return out;
    if (state == HANDOUT && !(line = uncommented(line, &length)))
        return NULL;
    memcpy(out, line, length);
    out[length] = '\n';
    return out + length + 1;
}

static char *fail(char *made, char *error, int line, const char *what)
{
    text_put(error, 256, "line %d: %s", line, what);
    free(made);
    return NULL;
}

char *cut(const char *text, char *error)
{
    char *made = malloc(strlen(text) + 2), *out = made;
    enum state state = COPIED;
    bool marked = false;
    int number = 1;

    if (!made)
        return fail(made, error, 0, "out of memory");
    for (const char *at = text; *at; number++) {
        size_t length = strcspn(at, "\n");
        int next = marker(at, length);

        if (next >= 0 && !follows(state, next))
            return fail(made, error, number, "this marker cannot stand here");
        if (next >= 0) {
            state = (enum state)next;
            marked = true;
        } else if (!(out = put_line(out, state, at, length)))
            return fail(made, error, number,
                        "a line of the handout must begin with \"// \"");
        at += length + (at[length] == '\n');
    }
    *out = 0;
    if (state != COPIED)
        return fail(made, error, number, "// END SOLUTION is missing");
    return marked ? made : fail(made, error, 1, "nothing is marked");
}
