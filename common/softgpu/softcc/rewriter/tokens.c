/* SPDX-License-Identifier: MIT */
/* Walking and editing the token list. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* Inserted text (T_TEXT) is one token of any length.  It equals no word of the
 * program, so that no pass rewrites what a pass inserted. */
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

bool same_text(const struct token *a, const struct token *b)
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
    return !t->is_removed && t->kind <= T_PUNCT;
}

struct token *skip_to_code(struct token *t)
{
    while (t && !is_code(t))
        t = t->next;
    return t;
}

struct token *next_code(const struct token *t)
{
    return t ? skip_to_code(t->next) : NULL;
}

struct token *prev_code(const struct token *t)
{
    struct token *p = t ? t->prev : NULL;
    while (p && !is_code(p))
        p = p->prev;
    return p;
}

static bool is_open_bracket(const struct token *t)
{
    return is(t, "(") || is(t, "[") || is(t, "{");
}

static bool is_close_bracket(const struct token *t)
{
    return is(t, ")") || is(t, "]") || is(t, "}");
}

struct token *skip_group(struct token *t)
{
    return next_code(t && is_open_bracket(t) && t->match ? t->match : t);
}

/* A < can be the operator.  It is a bracket if its > comes before the end of
 * the statement and of the enclosing group; inner groups are skipped, as in
 * `a<(b > c)>`. */
struct token *find_close_angle(struct token *open)
{
    int depth = 0;
    for (struct token *t = open; t; t = next_code(t)) {
        if (is(t, "<"))
            depth++;
        else if (is(t, ">") && --depth == 0)
            return t;
        else if (is(t, ";") || is_close_bracket(t)
                 || (is_open_bracket(t) && !t->match))
            return NULL;
        else if (is_open_bracket(t))
            t = t->match;
    }
    return NULL;
}

struct token *find_open_angle(struct token *close)
{
    int depth = 0;
    for (struct token *t = close; t; t = prev_code(t)) {
        if (is(t, ">"))
            depth++;
        else if (is(t, "<") && --depth == 0)
            return t;
        else if (is(t, ";") || is_open_bracket(t)
                 || (is_close_bracket(t) && !t->match))
            return NULL;
        else if (is_close_bracket(t))
            t = t->match;
    }
    return NULL;
}

/* Groups are skipped: a comma of f(a, b) does not separate arguments of the
 * enclosing call.  If `end` lies in a skipped group, the search ends there. */
struct token *find_at_top_level(struct token *t, struct token *end,
                                const char *text, bool angles)
{
    for (t = skip_to_code(t); t && t != end; t = next_code(t)) {
        if (is(t, text))
            return t;
        if (angles && is(t, "<") && is_word(prev_code(t))) {
            struct token *close = find_close_angle(t);
            t = close ? close : t;
        } else if (is_open_bracket(t) && t->match) {
            t = t->match;
            if (t == end)
                return NULL;
        }
    }
    return NULL;
}

bool contains(struct token *t, const struct token *end, const char *text)
{
    for (; t && t != end; t = t->next)
        if (!t->is_removed && is(t, text))
            return true;
    return false;
}

/* The last word before =, [ or the end that is no type and no template
 * argument; in `float (*p)[4]` it is within the parentheses. */
struct token *declared_name(struct token *t, struct token *end)
{
    struct token *name = NULL;
    for (; t && t != end && !is(t, "=") && !is(t, "["); t = next_code(t)) {
        if (is(t, "<") && find_close_angle(t)) {
            t = find_close_angle(t);
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

/* --- editing -------------------------------------------------------------- */

static struct token *new_text_token(struct unit *u, const struct token *at,
                                    const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = arena_alloc(&u->arena, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, args);
    struct token *t = arena_alloc(&u->arena, sizeof *t);
    *t = (struct token){ .kind = T_TEXT, .text = text, .length = n,
                         .file = at->file, .line = at->line, .col = at->col,
                         .system_text = true };
    return t;
}

/* Link a node between prev and prev->next; NULL for prev is the head. */
static void link_after(struct unit *u, struct token *prev, struct token *node)
{
    node->prev = prev;
    node->next = prev ? prev->next : u->first;
    *(node->next ? &node->next->prev : &u->last) = node;
    *(prev ? &prev->next : &u->first) = node;
}

struct token *insert_before(struct unit *u, struct token *t,
                            const struct token *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct token *node = new_text_token(u, at, format, args);
    va_end(args);
    link_after(u, t->prev, node);
    return node;
}

struct token *insert_after(struct unit *u, struct token *t,
                           const struct token *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct token *node = new_text_token(u, at, format, args);
    va_end(args);
    link_after(u, t, node);
    return node;
}

void append_token(struct unit *u, struct token *t)
{
    link_after(u, u->last, t);
}

/* The token stays in the list, so that a loop at it can continue. */
void remove_token(struct token *t)
{
    t->is_removed = true;
}

void remove_range(struct token *t, const struct token *end)
{
    for (; t && t != end; t = next_code(t))
        remove_token(t);
}

void move_tokens_before(struct unit *u, struct token *first, struct token *last,
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

/* --- text ----------------------------------------------------------------- */

const char *text_of(struct unit *u, struct token *t, const struct token *end)
{
    struct buffer b = { 0 };
    for (t = skip_to_code(t); t && t != end; t = next_code(t)) {
        if (b.length && !(t->adjacent && (is(t, ">") || is(t, "<"))))
            buffer_write(&b, " ", 1);
        buffer_write(&b, t->text, (size_t)t->length);
    }
    char *copy = arena_alloc(&u->arena, b.length + 1);
    if (b.length)
        memcpy(copy, b.bytes, b.length);
    free(b.bytes);
    return copy;
}

const char *name_of(struct unit *u, const struct token *t)
{
    char *copy = arena_alloc(&u->arena, (size_t)t->length + 1);
    memcpy(copy, t->text, (size_t)t->length);
    return copy;
}

void report_error(struct unit *u, const struct token *t, const char *format,
                  ...)
{
    va_list args;
    va_start(args, format);
    struct token *text = new_text_token(u, t, format, args);
    va_end(args);
    const char *file = t->file >= 0 ? u->files[t->file].name : "softcc";
    buffer_printf(&u->messages, "%s:%d:%d: error: %s\n", file, t->line,
                  t->col + 1, text->text);
    u->error_count++;
}
