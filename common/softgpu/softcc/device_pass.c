/* SPDX-License-Identifier: MIT */
/* __CUDA_ARCH__ is defined in device code and not in host code.  A program that
 * asks for it is therefore read twice.  From the second reading come the bodies
 * of device functions, function by function, and the device functions that only
 * it has; the latter go in front of the next function that both have.  A
 * function of both sides gets both bodies, and asks which side it is on. */
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* Only device code. */
static bool is_device_code(const struct function *f)
{
    return f->global || (f->device && !f->host);
}

/* Code of both sides, which can ask at run time where it is. */
static bool is_shared_code(const struct function *f)
{
    return f->device && f->host && f->body
           && !mentions(f->start, f->body, "constexpr");
}

/* Everything in front of the body, or of a prototype's ';'. */
static const char *head_of(struct unit *u, const struct function *f)
{
    struct token *end = f->body ? f->body
                                : find_flat(f->close, NULL, ";", false);
    return text_of(u, f->start, end);
}

/* The function of `other` with the same head as f, searched from `from` on.
 * @return its index, or -1 */
static int find_twin(struct unit *u, const struct function *f,
                     const struct unit *other, int from)
{
    const char *head = head_of(u, f);
    for (int i = from; i < other->function_count; i++) {
        const struct function *g = &other->functions[i];
        if (is_device_code(g) == is_device_code(f) && !g->body == !f->body
            && strcmp(head, head_of(u, g)) == 0)
            return i;
    }
    return -1;
}

/* Take the list nodes strictly between `open` and `close` out of a list. */
static struct token *cut(struct token *open, struct token *close,
                         struct token **last)
{
    struct token *first = open->next;
    *last = close->prev;
    open->next = close;
    close->prev = open;
    return first == close ? NULL : first;
}

/* Tokens first..last of `other` are now among u's files. */
static void move_files(struct unit *u, const struct unit *other,
                       struct token *first, const struct token *last)
{
    for (struct token *t = first; t; t = t == last ? NULL : t->next)
        if (t->file >= 0) {
            const char *quoted = other->files[t->file].quoted;
            t->file = file_index(u, quoted, (int)strlen(quoted));
        }
}

/* Put what g's braces hold behind f's opening one. */
static void add_body(struct unit *u, struct function *f, struct unit *other,
                     struct function *g)
{
    struct token *last, *behind = f->body->next;
    struct token *first = cut(g->body, g->end, &last);
    if (first == NULL)
        return;
    last->next = NULL;
    move_files(u, other, first, last);
    first->prev = f->body;
    last->next = behind;
    f->body->next = first;
    behind->prev = last;
}

static void replace_body(struct unit *u, struct function *f,
                         struct unit *other, struct function *g)
{
    struct token *last;
    cut(f->body, f->end, &last);
    add_body(u, f, other, g);
}

/* { A } and { B } become { if (in a kernel) { B } else { A } }.  Where B is
 * PTX, A has to do for both. */
static void join_bodies(struct unit *u, struct function *f, struct unit *other,
                        struct function *g)
{
    if (strcmp(text_of(u, f->body, f->end), text_of(u, g->body, g->end)) == 0
        || mentions(g->body, g->end, "asm"))
        return;
    put_after(u, f->body, f->body, " } else { ");
    put_before(u, f->end, f->end, " }");
    add_body(u, f, other, g);
    put_after(u, f->body, f->body, " if (softgpu_tls.block) { ");
}

/* The functions of both sides, each with both its bodies. */
static void join_shared_code(struct unit *u, struct unit *device)
{
    int from = 0;
    for (int i = 0; i < u->function_count; i++) {
        int twin = is_shared_code(&u->functions[i])
                       ? find_twin(u, &u->functions[i], device, from)
                       : -1;
        if (twin < 0)
            continue;
        from = twin + 1;
        join_bodies(u, &u->functions[i], device, &device->functions[twin]);
    }
}

/* A function of u with g's name and parameters. */
static bool has_like(struct unit *u, const struct function *g)
{
    const char *call = text_of(u, g->name, g->close);
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (same(f->name, g->name)
            && strcmp(call, text_of(u, f->name, f->close)) == 0)
            return true;
    }
    return false;
}

/* Insert g, a function of `other`, before function i of u.
 * @return how many functions that is */
static int take_function(struct unit *u, int i, struct unit *other,
                         struct function g)
{
    struct token *last = g.body ? g.end : find_flat(g.close, NULL, ";", false);
    if (last == NULL)
        return 0;
    *(g.start->prev ? &g.start->prev->next : &other->first) = last->next;
    *(last->next ? &last->next->prev : &other->last) = g.start->prev;
    struct token *where = u->functions[i].start;
    struct token *before = where->prev;
    g.start->prev = before;
    *(before ? &before->next : &u->first) = g.start;
    last->next = where;
    where->prev = last;
    move_files(u, other, g.start, last);
    size_t count = (size_t)u->function_count++;
    u->functions = realloc(u->functions, sizeof g * (count + 1));
    struct function *at = &u->functions[i];
    memmove(at + 1, at, sizeof g * (count - (size_t)i));
    *at = g;
    return 1;
}

static bool same_level(const struct function *f, const struct function *g)
{
    return f->space && g->space ? strcmp(f->space, g->space) == 0
                                : f->space == g->space;
}

/* The device functions of `other` before `end` that are neither seen yet nor
 * in u go before function i of u, if they are of its namespace.
 * @return how many */
static int take_missing(struct unit *u, int i, struct unit *other, int end,
                        bool *seen)
{
    int taken = 0;
    for (int k = 0; k < end; k++) {
        const struct function *g = &other->functions[k];
        if (seen[k] || !same_level(&u->functions[i + taken], g))
            continue;
        seen[k] = true;
        if (is_device_code(g) && !has_like(u, g))
            taken += take_function(u, i + taken, other, *g);
    }
    return taken;
}

void take_device_code(struct unit *u, struct unit *device)
{
    bool *seen = calloc((size_t)device->function_count + 1, 1);
    int from = 0;
    join_shared_code(u, device);
    for (int i = 0; i < u->function_count; i++) {
        if (!is_device_code(&u->functions[i]))
            continue;
        int twin = find_twin(u, &u->functions[i], device, from);
        if (twin < 0)
            continue;
        seen[twin] = true;
        i += take_missing(u, i, device, twin, seen);
        from = twin + 1;
        if (u->functions[i].body)
            replace_body(u, &u->functions[i], device, &device->functions[twin]);
    }
    free(seen);
}

bool asks_for_architecture(const struct unit *u)
{
    static const char word[] = "__CUDA_ARCH__";
    for (int i = 0; i < u->file_count; i++)
        if (u->files[i].text && strstr(u->files[i].text, word))
            return true;
    return false;
}
