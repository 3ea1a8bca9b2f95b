/* SPDX-License-Identifier: MIT */
/* Where did the student write this token?  The preprocessor keeps lines but
 * not columns.  So the original file is lexed as well, and the tokens of a line
 * are aligned with the original ones by their longest common subsequence.  What
 * has no partner came from a macro: it gets the place of the macro's name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

#define MAX_CELLS 4000000 /* of the alignment table: 8 MB */
#define MAX_LINES 64      /* that one macro call is followed over */

static char *load(const char *name, size_t *length)
{
    struct buffer b = { 0 };
    char block[16384];
    size_t n;
    FILE *f = fopen(name, "rb");
    if (f == NULL)
        return NULL;
    while ((n = fread(block, 1, sizeof block, f)) > 0)
        buffer_add(&b, block, n);
    bool bad = ferror(f);
    fclose(f);
    if (bad) {
        free(b.bytes);
        return NULL;
    }
    buffer_add(&b, "", 0);
    *length = b.length;
    return b.bytes;
}

static void skip_directive(struct lexer *x)
{
    while (x->p < x->end && *x->p != '\n') {
        if (*x->p == '\\' && x->end - x->p > 1 && x->p[1] == '\n') {
            x->p++;
            x->line++;
            x->line_start = x->p + 1;
        }
        x->p++;
    }
}

/* Fill f->tokens and f->at from f->text. */
static void lex_file(struct unit *u, struct file *f)
{
    struct lexer x = { f->text, f->text + f->length, f->text, 1, true };
    struct token t;
    int room = 0;
    while (lex(&x, &t)) {
        if (t.first && is(&t, "#")) {
            skip_directive(&x);
            continue;
        }
        if (f->count == room) {
            struct token *old = f->tokens;
            room = room ? 2 * room : 256;
            f->tokens = arena_get(&u->arena, sizeof t * (size_t)room);
            if (old)
                memcpy(f->tokens, old, sizeof t * (size_t)f->count);
        }
        f->tokens[f->count++] = t;
    }
    f->lines = x.line + 1;
    f->at = arena_get(&u->arena, sizeof *f->at * (size_t)(f->lines + 2));
    for (int line = 0, i = 0; line <= f->lines + 1; line++) {
        while (i < f->count && f->tokens[i].line < line)
            i++;
        f->at[line] = i;
    }
}

/* The name in quotes without quotes and backslashes. */
static const char *unquote(struct unit *u, const char *quoted, int length)
{
    char *name = arena_get(&u->arena, (size_t)length);
    int n = 0;
    for (int i = 1; i < length - 1; i++) {
        i += quoted[i] == '\\' && i + 1 < length - 1;
        name[n++] = quoted[i];
    }
    return name;
}

int file_index(struct unit *u, const char *quoted, int length)
{
    for (int i = 0; i < u->file_count; i++)
        if (strlen(u->files[i].quoted) == (size_t)length
            && memcmp(u->files[i].quoted, quoted, (size_t)length) == 0)
            return i;
    u->files = realloc(u->files, sizeof *u->files * (size_t)(u->file_count + 1));
    struct file *f = &u->files[u->file_count];
    *f = (struct file){ .name = unquote(u, quoted, length) };
    char *copy = arena_get(&u->arena, (size_t)length + 1);
    memcpy(copy, quoted, (size_t)length);
    f->quoted = copy;
    f->text = load(f->name, &f->length);
    if (f->text)
        lex_file(u, f);
    return u->file_count++;
}

/* --- one line -------------------------------------------------------------------- */

/* n tokens of one line of the output, to be found among m original ones. */
struct run {
    struct token **out;
    int n;
    const struct token *in;
    int m;
};

static void take_place(struct token *t, const struct token *from)
{
    t->line = from->line;
    t->col = from->col;
    t->quiet = false;
}

/* out[i] has no partner: the place of the macro's name is that of in[j]. */
static void take_macro(const struct run *r, int i, int j)
{
    const struct token *from = &r->in[j < r->m ? j : r->m - 1];
    take_place(r->out[i], from);
    r->out[i]->quiet = true;
}

/* best[i * width + j]: length of the longest common subsequence of out[i..]
 * and in[j..], both counted from `start`. */
static unsigned short *align_table(const struct run *r, int start, int width)
{
    int n = r->n - start, m = width - 1;
    unsigned short *best = calloc((size_t)(n + 1) * (size_t)width, sizeof *best);
    for (int i = n - 1; i >= 0 && best; i--)
        for (int j = m - 1; j >= 0; j--) {
            unsigned short *cell = best + i * width + j;
            unsigned short down = cell[width], right = cell[1];
            *cell = down > right ? down : right;
            if (same(r->out[start + i], &r->in[start + j])
                && cell[width + 1] >= *cell)
                *cell = (unsigned short)(cell[width + 1] + 1);
        }
    return best;
}

/* Pair what the two have in common behind the first `start` tokens. */
static void align_rest(const struct run *r, int start)
{
    int n = r->n - start, m = r->m - start, width = m + 1;
    bool small = (long long)(n + 1) * width <= MAX_CELLS;
    unsigned short *best = small ? align_table(r, start, width) : NULL;
    int i = 0, j = 0, unpaired = 0; /* unpaired: behind the last pair */
    while (i < n) {
        const unsigned short *cell = best ? best + i * width + j : NULL;
        if (cell && j < m && same(r->out[start + i], &r->in[start + j])
            && cell[width + 1] + 1 == *cell) {
            take_place(r->out[start + i++], &r->in[start + j++]);
            unpaired = j;
        } else if (cell && j < m && cell[1] >= cell[width]) {
            j++;
        } else {
            take_macro(r, start + i++, start + unpaired);
        }
    }
    free(best);
}

/* Brackets that the original tokens leave open: a macro call goes on below. */
static int left_open(const struct token *t, int n)
{
    int depth = 0;
    for (int i = 0; i < n; i++)
        depth += is(&t[i], "(") ? 1 : is(&t[i], ")") ? -1 : 0;
    return depth;
}

static void align(const struct file *f, struct token **out, int n, int line)
{
    if (f->text == NULL || line < 0 || line > f->lines)
        return;
    struct run r = { out, n, f->tokens + f->at[line], 0 };
    r.m = f->at[line + 1] - f->at[line];
    int i = 0;
    while (i < n && i < r.m && same(out[i], &r.in[i])) {
        take_place(out[i], &r.in[i]);
        i++;
    }
    if (i == n)
        return;
    for (int last = line + 1; last <= f->lines && last < line + MAX_LINES
                              && left_open(r.in, r.m) > 0; last++)
        r.m = f->at[last + 1] - f->at[line];
    if (r.m > 0)
        align_rest(&r, i);
}

void place_tokens(struct unit *u)
{
    struct token **run = NULL;
    int n = 0, room = 0;
    for (struct token *t = this_code(u->first); t;) {
        int line = t->line, file = t->file;
        for (n = 0; t && t->line == line && t->file == file; t = next_code(t)) {
            if (n == room) {
                room = room ? 2 * room : 256;
                run = realloc(run, sizeof *run * (size_t)room);
            }
            run[n++] = t;
        }
        align(&u->files[file], run, n, line);
    }
    free(run);
}
