/* SPDX-License-Identifier: MIT */
/* __CUDA_ARCH__ is defined in device code and not in host code.  A program that
 * asks for it is therefore read twice, and the bodies of device functions are
 * taken from the second reading, function by function. */
#include <string.h>

#include "tokens.h"

/* Only device code: a __host__ __device__ function stays the host's. */
static bool is_device_code(const struct function *f)
{
    return f->body && (f->global || (f->device && !f->host));
}

/* The function of `other` with the same head as f, searched from *from on. */
static struct function *find_twin(struct unit *u, const struct function *f,
                                  struct unit *other, int *from)
{
    const char *head = text_of(u, f->start, f->body);
    for (int i = *from; i < other->function_count; i++) {
        struct function *g = &other->functions[i];
        if (is_device_code(g)
            && strcmp(head, text_of(u, g->start, g->body)) == 0) {
            *from = i + 1;
            return g;
        }
    }
    return NULL;
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

static void replace_body(struct unit *u, struct function *f,
                         struct unit *other, struct function *g)
{
    struct token *last;
    cut(f->body, f->end, &last);
    struct token *first = cut(g->body, g->end, &last);
    if (first == NULL)
        return;
    last->next = NULL;
    for (struct token *t = first; t; t = t->next)
        if (t->file >= 0) {
            const char *quoted = other->files[t->file].quoted;
            t->file = file_index(u, quoted, (int)strlen(quoted));
        }
    first->prev = f->body;
    last->next = f->end;
    f->body->next = first;
    f->end->prev = last;
}

void take_device_bodies(struct unit *u, struct unit *device)
{
    int from = 0;
    for (int i = 0; i < u->function_count; i++) {
        struct function *f = &u->functions[i];
        struct function *g = NULL;
        if (is_device_code(f))
            g = find_twin(u, f, device, &from);
        if (g)
            replace_body(u, f, device, g);
    }
}

bool asks_for_architecture(const struct unit *u)
{
    static const char word[] = "__CUDA_ARCH__";
    for (int i = 0; i < u->file_count; i++)
        if (u->files[i].text && strstr(u->files[i].text, word))
            return true;
    return false;
}
