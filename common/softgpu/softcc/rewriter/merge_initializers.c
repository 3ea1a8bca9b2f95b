/* SPDX-License-Identifier: MIT */
/* Member initializers of a constructor that differ under __CUDA_ARCH__. */
#include <string.h>

#include "merge.h"
#include "tokens.h"

/* The ':' before a constructor's initializers, or its body. */
static struct token *list_begin(const struct function *f)
{
    struct token *t = next_code(f->close);
    while (t && t != f->body && !is(t, ":"))
        t = skip_group(t);
    return t;
}

/* Can the value in these brackets be an operand: one, and not empty? */
static bool is_one_value(struct token *open)
{
    return next_code(open) != open->match
           && !find_at_top_level(next_code(open), open->match, ",", true);
}

/** The two passes' constructors, and whether to insert or only to look. */
struct pair {
    struct unit *unit, *other;
    const struct function *f, *g;
    bool insert;
};

/* One initializer's brackets in both passes.  @return can they be merged? */
static bool merge_values(const struct pair *p, struct token *a, struct token *b)
{
    const char *device = plain_text(p->other, next_code(b), b->match);
    if (strcmp(plain_text(p->unit, next_code(a), a->match), device) == 0)
        return true;
    if (!is_one_value(a) || !is_one_value(b))
        return false;
    if (!p->insert)
        return true;
    insert_before(p->unit, a->match, a->match, ")");
    insert_after(p->unit, a, a, "softgpu_tls.block ? (%s) : (", device);
    return true;
}

/* Both lists from the ':' on, in step. */
static bool merge_lists(const struct pair *p)
{
    struct token *a = list_begin(p->f), *b = list_begin(p->g);
    while (a && b && a != p->f->body && b != p->g->body) {
        if (!same_text(a, b))
            return false;
        if (a->match && !is(a, "[")) {
            if (!merge_values(p, a, b))
                return false;
            a = a->match;
            b = b->match;
        }
        a = next_code(a);
        b = next_code(b);
    }
    return a == p->f->body && b == p->g->body;
}

bool merge_initializers(struct unit *u, struct function *f, struct unit *other,
                        struct function *g)
{
    struct pair p = { u, other, f, g, false };
    if (!merge_lists(&p))
        return false;
    p.insert = true;
    return merge_lists(&p);
}
