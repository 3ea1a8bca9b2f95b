/* SPDX-License-Identifier: MIT */
/* Declarations that only the device pass has, below `#ifdef __CUDA_ARCH__`:
 * each goes after the declaration before it that both passes have.  A constant
 * with one value for the host and another for devices gets a second name, which
 * the bodies of device functions use.  What one program cannot have twice is an
 * error: a data member of one pass alone, or a type with two definitions. */
#include <stdlib.h>
#include <string.h>

#include "merge.h"
#include "tokens.h"

/* One pass. */
struct side {
    struct unit *unit;
    const char **keys; /* what identifies each declaration in its scope */
    int *twin;         /* its index in the other pass, or -1 */
};

static struct declaration *at(const struct side *s, int i)
{
    return &s->unit->declarations[i];
}

static struct function *function_of(const struct side *s, int i)
{
    int f = at(s, i)->function;
    return f < 0 ? NULL : &s->unit->functions[f];
}

static struct side new_side(struct unit *u)
{
    const size_t n = (size_t)u->declaration_count + 1;
    struct side s = { u, calloc(n, sizeof *s.keys), calloc(n, sizeof *s.twin) };
    for (int i = 0; i < u->declaration_count; i++) {
        const struct declaration *d = at(&s, i);
        const struct function *f = function_of(&s, i);
        const struct token *end = d->open ? d->open
                                  : f && f->body ? f->body : d->last;
        s.keys[i] = plain_text(u, d->start, end ? end : d->start);
        s.twin[i] = -1;
    }
    return s;
}

static void free_side(struct side *s)
{
    free(s->keys);
    free(s->twin);
}

static bool are_twins(const struct side *host, int i, const struct side *device,
                      int k)
{
    const struct function *f = function_of(host, i),
                          *g = function_of(device, k);
    return strcmp(host->keys[i], device->keys[k]) == 0
           && !at(host, i)->open == !at(device, k)->open
           && !f == !g && (!f || !f->body == !g->body);
}

/* Find the twins among the declarations in declaration `in` of the host's pass
 * and `other` of the device's; -1: of the whole file. */
static void find_twins(struct side *host, int in, struct side *device,
                       int other)
{
    int from = in + 1;
    for (int k = other + 1; k < device->unit->declaration_count; k++) {
        if (at(device, k)->parent != other)
            continue;
        for (int i = from; i < host->unit->declaration_count; i++)
            if (at(host, i)->parent == in && are_twins(host, i, device, k)) {
                device->twin[k] = i;
                host->twin[i] = k;
                from = i + 1;
                if (at(host, i)->open)
                    find_twins(host, i, device, k);
                break;
            }
    }
}

/* --- what a declaration declares ------------------------------------------ */

/* The name after struct, class, union, enum or using, or NULL. */
static struct token *type_name(struct token *t, const struct token *end)
{
    static const char *const words[] = { "struct", "class", "union", "enum",
                                         "using", NULL };
    static const char *const calls[] = { "__align__", "alignas",
                                         "__attribute__", NULL };
    if (is(t, "template"))
        t = next_code(find_close_angle(next_code(t)));
    if (!is_any(t, words))
        return NULL;
    while (t && t != end && (is_any(t, words) || is_any(t, calls)))
        t = is_any(t, calls) ? skip_group(next_code(t)) : next_code(t);
    return is_word(t) && t != end ? t : NULL;
}

static struct token *name_in(const struct side *s, int i)
{
    const struct declaration *d = at(s, i);
    const struct function *f = function_of(s, i);
    if (f)
        return f->name;
    struct token *name = type_name(d->start, d->last);
    return name ? name : declared_name(d->start, d->last);
}

static bool have_one_name(const struct side *host, int i,
                          const struct side *device, int k)
{
    struct token *a = name_in(host, i), *b = name_in(device, k);
    return a && b && same_text(a, b);
}

static bool have_same_parameters(const struct side *host, int i,
                                 const struct side *device, int k)
{
    const struct function *f = function_of(host, i),
                          *g = function_of(device, k);
    return f && g && same_text(f->name, g->name)
           && strcmp(plain_text(host->unit, f->open, f->close),
                     plain_text(device->unit, g->open, g->close)) == 0;
}

/* The declaration of the host's pass that device's k contradicts, or -1. */
static int find_rival(const struct side *host, const struct side *device, int k)
{
    const int parent = at(device, k)->parent;
    const int in = parent < 0 ? -1 : device->twin[parent];
    for (int i = in + 1; i < host->unit->declaration_count; i++) {
        if (at(host, i)->parent != in)
            continue;
        if (function_of(device, k) ? have_same_parameters(host, i, device, k)
                                   : host->twin[i] < 0
                                         && have_one_name(host, i, device, k))
            return i;
    }
    return -1;
}

/* --- a device function with two bodies ------------------------------------ */

/* The types of the parameters of f, without their names. */
static const char *parameter_types(struct unit *u, const struct function *f)
{
    struct buffer b = { 0 };
    for (struct token *t = next_code(f->open), *end; t && t != f->close;
         t = is(end, ",") ? next_code(end) : end) {
        end = find_at_top_level(t, f->close, ",", true);
        if (!end)
            end = f->close;
        struct token *assign = find_at_top_level(t, end, "=", true);
        struct token *after = assign ? assign : end;
        struct token *last = prev_code(after);
        const bool is_named = last != t && is_word(last) && !is_type_word(last)
                              && !is(prev_code(last), "::");
        buffer_printf(&b, "%s,", plain_text(u, t, is_named ? last : after));
    }
    char *copy = arena_alloc(&u->arena, b.length + 1);
    if (b.length)
        memcpy(copy, b.bytes, b.length);
    free(b.bytes);
    return copy;
}

static bool runs_in_kernels_alone(const struct function *f)
{
    return f->global || (f->device && !f->host);
}

/* Is device's k a kernel or a device function that the host's pass has with
 * other names of its parameters, and so with a body of its own?
 * @return its index in the host's pass, or -1 */
static int find_renamed(const struct side *host, const struct side *device,
                        int k)
{
    const struct function *g = function_of(device, k);
    const int parent = at(device, k)->parent;
    const int in = parent < 0 ? -1 : device->twin[parent];
    for (int i = in + 1; i < host->unit->declaration_count; i++) {
        const struct function *f = function_of(host, i);
        if (at(host, i)->parent == in && host->twin[i] < 0 && f
            && runs_in_kernels_alone(f) && f->body
            && same_text(f->name, g->name)
            && strcmp(plain_text(host->unit, f->start, f->name),
                      plain_text(device->unit, g->start, g->name)) == 0
            && strcmp(parameter_types(host->unit, f),
                      parameter_types(device->unit, g)) == 0)
            return i;
    }
    return -1;
}

/* --- a constant with two values ------------------------------------------- */

/* Is t, a word of the device's pass, a use of the name at file scope? */
static bool is_use(const struct token *t, const struct token *name)
{
    static const char *const members[] = { ".", "->", NULL };
    return t != name && t->kind == T_IDENT && same_text(t, name)
           && !is_any(prev_code(t), members);
}

static bool in_body(const struct unit *u, const struct token *t)
{
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        const struct token *x = f->body;
        for (; x && x != f->end; x = x->next)
            if (x == t)
                return true;
    }
    return false;
}

/* Is device's k, a constant, used in bodies of functions alone?  Then those
 * that kernels run can use another name. */
static bool can_rename(const struct side *device, int k)
{
    const struct declaration *d = at(device, k);
    const struct token *name = name_in(device, k);
    const bool constant = contains(d->start, d->last, "constexpr")
                          || contains(d->start, d->last, "const");
    if (!constant || d->member || contains(d->start, d->last, "__constant__")
        || contains(d->start, d->last, "__device__")
        || find_at_top_level(d->start, d->last, ",", true))
        return false;
    for (struct token *t = skip_to_code(device->unit->first); t;
         t = next_code(t))
        if (is_use(t, name) && !in_body(device->unit, t))
            return false;
    return true;
}

static void rename_constant(const struct side *device, int k)
{
    static const char prefix[] = "softgpu_device_";
    struct token name = *name_in(device, k);
    const size_t n = strlen(prefix) + (size_t)name.length;
    char *text = arena_alloc(&device->unit->arena, n + 1);
    strcpy(text, prefix);
    memcpy(text + strlen(prefix), name.text, (size_t)name.length);
    for (struct token *t = skip_to_code(device->unit->first); t;
         t = next_code(t))
        if (is_use(t, &name)) {
            t->text = text;
            t->length = (int)n;
        }
}

/* --- moving --------------------------------------------------------------- */

/* The token of the host's pass before which device's k goes, or NULL. */
static struct token *place_for(const struct side *host,
                               const struct side *device, int k)
{
    const int parent = at(device, k)->parent;
    for (int i = k - 1; i > parent; i--)
        if (at(device, i)->parent == parent && device->twin[i] >= 0) {
            struct token *last = at(host, device->twin[i])->last;
            return last ? last->next : NULL;
        }
    if (parent >= 0)
        return at(host, device->twin[parent])->open->next;
    return host->unit->declaration_count ? at(host, 0)->start : NULL;
}

static void move_declaration(const struct side *host,
                             const struct side *device, int k,
                             struct token *where)
{
    struct unit *u = host->unit, *other = device->unit;
    struct token *first = at(device, k)->start, *last = at(device, k)->last;
    *(first->prev ? &first->prev->next : &other->first) = last->next;
    *(last->next ? &last->next->prev : &other->last) = first->prev;
    first->prev = where->prev;
    *(where->prev ? &where->prev->next : &u->first) = first;
    last->next = where;
    where->prev = last;
    remap_files(u, other, first, last);
}

static void report_difference(const struct side *host,
                              const struct side *device, int k,
                              const char *what)
{
    struct token *name = name_in(device, k);
    struct token place = name ? *name : *at(device, k)->start;
    remap_files(host->unit, device->unit, &place, &place);
    report_error(host->unit, &place, "'%s' %s: host and device code are one "
                 "program here", name_of(host->unit, &place), what);
}

/* A function of the device's pass alone. @return is it to be moved? */
static bool merge_function(const struct side *host, const struct side *device,
                           int k)
{
    struct function *g = function_of(device, k);
    const int i = find_rival(host, device, k);
    const int renamed = i < 0 && runs_in_kernels_alone(g) && g->body
                            ? find_renamed(host, device, k) : -1;
    if (renamed >= 0) /* no host code needs its body */
        remove_range(at(host, renamed)->start,
                     next_code(at(host, renamed)->last));
    if (i < 0)
        return g->device || g->global
               || contains(g->start, g->open, "constexpr");
    struct function *f = function_of(host, i);
    if (!f->body || !g->body || f->global || !g->device
        || contains(f->start, f->open, "constexpr"))
        return false;
    if (!merge_initializers(host->unit, f, device->unit, g))
        report_difference(host, device, k, "has other initializers where "
                          "__CUDA_ARCH__ is defined");
    else
        merge_bodies(host->unit, f, device->unit, g);
    return false;
}

/* @return is device's k to be moved? */
static bool merge_declaration(const struct side *host,
                              const struct side *device, int k)
{
    const struct declaration *d = at(device, k);
    if (function_of(device, k))
        return merge_function(host, device, k);
    if (d->data) {
        report_difference(host, device, k, "is a member only where "
                          "__CUDA_ARCH__ is defined");
        return false;
    }
    const int rival = find_rival(host, device, k);
    if (rival < 0)
        return true;
    if (is_alias(d) && is_alias(at(host, rival))
        && !is_named_by_host_code(host->unit, name_in(device, k),
                                  at(host, rival))) {
        remove_range(at(host, rival)->start, next_code(at(host, rival)->last));
        return true;
    }
    if (can_rename(device, k)) {
        rename_constant(device, k);
        return true;
    }
    report_difference(host, device, k, "is declared in another way where "
                      "__CUDA_ARCH__ is defined");
    return false;
}

/* Is device's k missing in a scope that both passes have? */
static bool is_missing(const struct side *device, int k)
{
    const int parent = at(device, k)->parent;
    return device->twin[k] < 0 && at(device, k)->last
           && (parent < 0 || device->twin[parent] >= 0);
}

void merge_declarations(struct unit *u, struct unit *device)
{
    struct side a = new_side(u), b = new_side(device);
    struct token **where = calloc((size_t)device->declaration_count + 1,
                                  sizeof *where);
    find_twins(&a, -1, &b, -1);
    for (int k = 0; k < device->declaration_count; k++)
        if (is_missing(&b, k))
            where[k] = place_for(&a, &b, k);
    for (int k = 0; k < device->declaration_count; k++)
        if (where[k] && merge_declaration(&a, &b, k))
            move_declaration(&a, &b, k, where[k]);
    free(where);
    free_side(&a);
    free_side(&b);
    find_scopes(u);
    find_scopes(device);
}
