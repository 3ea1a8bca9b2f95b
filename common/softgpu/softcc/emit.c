/* SPDX-License-Identifier: MIT */
/* Print the tokens so that each stands at its line and column: by padding
 * where it comes next, else behind a line marker.  Text from macros and from
 * softcc is marked as system text (flag 3), which keeps warnings off it. */
#include <string.h>

#include "tokens.h"

#define NEAR 8 /* lines down that are cheaper as newlines than as a marker */

struct printer {
    struct unit *unit;
    struct buffer *out;
    int file, line, col; /* where the next byte will be said to stand */
    bool quiet, angle;   /* last token: was system text; was '<' or '>' */
};

static bool at_line_start(const struct printer *p)
{
    return p->out->length == 0 || p->out->bytes[p->out->length - 1] == '\n';
}

static void end_line(struct printer *p)
{
    if (!at_line_start(p))
        buffer_add(p->out, "\n", 1);
}

/* White space up to the column, with the tabs of the original line. */
static void pad(struct printer *p, int col)
{
    const struct file *f = &p->unit->files[p->file];
    const char *line = NULL;
    if (f->text && p->line <= f->lines && f->at[p->line] < f->count) {
        const struct token *t = &f->tokens[f->at[p->line]];
        if (t->line == p->line)
            line = t->text - t->col;
    }
    for (; p->col < col; p->col++) {
        bool inside = line && line + p->col < f->text + f->length;
        buffer_add(p->out, inside && line[p->col] == '\t' ? "\t" : " ", 1);
    }
}

static void mark(struct printer *p, const struct token *t)
{
    end_line(p);
    buffer_print(p->out, "# %d %s%s\n", t->line, p->unit->files[t->file].quoted,
                 t->quiet ? " 3" : "");
    p->file = t->file;
    p->line = t->line;
    p->quiet = t->quiet;
    p->col = 0;
}

static void go_to(struct printer *p, const struct token *t)
{
    bool here = p->file == t->file && p->quiet == t->quiet;
    if (here && t->line > p->line && t->line <= p->line + NEAR) {
        for (; p->line < t->line; p->line++)
            buffer_add(p->out, "\n", 1);
        p->col = 0;
    } else if (!here || t->line != p->line || t->col < p->col) {
        mark(p, t);
    }
    pad(p, t->col);
}

static void print_token(struct printer *p, const struct token *t)
{
    bool angle = t->kind == T_PUNCT && strchr("<>", t->text[0]);
    bool joined = t->glued && p->angle && t->kind == T_PUNCT
                  && strchr("<>=", t->text[0]);
    if (!joined)
        go_to(p, t);
    buffer_add(p->out, t->text, (size_t)t->length);
    p->col += t->length;
    p->angle = angle;
    for (int i = 0; i < t->length; i++) /* raw strings span lines */
        if (t->text[i] == '\n') {
            p->line++;
            p->col = t->length - i - 1;
        }
}

static void print_lines(struct printer *p, const struct token *t)
{
    if (t->kind == T_PRAGMA)
        mark(p, t);
    end_line(p);
    buffer_add(p->out, t->text, (size_t)t->length);
    end_line(p);
    p->file = -1; /* a marker is needed next */
    p->angle = false;
}

void emit_unit(struct unit *u, struct buffer *out)
{
    struct printer p = { .unit = u, .out = out, .file = -1 };
    for (const struct token *t = u->first; t; t = t->next) {
        if (t->dead)
            continue;
        if (t->kind == T_RAW || t->kind == T_PRAGMA)
            print_lines(&p, t);
        else
            print_token(&p, t);
    }
    end_line(&p);
}
