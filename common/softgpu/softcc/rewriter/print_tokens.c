/* SPDX-License-Identifier: MIT */
/* Print the tokens so that the compiler sees each at its source location:
 * after padding, or after a line marker.  Text of macros and of the passes is
 * marked as system text (flag 3), for which the compiler gives no warnings. */
#include <ctype.h>
#include <string.h>

#include "tokens.h"

#define MAX_NEWLINES                                                           \
    8 /* lines down that are cheaper as newlines than as a marker */

struct printer {
    struct unit *unit;
    struct buffer *out;
    int file, line, col;     /* of the next byte, as the compiler sees it */
    bool system_text, angle; /* last token: was system text; was '<' or '>' */
};

static bool at_line_start(const struct printer *p)
{
    return p->out->length == 0 || p->out->bytes[p->out->length - 1] == '\n';
}

static void end_line(struct printer *p)
{
    if (!at_line_start(p))
        buffer_write(p->out, "\n", 1);
}

/* White space up to the column, with the tabs of the original line. */
static void print_padding(struct printer *p, int col)
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
        buffer_write(p->out, inside && line[p->col] == '\t' ? "\t" : " ", 1);
    }
}

static void print_line_marker(struct printer *p, const struct token *t)
{
    end_line(p);
    buffer_printf(p->out, "# %d %s%s\n", t->line,
                  p->unit->files[t->file].quoted, t->system_text ? " 3" : "");
    p->file = t->file;
    p->line = t->line;
    p->system_text = t->system_text;
    p->col = 0;
}

/* Would the token become one with the word before it?  Two macros can stand at
 * columns that leave no room for what comes out of the first. */
static bool would_join(const struct printer *p, const struct token *t)
{
    const char last = p->out->length ? p->out->bytes[p->out->length - 1] : 0;
    return t->kind == T_IDENT && !t->adjacent && t->col == p->col
           && (isalnum((unsigned char)last) || last == '_');
}

static void move_to(struct printer *p, const struct token *t)
{
    bool here = p->file == t->file && p->system_text == t->system_text;
    if (here && t->line > p->line && t->line <= p->line + MAX_NEWLINES) {
        for (; p->line < t->line; p->line++)
            buffer_write(p->out, "\n", 1);
        p->col = 0;
    } else if (!here || t->line != p->line || t->col < p->col
               || would_join(p, t)) {
        print_line_marker(p, t);
    }
    print_padding(p, t->col);
}

static void print_token(struct printer *p, const struct token *t)
{
    bool angle = t->kind == T_PUNCT && strchr("<>", t->text[0]);
    bool joined = t->adjacent && p->angle && t->kind == T_PUNCT
                  && strchr("<>=", t->text[0]);
    if (!joined)
        move_to(p, t);
    buffer_write(p->out, t->text, (size_t)t->length);
    p->col += t->length;
    p->angle = angle;
    for (int i = 0; i < t->length; i++) /* raw strings span lines */
        if (t->text[i] == '\n') {
            p->line++;
            p->col = t->length - i - 1;
        }
}

static void print_raw(struct printer *p, const struct token *t)
{
    if (t->kind == T_PRAGMA)
        print_line_marker(p, t);
    end_line(p);
    buffer_write(p->out, t->text, (size_t)t->length);
    end_line(p);
    p->file = -1; /* next comes a marker */
    p->angle = false;
}

void emit_unit(struct unit *u, struct buffer *out)
{
    struct printer p = { .unit = u, .out = out, .file = -1 };
    for (const struct token *t = u->first; t; t = t->next) {
        if (t->is_removed)
            continue;
        if (t->kind == T_RAW || t->kind == T_PRAGMA)
            print_raw(&p, t);
        else
            print_token(&p, t);
    }
    end_line(&p);
}
