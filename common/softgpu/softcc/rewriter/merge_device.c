/* SPDX-License-Identifier: MIT */
/* __CUDA_ARCH__ is defined in device code and not in host code.  A program that
 * uses it is therefore preprocessed twice.  From the second (device) pass come
 * the bodies of device functions, and the declarations that only this pass has
 * (merge_declarations.c).  A function with __host__ and __device__ gets both
 * bodies and selects one at run time. */
#include <stdlib.h>
#include <string.h>

#include "merge.h"
#include "tokens.h"

/* Is it device code only? */
static bool is_device_code(const struct function *f)
{
    return f->global || (f->device && !f->host);
}

/* Is it host and device code that can select its body at run time? */
static bool is_host_device(const struct function *f)
{
    return f->device && f->host && f->body
           && !contains(f->start, f->body, "constexpr");
}

/* The token after an attribute at t; t itself if there is none.  Attributes may
 * be those of one pass alone and tell no overloads apart. */
static struct token *skip_attribute(struct token *t)
{
    static const char *const words[] = { "__grid_constant__", "__restrict__",
                                         "__restrict", "__forceinline__",
                                         "__noinline__", "inline", "__inline__",
                                         NULL };
    static const char *const calls[] = { "__launch_bounds__", "__maxnreg__",
                                         "__block_size__", "__attribute__",
                                         NULL };
    if (is_any(t, words))
        return next_code(t);
    return is_any(t, calls) && is(next_code(t), "(") ? skip_group(next_code(t))
                                                     : t;
}

const char *plain_text(struct unit *u, struct token *t,
                       const struct token *end)
{
    struct buffer b = { 0 };
    while (t && t != end) {
        struct token *after = skip_attribute(t);
        if (after == t) {
            buffer_printf(&b, "%s ", name_of(u, t));
            after = next_code(t);
        }
        t = after;
    }
    char *copy = arena_alloc(&u->arena, b.length + 1);
    if (b.length)
        memcpy(copy, b.bytes, b.length);
    free(b.bytes);
    return copy;
}

/* Everything before the body, or before the ';' of a prototype. */
static const char *head_of(struct unit *u, const struct function *f)
{
    struct token *end = f->body ? f->body
                                : find_at_top_level(f->close, NULL, ";", false);
    return plain_text(u, f->start, end);
}

/* The function of `other` with the same head as f, searched from `from` on.
 * @return its index, or -1 */
static int find_same_function(struct unit *u, const struct function *f,
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

/* Unlink the nodes strictly between `open` and `close`.
 * @return the first of them, or NULL */
static struct token *unlink_range(struct token *open, struct token *close,
                                  struct token **last)
{
    struct token *first = open->next;
    *last = close->prev;
    open->next = close;
    close->prev = open;
    return first == close ? NULL : first;
}

void remap_files(struct unit *u, const struct unit *other,
                 struct token *first, const struct token *last)
{
    for (struct token *t = first; t; t = t == last ? NULL : t->next)
        if (t->file >= 0) {
            const char *quoted = other->files[t->file].quoted;
            t->file = file_index(u, quoted, (int)strlen(quoted));
        }
}

/* Move the body of g to the beginning of the body of f. */
static void splice_body(struct unit *u, struct function *f, struct unit *other,
                        struct function *g)
{
    struct token *last, *after = f->body->next;
    struct token *first = unlink_range(g->body, g->end, &last);
    if (first == NULL)
        return;
    last->next = NULL;
    remap_files(u, other, first, last);
    first->prev = f->body;
    last->next = after;
    f->body->next = first;
    after->prev = last;
}

static void replace_body(struct unit *u, struct function *f, struct unit *other,
                         struct function *g)
{
    struct token *last;
    unlink_range(f->body, f->end, &last);
    splice_body(u, f, other, g);
}

/* { A } and { B } become { if (in a kernel) { B } else { A } }.  If B is PTX,
 * A is the body of both. */
void merge_bodies(struct unit *u, struct function *f, struct unit *other,
                  struct function *g)
{
    if (strcmp(text_of(u, f->body, f->end), text_of(u, g->body, g->end)) == 0
        || contains(g->body, g->end, "asm"))
        return;
    insert_after(u, f->body, f->body, " } else { ");
    insert_before(u, f->end, f->end, " }");
    splice_body(u, f, other, g);
    insert_after(u, f->body, f->body, " if (softgpu_tls.block) { ");
}

/* Merge the bodies of functions with __host__ and __device__. */
static void merge_host_device_functions(struct unit *u, struct unit *device)
{
    int from = 0;
    for (int i = 0; i < u->function_count; i++) {
        int match_index = is_host_device(&u->functions[i]) ? find_same_function(
                              u, &u->functions[i], device, from)
                                                           : -1;
        if (match_index < 0)
            continue;
        from = match_index + 1;
        merge_bodies(u, &u->functions[i], device,
                     &device->functions[match_index]);
    }
}

void merge_device_code(struct unit *u, struct unit *device)
{
    int from = 0;
    merge_declarations(u, device);
    merge_host_device_functions(u, device);
    for (int i = 0; i < u->function_count; i++) {
        if (!is_device_code(&u->functions[i]))
            continue;
        int match_index = find_same_function(u, &u->functions[i], device, from);
        if (match_index < 0)
            continue;
        from = match_index + 1;
        if (u->functions[i].body)
            replace_body(u, &u->functions[i], device,
                         &device->functions[match_index]);
    }
}

bool uses_cuda_arch(const struct unit *u)
{
    static const char word[] = "__CUDA_ARCH__";
    for (int i = 0; i < u->file_count; i++)
        if (u->files[i].text && strstr(u->files[i].text, word))
            return true;
    return false;
}
