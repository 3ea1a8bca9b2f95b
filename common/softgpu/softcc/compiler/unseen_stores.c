/* SPDX-License-Identifier: MIT */
/* See unseen_stores.h.  The dump has for each function
 *
 *     ;; Function set (_Z3setP5eight, funcdef_no=...)
 *     ...
 *     {
 *       struct eight local;
 *
 *       [x.cu:5:81] [x.cu:5:73] *p_2(D) = add8 (q_3(D));
 *     }
 *
 * where a call's result goes to memory only if it is a struct. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "unseen_stores.h"

/* A reader of a dump; zeros but for `at`. */
struct dump {
    const char *at;         /* the text that is left */
    const char *function;   /* mangled name of the function, not terminated */
    const char *body;       /* where its declarations begin */
    const char *statements; /* and end; NULL before that */
};

/* A store of a call's result to anything but a local variable. */
struct unseen_store {
    const char *function;   /* mangled name, not terminated */
    size_t function_length; /* bytes of it */
    const char *place;      /* "FILE:LINE:COL" of the call, likewise */
    size_t place_length;    /* bytes of it; 0: not known */
};

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || strchr("_$.", c);
}

/* The length of the line at p, without its end. */
static size_t line_length(const char *p)
{
    return strcspn(p, "\n");
}

static bool begins_with(const char *p, size_t length, const char *text)
{
    const size_t n = strlen(text);

    return length >= n && !memcmp(p, text, n);
}

/* "[x.cu:5:81] " before an operand: skip it.
 *  @return the length of what is in the brackets; 0: no place is there */
static size_t skip_place(const char **p, const char *end, const char **place)
{
    const char *close;
    size_t length;

    if (*p == end || **p != '[')
        return 0;
    close = memchr(*p, ']', (size_t)(end - *p));
    if (!close)
        return 0;
    *place = *p + 1;
    length = (size_t)(close - *place);
    *p = close + 1;
    while (*p < end && **p == ' ')
        ++*p;
    return length;
}

/* Is the name declared as a variable of the function's frame? */
static bool is_local(const struct dump *d, const char *name, size_t length)
{
    for (const char *p = d->body; p && p < d->statements;
         p += line_length(p) + 1) {
        const size_t n = line_length(p);
        const char *semicolon = memchr(p, ';', n), *end = semicolon;

        if (!semicolon || begins_with(p, n, "  static ")
            || begins_with(p, n, "  extern "))
            continue;
        while (end > p && end[-1] == ']') { /* of an array */
            while (end > p && *end != '[')
                end--;
        }
        if ((size_t)(end - p) > length && !memcmp(end - length, name, length)
            && !is_name_character(end[-1 - (ptrdiff_t)length]))
            return true;
    }
    return false;
}

/* Is it *_7(D), where the function returns what its caller gave it as _7, the
 * place of its result? */
static bool is_result_place(const struct dump *d, const char *p,
                            const char *end)
{
    const char *stop = strstr(d->statements, "\n;; Function ");
    const size_t rest = stop ? (size_t)(stop - d->statements)
                             : strlen(d->statements);
    char text[64] = "return ";
    const size_t n = strlen(text), length = (size_t)(end - p);

    if (!begins_with(p, length, "*_") || length < 5 || memcmp(end - 3, "(D)", 3)
        || length + n > sizeof text)
        return false;
    memcpy(text + n, p + 1, length - 1);
    text[n + length - 1] = ';';
    return memmem(d->statements, rest, text, n + length) != NULL;
}

/* A temporary of the compiler's, the result itself, or a local variable, or a
 * part of one. */
static bool is_in_frame(const struct dump *d, const char *p, const char *end)
{
    const char *name = p;

    if (begins_with(p, (size_t)(end - p), "<retval>")
        || begins_with(p, (size_t)(end - p), "D."))
        return memmem(p, (size_t)(end - p), "->", 2) == NULL;
    while (p < end && (is_name_character(*p)) && *p != '.')
        p++;
    if (p == name || (p + 1 < end && p[0] == '-' && p[1] == '>'))
        return false;
    return is_local(d, name, (size_t)(p - name));
}

/* Is [p, end) a value in registers: _7, x_7? */
static bool is_register(const char *p, const char *end)
{
    const char *digits = end;

    while (digits > p && isdigit((unsigned char)digits[-1]))
        digits--;
    if (digits == end || digits == p || digits[-1] != '_')
        return false;
    while (p < digits && is_name_character(*p))
        p++;
    return p == digits;
}

/* Is [p, end) a call: a name or a pointer, and arguments? */
static bool is_call(const char *p, const char *end)
{
    const char *open = memmem(p, (size_t)(end - p), " (", 2);

    return end > p && end[-1] != '}' && open && *p != '(' && *p != '&'
           && *p != '{' && memmem(p, (size_t)(end - p), ");", 2);
}

/* The statement [p, end): does it store a call's result out of the frame? */
static bool is_unseen(const struct dump *d, const char *p, const char *end,
                      struct unseen_store *store)
{
    const char *equal, *ignored;
    size_t length;

    store->place_length = 0;
    while (p < end && *p == ' ')
        p++;
    while ((length = skip_place(&p, end, &ignored)) > 0)
        if (!store->place_length) {
            store->place = ignored;
            store->place_length = length;
        }
    equal = memmem(p, (size_t)(end - p), " = ", 3);
    if (!equal || equal == p || !is_call(equal + 3, end))
        return false;
    return !is_register(p, equal) && !is_in_frame(d, p, equal)
           && !is_result_place(d, p, equal);
}

static void enter_function(struct dump *d, const char *line, size_t length)
{
    const char *open = memmem(line, length, " (", 2);

    d->function = open ? open + 2 : "";
    d->body = d->statements = NULL;
}

static bool next_store(struct dump *d, struct unseen_store *store)
{
    while (*d->at) {
        const char *line = d->at;
        const size_t n = line_length(line);

        d->at += n + (line[n] == '\n');
        if (begins_with(line, n, ";; Function "))
            enter_function(d, line, n);
        else if (n == 1 && *line == '{')
            d->body = d->at;
        else if (d->body && !d->statements
                 && (n == 0 || begins_with(line, n, "  <bb ")))
            d->statements = line;
        else if (d->statements && is_unseen(d, line, line + n, store)) {
            store->function = d->function;
            store->function_length = strcspn(d->function, ",) ");
            return true;
        }
    }
    return false;
}

/* A kernel's code is there more than once: each place is reported once. */
void report_unseen_stores(const char *text,
                          bool (*is_reached)(void *object, const char *name,
                                             size_t length),
                          void *object, struct buffer *messages)
{
    struct dump dump = { .at = text };
    struct unseen_store store = { .place = "" };
    char line[512];

    while (next_store(&dump, &store)) {
        if (!is_reached(object, store.function, store.function_length))
            continue;
        snprintf(line, sizeof line,
                 "%.*s: error: a struct that a call returns is stored here "
                 "unseen by the checks: assign it to a local variable, and "
                 "that\n", (int)store.place_length, store.place);
        if (!messages->length || !strstr(messages->bytes, line))
            buffer_printf(messages, "%s", line);
    }
}
