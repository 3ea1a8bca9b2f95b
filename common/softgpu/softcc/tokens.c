/* SPDX-License-Identifier: MIT */
/* Walking and editing the token list. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* What softcc wrote itself (T_TEXT) is one token of any length: it equals no
 * word of the program, so that nothing is rewritten twice. */
bool is(const struct token *t, const char *text)
{
    return t && t->kind != T_TEXT && t->text[0] == text[0]
           && strlen(text) == (size_t)t->length
           && memcmp(t->text, text, (size_t)t->length) == 0;
}

bool is_any(const struct token *t, const char *const *list)
{
    for (; *list; list++)
        if (is(t, *list))
            return true;
    return false;
}

bool same(const struct token *a, const struct token *b)
{
    return a && b && a->length == b->length
           && memcmp(a->text, b->text, (size_t)a->length) == 0;
}

bool is_word(const struct token *t)
{
    return t && t->kind == T_IDENT;
}

bool is_type_word(const struct token *t)
{
    static const char *const words[] = {
        "void",  "bool",     "char",     "short",        "int",
        "long",  "float",    "double",   "signed",       "unsigned",
        "auto",  "const",    "volatile", "__restrict__", "__restrict",
        "wchar_t", "__int128", "char8_t", "char16_t", "char32_t", NULL
    };
    return is_word(t) && is_any(t, words);
}

static bool is_code(const struct token *t)
{
    return !t->dead && t->kind <= T_PUNCT;
}

struct token *this_code(struct token *t)
{
    while (t && !is_code(t))
        t = t->next;
    return t;
}

struct token *next_code(const struct token *t)
{
    return t ? this_code(t->next) : NULL;
}

struct token *prev_code(const struct token *t)
{
    struct token *p = t ? t->prev : NULL;
    while (p && !is_code(p))
        p = p->prev;
    return p;
}

static bool opens(const struct token *t)
{
    return is(t, "(") || is(t, "[") || is(t, "{");
}

static bool closes(const struct token *t)
{
    return is(t, ")") || is(t, "]") || is(t, "}");
}

struct token *skip_group(struct token *t)
{
    return next_code(t && opens(t) && t->match ? t->match : t);
}

/* A < may be less-than.  It is a bracket if its > comes before the statement or
 * the group around it ends; groups within are skipped, `a<(b > c)>` too. */
struct token *close_angle(struct token *open)
{
    int depth = 0;
    for (struct token *t = open; t; t = next_code(t)) {
        if (is(t, "<"))
            depth++;
        else if (is(t, ">") && --depth == 0)
            return t;
        else if (is(t, ";") || closes(t) || (opens(t) && !t->match))
            return NULL;
        else if (opens(t))
            t = t->match;
    }
    return NULL;
}

struct token *open_angle(struct token *close)
{
    int depth = 0;
    for (struct token *t = close; t; t = prev_code(t)) {
        if (is(t, ">"))
            depth++;
        else if (is(t, "<") && --depth == 0)
            return t;
        else if (is(t, ";") || opens(t) || (closes(t) && !t->match))
            return NULL;
        else if (closes(t))
            t = t->match;
    }
    return NULL;
}

/* Not within groups: a comma of f(a, b) parts no arguments of the call around
 * it.  An end inside a group that is skipped was never to be found. */
struct token *find_flat(struct token *t, struct token *end, const char *text,
                        bool angles)
{
    for (t = this_code(t); t && t != end; t = next_code(t)) {
        if (is(t, text))
            return t;
        if (angles && is(t, "<") && is_word(prev_code(t))) {
            struct token *close = close_angle(t);
            t = close ? close : t;
        } else if (opens(t) && t->match) {
            t = t->match;
            if (t == end)
                return NULL;
        }
    }
    return NULL;
}

/* At any depth. */
bool mentions(struct token *t, const struct token *end, const char *text)
{
    for (; t && t != end; t = t->next)
        if (!t->dead && is(t, text))
            return true;
    return false;
}

/* The last word before =, [ or the end, types and template arguments aside; in
 * `float (*p)[4]` it lies within the brackets. */
struct token *declared_name(struct token *t, struct token *end)
{
    struct token *name = NULL;
    for (; t && t != end && !is(t, "=") && !is(t, "["); t = next_code(t)) {
        if (is(t, "<") && close_angle(t)) {
            t = close_angle(t);
        } else if (is(t, "{") && t->match) {
            t = t->match;
        } else if (is(t, "(") && t->match) {
            struct token *inner = declared_name(next_code(t), t->match);
            bool declarator = is(next_code(t), "*") || is(next_code(t), "&");
            if (declarator)
                return inner;
            t = t->match;
        } else if (is_word(t) && !is_type_word(t)) {
            name = t;
        }
    }
    return name;
}

/* --- editing ----------------------------------------------------------------- */

static struct token *make_text(struct unit *u, const struct token *at,
                               const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = arena_get(&u->arena, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, args);
    struct token *t = arena_get(&u->arena, sizeof *t);
    *t = (struct token){ .kind = T_TEXT, .text = text, .length = n,
                         .file = at->file, .line = at->line, .col = at->col,
                         .quiet = true };
    return t;
}

/* Link node between prev and prev->next; prev NULL is the list's head. */
static void link_after(struct unit *u, struct token *prev, struct token *node)
{
    node->prev = prev;
    node->next = prev ? prev->next : u->first;
    *(node->next ? &node->next->prev : &u->last) = node;
    *(prev ? &prev->next : &u->first) = node;
}

struct token *put_before(struct unit *u, struct token *t,
                         const struct token *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct token *node = make_text(u, at, format, args);
    va_end(args);
    link_after(u, t->prev, node);
    return node;
}

struct token *put_after(struct unit *u, struct token *t,
                        const struct token *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct token *node = make_text(u, at, format, args);
    va_end(args);
    link_after(u, t, node);
    return node;
}

void append(struct unit *u, struct token *t)
{
    link_after(u, u->last, t);
}

/* It stays in the list, so that whoever holds it can walk on from it. */
void drop(struct token *t)
{
    t->dead = true;
}

void drop_range(struct token *t, const struct token *end)
{
    for (; t && t != end; t = next_code(t))
        drop(t);
}

void move_before(struct unit *u, struct token *first, struct token *last,
                 struct token *where)
{
    *(first->prev ? &first->prev->next : &u->first) = last->next;
    *(last->next ? &last->next->prev : &u->last) = first->prev;
    struct token *prev = where->prev;
    first->prev = prev;
    last->next = where;
    where->prev = last;
    *(prev ? &prev->next : &u->first) = first;
}

/* --- text --------------------------------------------------------------------- */

const char *text_of(struct unit *u, struct token *t, const struct token *end)
{
    struct buffer b = { 0 };
    for (t = this_code(t); t && t != end; t = next_code(t)) {
        if (b.length && !(t->glued && (is(t, ">") || is(t, "<"))))
            buffer_add(&b, " ", 1);
        buffer_add(&b, t->text, (size_t)t->length);
    }
    char *copy = arena_get(&u->arena, b.length + 1);
    if (b.length)
        memcpy(copy, b.bytes, b.length);
    free(b.bytes);
    return copy;
}

const char *name_of(struct unit *u, const struct token *t)
{
    char *copy = arena_get(&u->arena, (size_t)t->length + 1);
    memcpy(copy, t->text, (size_t)t->length);
    return copy;
}

void complain(struct unit *u, const struct token *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct token *text = make_text(u, t, format, args);
    va_end(args);
    const char *file = t->file >= 0 ? u->files[t->file].name : "softcc";
    buffer_print(&u->messages, "%s:%d:%d: error: %s\n", file, t->line,
                 t->col + 1, text->text);
    u->refused++;
}
