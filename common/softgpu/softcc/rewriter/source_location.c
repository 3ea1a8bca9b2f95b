/* SPDX-License-Identifier: MIT */
/* The source location of each token.  The preprocessor keeps lines but not
 * columns.  So the source file is lexed as well, and the tokens of a line are
 * aligned with those of the source by their longest common subsequence (LCS).
 * A token without a partner came from a macro: it gets the location of the
 * macro's name. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "tokens.h"

#define MAX_LCS_CELLS 4000000 /* of the LCS table: 8 MB */
#define MAX_CALL_LINES 64      /* of one macro call */

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
    int capacity = 0;
    while (lex(&x, &t)) {
        if (t.first && is(&t, "#")) {
            skip_directive(&x);
            continue;
        }
        if (f->count == capacity) {
            struct token *old = f->tokens;
            capacity = capacity ? 2 * capacity : 256;
            f->tokens = arena_alloc(&u->arena, sizeof t * (size_t)capacity);
            if (old)
                memcpy(f->tokens, old, sizeof t * (size_t)f->count);
        }
        f->tokens[f->count++] = t;
    }
    f->lines = x.line + 1;
    f->at = arena_alloc(&u->arena, sizeof *f->at * (size_t)(f->lines + 2));
    for (int line = 0, i = 0; line <= f->lines + 1; line++) {
        while (i < f->count && f->tokens[i].line < line)
            i++;
        f->at[line] = i;
    }
}

/* The quoted name without quotes and backslashes. */
static const char *unquote(struct unit *u, const char *quoted, int length)
{
    char *name = arena_alloc(&u->arena, (size_t)length);
    int n = 0;
    for (int i = 1; i < length - 1; i++) {
        i += quoted[i] == '\\' && i + 1 < length - 1;
        name[n++] = quoted[i];
    }
    return name;
}

bool is_cccl(const char *path, int n)
{
    static const char *const parts[] = { "/cccl/", "/cuda_cccl/", "/cub/",
                                         "/thrust/", "/cuda/std/", "/cuda/__" };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (memmem(path, (size_t)n, parts[i], strlen(parts[i])))
            return true;
    return false;
}

bool in_cccl(const struct unit *u, const struct token *t)
{
    return t && t->file >= 0 && u->files[t->file].cccl;
}

int file_index(struct unit *u, const char *quoted, int length)
{
    for (int i = 0; i < u->file_count; i++)
        if (strlen(u->files[i].quoted) == (size_t)length
            && memcmp(u->files[i].quoted, quoted, (size_t)length) == 0)
            return i;
    u->files = realloc(u->files,
                       sizeof *u->files * (size_t)(u->file_count + 1));
    struct file *f = &u->files[u->file_count];
    *f = (struct file){ .name = unquote(u, quoted, length) };
    char *copy = arena_alloc(&u->arena, (size_t)length + 1);
    memcpy(copy, quoted, (size_t)length);
    f->quoted = copy;
    f->cccl = is_cccl(quoted, length);
    f->text = read_file(f->name, SIZE_MAX - 1, &f->length);
    if (f->text)
        lex_file(u, f);
    return u->file_count++;
}

/* --- one line ------------------------------------------------------------- */

/* n tokens of one line of the output, to be found among m original ones. */
struct line_tokens {
    struct token **out;
    int n;
    const struct token *source_tokens;
    int m;
};

static void set_location(struct token *t, const struct token *from)
{
    t->line = from->line;
    t->col = from->col;
    t->system_text = false;
}

/* out[i] came from a macro whose name is source token j. */
static void set_macro_location(const struct line_tokens *r, int i, int j)
{
    const struct token *from = &r->source_tokens[j < r->m ? j : r->m - 1];
    set_location(r->out[i], from);
    r->out[i]->system_text = true;
}

/* lcs[i * width + j]: length of the longest common subsequence of the output
 * tokens from i on and the source tokens from j on, counted from `start`. */
static unsigned short *lcs_table(const struct line_tokens *r, int start,
                                 int width)
{
    int n = r->n - start, m = width - 1;
    unsigned short *lcs = calloc((size_t)(n + 1) * (size_t)width, sizeof *lcs);
    for (int i = n - 1; i >= 0 && lcs; i--)
        for (int j = m - 1; j >= 0; j--) {
            unsigned short *cell = lcs + i * width + j;
            unsigned short down = cell[width], right = cell[1];
            *cell = down > right ? down : right;
            if (same_text(r->out[start + i], &r->source_tokens[start + j])
                && cell[width + 1] >= *cell)
                *cell = (unsigned short)(cell[width + 1] + 1);
        }
    return lcs;
}

/* Align the tokens after the first `start`, which are equal. */
static void align_by_lcs(const struct line_tokens *r, int start)
{
    int n = r->n - start, m = r->m - start, width = m + 1;
    bool small = (long long)(n + 1) * width <= MAX_LCS_CELLS;
    unsigned short *lcs = small ? lcs_table(r, start, width) : NULL;
    int i = 0, j = 0, unpaired = 0; /* unpaired: behind the last pair */
    while (i < n) {
        const unsigned short *cell = lcs ? lcs + i * width + j : NULL;
        if (cell && j < m
            && same_text(r->out[start + i], &r->source_tokens[start + j])
            && cell[width + 1] + 1 == *cell) {
            set_location(r->out[start + i++], &r->source_tokens[start + j++]);
            unpaired = j;
        } else if (cell && j < m && cell[1] >= cell[width]) {
            j++;
        } else {
            set_macro_location(r, start + i++, start + unpaired);
        }
    }
    free(lcs);
}

/* Parentheses left open by n source tokens: a macro call continues on the next
 * line. */
static int open_parentheses(const struct token *t, int n)
{
    int depth = 0;
    for (int i = 0; i < n; i++)
        depth += is(&t[i], "(") ? 1 : is(&t[i], ")") ? -1 : 0;
    return depth;
}

static void align_line(const struct file *f, struct token **out, int n,
                       int line)
{
    if (f->text == NULL || line < 0 || line > f->lines)
        return;
    struct line_tokens r = { out, n, f->tokens + f->at[line], 0 };
    r.m = f->at[line + 1] - f->at[line];
    int i = 0;
    while (i < n && i < r.m && same_text(out[i], &r.source_tokens[i])) {
        set_location(out[i], &r.source_tokens[i]);
        i++;
    }
    if (i == n)
        return;
    for (int last = line + 1; last <= f->lines && last < line + MAX_CALL_LINES
                              && open_parentheses(r.source_tokens, r.m) > 0;
         last++)
        r.m = f->at[last + 1] - f->at[line];
    if (r.m > 0)
        align_by_lcs(&r, i);
}

void locate_tokens(struct unit *u)
{
    struct token **line_tokens = NULL;
    int n = 0, capacity = 0;
    for (struct token *t = skip_to_code(u->first); t;) {
        int line = t->line, file = t->file;
        for (n = 0; t && t->line == line && t->file == file; t = next_code(t)) {
            if (n == capacity) {
                capacity = capacity ? 2 * capacity : 256;
                line_tokens = realloc(line_tokens,
                                      sizeof *line_tokens * (size_t)capacity);
            }
            line_tokens[n++] = t;
        }
        align_line(&u->files[file], line_tokens, n, line);
        for (int i = 0; i < n && u->files[file].cccl; i++)
            line_tokens[i]->system_text = true; /* no warnings about it */
    }
    free(line_tokens);
}
