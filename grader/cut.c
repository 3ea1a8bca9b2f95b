/* SPDX-License-Identifier: MIT */
/* Cutting a handout: one pass over lines, three states. */
#include "cut.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "house.h"
#include "text.h"

enum state { COPIED, SOLUTION, HANDOUT };

/* The cutting of one file. */
struct cutting {
    FILE *out;
    const char *folder; /* of what it includes, or NULL */
    const char *name;   /* of an included file, for errors; or "" */
    char *error;
    enum state state;
    int line;
    bool marked;
};

static bool cut_into(struct cutting *cutting, const char *text);

static bool fail(struct cutting *cutting, const char *what)
{
    text_put(cutting->error, 256, "%s%sline %d: %s", cutting->name,
             *cutting->name ? ": " : "", cutting->line, what);
    return false;
}

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

/* The text of a file that the line includes from the folder, without its SPDX
 * line; NULL when it is no such line. */
static char *included(const struct cutting *cutting, const char *line,
                      char *name)
{
    char path[PATH_MAX], *text, *second;
    size_t length;

    if (!cutting->folder
        || sscanf(line, "#include \"%63[a-z0-9_.]\"", name) != 1)
        return NULL;
    text_put(path, sizeof path, "%s/%s", cutting->folder, name);
    text = read_whole(path, 1 << 20, &length);
    second = text ? strchr(text, '\n') : NULL;
    if (second && strstr(text, "SPDX-") && strstr(text, "SPDX-") < second)
        memmove(text, second + 1, strlen(second));
    return text;
}

/* Appends one line of the reference as the state wants it. */
static bool put_line(struct cutting *cutting, const char *line, size_t length)
{
    char name[64], *text = NULL;

    if (cutting->state == SOLUTION)
        return true;
    if (cutting->state == COPIED)
        text = included(cutting, line, name);
    if (text) {
        struct cutting inner = {.out = cutting->out, .name = name,
                                .error = cutting->error};
        bool ok = cut_into(&inner, text);

        cutting->marked |= inner.marked;
        free(text);
        return ok;
    }
    if (cutting->state == HANDOUT && !(line = uncommented(line, &length)))
        return fail(cutting, "a line of the handout must begin with \"// \"");
    fprintf(cutting->out, "%.*s\n", (int)length, line);
    return true;
}

static bool cut_into(struct cutting *cutting, const char *text)
{
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "\n");
        int next = marker(at, length);

        cutting->line++;
        if (next >= 0 && !follows(cutting->state, next))
            return fail(cutting, "this marker cannot stand here");
        if (next >= 0) {
            cutting->state = (enum state)next;
            cutting->marked = true;
        } else if (!put_line(cutting, at, length))
            return false;
        at += length + (at[length] == '\n');
    }
    return cutting->state == COPIED
           || fail(cutting, "// END SOLUTION is missing");
}

char *cut(const char *text, const char *folder, char *error)
{
    char *made = NULL;
    size_t length;
    struct cutting cutting = {.out = open_memstream(&made, &length),
                              .folder = folder, .name = "", .error = error};
    bool ok = cutting.out || fail(&cutting, "out of memory");

    ok = ok && cut_into(&cutting, text);
    if (cutting.out && fclose(cutting.out))
        ok = fail(&cutting, "out of memory");
    if (ok && cutting.marked)
        return made;
    free(made);
    cutting.line = 1;
    if (ok)
        fail(&cutting, "nothing is marked");
    return NULL;
}
