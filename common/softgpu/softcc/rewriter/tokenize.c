/* SPDX-License-Identifier: MIT */
/* From preprocessed text to a list of tokens.  Line markers (`# 12 "file" 1 3`)
 * tell which file the text comes from.  Text of system headers becomes one
 * T_RAW token; text of the program's own files is lexed. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

struct marker {
    int line;
    const char *name; /* in quotes */
    int length;
    bool enters, leaves, system;
};

struct tokenizer {
    struct unit *unit;
    const char *p, *end;
    struct marker at; /* the last marker */
    int file;
    bool user; /* in a file of the program, not in a system header */
};

static const char *line_end(const char *p, const char *end)
{
    const char *q = memchr(p, '\n', (size_t)(end - p));
    return q ? q + 1 : end;
}

static bool parse_marker(const char *p, const char *end, struct marker *m)
{
    *m = (struct marker){ 0 };
    if (end - p < 5 || p[0] != '#' || p[1] != ' '
        || !isdigit((unsigned char)p[2]))
        return false;
    end = line_end(p, end);
    for (p += 2; p < end && isdigit((unsigned char)*p); p++)
        m->line = m->line < 100000000 ? m->line * 10 + *p - '0' : m->line;
    m->name = memchr(p, '"', (size_t)(end - p));
    if (m->name == NULL)
        return false;
    for (p = m->name + 1; p < end && *p != '"'; p++)
        p += *p == '\\' && p + 1 < end;
    if (p >= end)
        return false;
    m->length = (int)(p + 1 - m->name);
    for (p++; p < end; p++) {
        m->enters |= *p == '1';
        m->leaves |= *p == '2';
        m->system |= *p == '3';
    }
    return true;
}

static bool same_name(const struct marker *a, const struct marker *b)
{
    return a->length == b->length
           && memcmp(a->name, b->name, (size_t)a->length) == 0;
}

static void add_raw(struct tokenizer *r, const char *from, const char *to)
{
    if (from == to)
        return;
    struct token *t = arena_alloc(&r->unit->arena, sizeof *t);
    *t = (struct token){ .kind = T_RAW, .text = from,
                         .length = (int)(to - from), .file = -1 };
    append_token(r->unit, t);
}

/* Does the marker only change the line within a file of the program?  Then
 * it is not printed again. */
static bool stays_in_file(const struct tokenizer *r, const struct marker *m)
{
    return r->user && !m->enters && !m->leaves && same_name(m, &r->at);
}

static void apply_marker(struct tokenizer *r, const struct marker *m)
{
    r->user = (!m->system || is_cccl(m->name, m->length))
              && m->name[1] != '<'
              && m->name[m->length - 2] != '/'; /* "dir//": gcc's working
                                                   directory */
    r->at = *m;
    if (r->user)
        r->file = file_index(r->unit, m->name, m->length);
}

/* Read up to and including the marker that enters a file of the program. */
static void read_system(struct tokenizer *r)
{
    const char *from = r->p;
    struct marker m;
    while (r->p < r->end && !r->user) {
        if (parse_marker(r->p, r->end, &m))
            apply_marker(r, &m);
        r->p = line_end(r->p, r->end);
    }
    add_raw(r, from, r->p);
}

static void add_pragma(struct tokenizer *r, const char *from, const char *to,
                       int line)
{
    struct token *t = arena_alloc(&r->unit->arena, sizeof *t);
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    *t = (struct token){ .kind = T_PRAGMA, .text = from,
                         .length = (int)(to - from), .file = r->file,
                         .line = line };
    append_token(r->unit, t);
}

/* Lex up to the marker that leaves the file; the caller reads the marker. */
static void read_user(struct tokenizer *r)
{
    struct lexer x = { r->p, r->end, r->p, r->at.line, true };
    struct token t;
    while (lex(&x, &t)) {
        if (!(t.first && is(&t, "#"))) {
            struct token *copy = arena_alloc(&r->unit->arena, sizeof t);
            t.file = r->file;
            *copy = t;
            append_token(r->unit, copy);
            continue;
        }
        struct marker m;
        bool marker = parse_marker(t.text, r->end, &m);
        if (marker && !stays_in_file(r, &m)) {
            r->p = t.text;
            return;
        }
        if (!marker)
            add_pragma(r, t.text, line_end(t.text, r->end), t.line);
        x.p = x.line_start = line_end(t.text, r->end);
        x.line = marker ? m.line : t.line + 1;
        x.first = true;
    }
    r->p = r->end;
}

void tokenize_unit(struct unit *unit, const char *text, size_t length)
{
    struct tokenizer r = { .unit = unit, .p = text, .end = text + length };
    struct marker m;
    while (r.p < r.end) {
        if (parse_marker(r.p, r.end, &m)) {
            apply_marker(&r, &m);
            const char *next = line_end(r.p, r.end);
            if (r.user)
                add_raw(&r, r.p, next);
            r.p = r.user ? next : r.p;
        }
        if (r.user)
            read_user(&r);
        else
            read_system(&r);
    }
}
