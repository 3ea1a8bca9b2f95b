/* SPDX-License-Identifier: MIT */
/* See unseen_accesses.h.  The dump has for each function
 *
 *     ;; Function set (_Z3setP5eight, funcdef_no=...)
 *     ...
 *     void set (struct eight * p, const struct pair & q)
 *     {
 *       struct eight local;
 *
 *       [x.cu:5:81] [x.cu:5:73] *p_2(D) = add8 (q_3(D), *_4);
 *     }
 *
 * where a call's result goes to memory only if it is a struct, and an argument
 * that is no register, constant or address is a struct as well. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "unseen_accesses.h"

/* A reader of a dump; zeros but for `at`. */
struct dump {
    const char *at;         /* the text that is left */
    const char *function;   /* mangled name of the function, not terminated */
    const char *header;     /* its declaration, with the parameters */
    const char *body;       /* where its declarations begin */
    const char *statements; /* and end; NULL before that */
};

/* A call that stores a struct to, or loads one from, anything but a local
 * variable. */
struct unseen_access {
    const char *function;   /* mangled name, not terminated */
    size_t function_length; /* bytes of it */
    const char *place;      /* "FILE:LINE:COL" of the call, likewise */
    size_t place_length;    /* bytes of it; 0: not known */
    bool is_load;           /* of an argument; else the store of a result */
    bool is_name;           /* the argument is a name: a variable, or the
                               address of a function */
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

/* Is the name that of a parameter? */
static bool is_parameter(const struct dump *d, const char *name, size_t length)
{
    const char *p = d->header;

    while (p && (p = memmem(p, (size_t)(d->body - p), name, length))) {
        if (p > d->header && p[-1] == ' ' && strchr(",)", p[length]))
            return true;
        p += length;
    }
    return false;
}

/* Is the name declared as a variable of the function's frame? */
static bool is_local(const struct dump *d, const char *name, size_t length)
{
    if (is_parameter(d, name, length))
        return true;
    for (const char *p = d->body; p && p < d->statements;
         p += line_length(p) + 1) {
        const size_t n = line_length(p);
        const char *semicolon = memchr(p, ';', n), *end = semicolon;

        if (!semicolon || begins_with(p, n, "  static ")
            || begins_with(p, n, "  extern "))
            continue;
        while (end > p && end[-1] == ']') /* of an array */
            for (end--; end > p && *end != '[';)
                end--;
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

/* Skip `MEM <type> [(type *)` or `VIEW_CONVERT_EXPR<type>(`.
 *  @return what is accessed there */
static const char *skip_cast(const char *p, const char *end)
{
    const char *close;

    if (begins_with(p, (size_t)(end - p), "VIEW_CONVERT_EXPR<")) {
        close = memmem(p, (size_t)(end - p), ">(", 2);
        return close ? close + 2 : p;
    }
    if (!begins_with(p, (size_t)(end - p), "MEM"))
        return p;
    close = memmem(p, (size_t)(end - p), "[(", 2);
    close = close ? memchr(close, ')', (size_t)(end - close)) : NULL;
    return close ? close + 1 : p;
}

/* Is [p, end) an argument that needs no load: a register, a constant, an
 * address, or a struct of the function's frame? */
static bool is_seen_argument(const struct dump *d, const char *p,
                             const char *end)
{
    static const char own[] = "(D)";
    const char *base = skip_cast(p, end), *constant = "*.LC";
    const size_t n = sizeof own - 1;

    if (p == end || isdigit((unsigned char)*p) || strchr("-\"&{(", *p)
        || begins_with(p, (size_t)(end - p), "__complex__")
        || begins_with(p, (size_t)(end - p), constant))
        return true;
    if (base != p && *base == '&') /* MEM[(struct eight *)&local] */
        return is_in_frame(d, base + 1, end);
    if (base != p && *p == 'M') /* through a pointer */
        return false;
    if ((size_t)(end - p) > n && !memcmp(end - n, own, n))
        end -= n;
    return is_register(p, end) || is_in_frame(d, base, end);
}

/* The ');' at the end of a call in [p, end): its ')', or NULL. */
static const char *call_end(const char *p, const char *end)
{
    while (end > p + 1 && (end[-1] != ';' || end[-2] != ')'))
        end--;
    return end > p + 1 ? end - 2 : NULL;
}

/* The '(' of the ')' at `close`, going back from there; NULL: before p. */
static const char *call_begin(const char *p, const char *close)
{
    bool text = false;
    int depth = 0;

    for (const char *c = close; c >= p; c--) {
        if (*c == '"' && (c == p || c[-1] != '\\'))
            text = !text;
        if (text)
            continue;
        depth += *c == ')';
        depth -= *c == '(';
        if (!depth)
            return c;
    }
    return NULL;
}

/* Where the argument at p ends: at a comma outside of brackets, or at end. */
static const char *argument_end(const char *p, const char *end)
{
    int depth = 0;

    for (; p < end; p++) {
        if (*p == '"')
            for (p++; p < end && *p != '"'; p++)
                p += *p == '\\';
        depth += p < end && strchr("([{<", *p) != NULL;
        depth -= p < end && (strchr(")]}", *p)
                             || (*p == '>' && p[-1] != '-'));
        if (p < end && *p == ',' && depth <= 0)
            return p;
    }
    return end;
}

/* Is [p, end) a name alone? */
static bool is_name(const char *p, const char *end)
{
    while (p < end && (is_name_character(*p) || *p == ':') && *p != '.')
        p++;
    return p == end;
}

/* Does the call [p, end) load an argument from outside of the frame? */
static bool loads_argument(const struct dump *d, const char *p,
                           const char *end, struct unseen_access *access)
{
    const char *close = call_end(p, end), *at, *ignored, *next;

    at = close ? call_begin(p, close) : NULL;
    if (!at || at == p || begins_with(p, (size_t)(end - p), "__asm__"))
        return false;
    for (at++; at < close; at = next + (next < close)) {
        while (*at == ' ')
            at++;
        while (skip_place(&at, close, &ignored))
            ;
        next = argument_end(at, close);
        if (!is_seen_argument(d, at, next)) {
            access->is_load = true;
            access->is_name = is_name(at, next);
            return true;
        }
    }
    return false;
}

/* The statement [p, end): is it a call that stores its result out of the
 * frame, or loads an argument from there? */
static bool is_unseen(const struct dump *d, const char *p, const char *end,
                      struct unseen_access *access)
{
    const char *equal, *ignored;
    size_t length;

    access->place_length = 0;
    access->is_load = access->is_name = false;
    while (p < end && *p == ' ')
        p++;
    while ((length = skip_place(&p, end, &ignored)) > 0)
        if (!access->place_length) {
            access->place = ignored;
            access->place_length = length;
        }
    equal = memmem(p, (size_t)(end - p), " = ", 3);
    if (!is_call(equal ? equal + 3 : p, end))
        return false;
    return (equal && equal != p && !is_register(p, equal)
            && !is_in_frame(d, p, equal) && !is_result_place(d, p, equal))
           || loads_argument(d, equal ? equal + 3 : p, end, access);
}

/* ";; Function set (_Z3setP5eight, funcdef_no=..." */
static void enter_function(struct dump *d, const char *line, size_t length)
{
    const char *end = memmem(line, length, ", funcdef_no", 12);

    while (end && end > line && (end[-1] != '(' || end[-2] != ' '))
        end--;
    d->function = end && end > line ? end : "";
    d->header = line + length;
    d->body = d->statements = NULL;
}

static bool next_access(struct dump *d, struct unseen_access *access)
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
        else if (d->statements && is_unseen(d, line, line + n, access)) {
            access->function = d->function;
            access->function_length = strcspn(d->function, ",) ");
            return true;
        }
    }
    return false;
}

/* Is the place in a file of the program's own? */
static bool is_own_place(const struct unseen_access *a)
{
    return a->place_length && *a->place != '<'
           && !begins_with(a->place, a->place_length, "/usr/")
           && !memmem(a->place, a->place_length, "softgpu/include/", 16);
}

bool has_unseen_accesses(const char *text)
{
    struct dump dump = { .at = text };
    struct unseen_access access = { .place = "" };

    while (next_access(&dump, &access))
        if (is_own_place(&access))
            return true;
    return false;
}

static const char *const messages_for[] = {
    "a struct that a call returns is stored here unseen by the checks: assign "
    "it to a local variable, and that",
    "a struct that a function takes by value is loaded here unseen by the "
    "checks: pass a local variable that it is copied to",
};

/* A kernel's code is there more than once: each place is reported once.  A name
 * is the address of a function, or one struct that is always the same. */
void report_unseen_accesses(const char *text,
                            bool (*is_reached)(void *object, const char *name,
                                               size_t length),
                            void *object, struct buffer *messages)
{
    struct dump dump = { .at = text };
    struct unseen_access access = { .place = "" };
    char line[512];

    while (next_access(&dump, &access)) {
        if (access.is_name
            || !is_reached(object, access.function, access.function_length))
            continue;
        snprintf(line, sizeof line, "%.*s: error: %s\n",
                 (int)access.place_length, access.place,
                 messages_for[access.is_load]);
        if (!messages->length || !strstr(messages->bytes, line))
            buffer_printf(messages, "%s", line);
    }
}
