/* SPDX-License-Identifier: MIT */
/* --show: the rewritten source for a reader, without system headers.  Tokens
 * keep their line, and their column where inserted text leaves room. */
#include "tokens.h"

struct printer {
    struct buffer *out;
    int file, line, col;
};

static void start_line(struct printer *p, const struct unit *u,
                       const struct token *t)
{
    if (p->out->length && p->out->bytes[p->out->length - 1] != '\n')
        buffer_write(p->out, "\n", 1);
    if (t->file != p->file && t->file >= 0)
        buffer_printf(p->out, "// %s, line %d\n", u->files[t->file].name,
                      t->line);
    else if (t->line > p->line + 1)
        buffer_write(p->out, "\n", 1);
    p->file = t->file;
    p->line = t->line;
    p->col = 0;
}

static void show_token(struct printer *p, const struct unit *u,
                       const struct token *t)
{
    bool new_line = t->file != p->file || t->line > p->line;
    if (new_line)
        start_line(p, u, t);
    bool qualifier = new_line || t->kind == T_TEXT || t->col > p->col
                     || !t->adjacent;
    int indent = t->col > p->col && t->kind != T_TEXT ? t->col - p->col : 1;
    if (qualifier && p->col + indent > 0 && !(new_line && t->col == 0))
        buffer_printf(p->out, "%*s", indent, "");
    p->col += qualifier ? indent : 0;
    buffer_write(p->out, t->text, (size_t)t->length);
    p->col += t->length;
}

void show_unit(struct unit *u, struct buffer *out)
{
    struct printer p = { .out = out, .file = -1 };
    for (const struct token *t = u->first; t; t = t->next) {
        if (t->is_removed || t->kind == T_RAW)
            continue;
        if (t->kind == T_PRAGMA)
            start_line(&p, u, t);
        show_token(&p, u, t);
        if (t->kind == T_PRAGMA)
            buffer_write(out, "\n", 1);
    }
    buffer_write(out, "\n", 1);
}
