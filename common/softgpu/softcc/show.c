/* SPDX-License-Identifier: MIT */
/* --show: the rewritten source for a reader.  Lines and columns are kept as
 * far as the insertions leave room; system headers are left out. */
#include "tokens.h"

struct page {
    struct buffer *out;
    int file, line, col;
};

static void start_line(struct page *p, const struct unit *u,
                       const struct token *t)
{
    if (p->out->length && p->out->bytes[p->out->length - 1] != '\n')
        buffer_add(p->out, "\n", 1);
    if (t->file != p->file && t->file >= 0)
        buffer_print(p->out, "// %s, line %d\n", u->files[t->file].name,
                     t->line);
    else if (t->line > p->line + 1)
        buffer_add(p->out, "\n", 1);
    p->file = t->file;
    p->line = t->line;
    p->col = 0;
}

static void show_token(struct page *p, const struct unit *u,
                       const struct token *t)
{
    bool fresh = t->file != p->file || t->line > p->line;
    if (fresh)
        start_line(p, u, t);
    bool space = fresh || t->kind == T_TEXT || t->col > p->col || !t->glued;
    int indent = t->col > p->col && t->kind != T_TEXT ? t->col - p->col : 1;
    if (space && p->col + indent > 0 && !(fresh && t->col == 0))
        buffer_print(p->out, "%*s", indent, "");
    p->col += space ? indent : 0;
    buffer_add(p->out, t->text, (size_t)t->length);
    p->col += t->length;
}

void show_unit(struct unit *u, struct buffer *out)
{
    struct page p = { .out = out, .file = -1 };
    for (const struct token *t = u->first; t; t = t->next) {
        if (t->dead || t->kind == T_RAW)
            continue;
        if (t->kind == T_PRAGMA)
            start_line(&p, u, t);
        show_token(&p, u, t);
        if (t->kind == T_PRAGMA)
            buffer_add(out, "\n", 1);
    }
    buffer_add(out, "\n", 1);
}
