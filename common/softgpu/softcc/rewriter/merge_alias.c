/* SPDX-License-Identifier: MIT */
/* A name of a type that is declared in two ways: `typedef tag_900 tag;` where
 * __CUDA_ARCH__ is defined and `typedef tag_0 tag;` where it is not.  If device
 * code alone names it, the program can have device code's declaration alone.
 * Host and device functions, and classes, are host code here: with another type
 * they would compute something else on the host. */
#include "merge.h"
#include "tokens.h"

bool is_alias(const struct declaration *d)
{
    return is(d->start, "typedef")
           || (is(d->start, "using") && contains(d->start, d->last, "="));
}

/* Does the brace at t begin the body of `[...] __device__ (...) {`? */
static bool begins_device_lambda(const struct token *t)
{
    const struct token *close = prev_code(t);
    while (close && (is(close, "mutable") || is(close, "noexcept")))
        close = prev_code(close);
    if (!is(close, ")") || !close->match)
        return false;
    const struct token *before = prev_code(close->match);
    while (is(before, "__host__") || is(before, "__device__")) {
        if (is(before, "__device__"))
            return is(prev_code(before), "]")
                   || is(prev_code(before), "__host__");
        before = prev_code(before);
    }
    return false;
}

/* Is t the name that another typedef declares? */
static bool is_declared_here(const struct token *t)
{
    if (!is(next_code(t), ";"))
        return false;
    while (t && !is(t, ";") && !is(t, "{") && !is(t, "}")
           && !is(t, "typedef"))
        t = prev_code(t);
    return is(t, "typedef");
}

/* The end of a part of a kernel or device function that begins at t, or NULL.
 * The parameters of a kernel are host code's, too. */
static struct token *end_of_device_code(const struct unit *u,
                                        const struct token *t)
{
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (f->start == t && f->device && !f->host)
            return f->body ? f->end : f->close;
        if (f->start == t && f->global)
            return f->name; /* after __launch_bounds__ */
        if (f->body == t && f->body && f->global)
            return f->end;
    }
    return NULL;
}

bool is_named_by_host_code(const struct unit *u, const struct token *name,
                           const struct declaration *d)
{
    for (struct token *t = skip_to_code(u->first); t; t = next_code(t)) {
        struct token *end = t == d->start ? d->last : end_of_device_code(u, t);
        if (!end && is(t, "{") && begins_device_lambda(t))
            end = t->match;
        if (end)
            t = end;
        else if (t->kind == T_IDENT && same_text(t, name)
                 && !is_declared_here(t))
            return true;
    }
    return false;
}
