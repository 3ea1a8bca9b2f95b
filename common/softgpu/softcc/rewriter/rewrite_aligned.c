/* SPDX-License-Identifier: MIT */
/* A GPU ends a kernel that accesses a misaligned address; this CPU does not.
 * Programs make such addresses by casts of pointers.  In device functions the
 * target of a cast that is accessed at once becomes softgpu::aligned<T, line>,
 * which tests the address:
 *
 *     *(T *)x                    *(softgpu::aligned<T, 3>)x
 *     ((T *)x)[i]                ((softgpu::aligned<T, 4>)x)[i]
 *     *reinterpret_cast<T *>(x)  *softgpu::as_aligned<T, 5>(x)
 */
#include "tokens.h"

/* Is t an access to what follows it, by `*`?  A product with a pointer does not
 * exist, but `int *(x *)` is a type. */
static bool is_dereference(const struct token *t)
{
    return is(t, "*") && !is_type_word(prev_code(t))
           && !is(prev_code(t), ">") && !is(prev_code(t), "&");
}

/* Is t, after a pointer, an access to what it points to? */
static bool is_access(const struct token *t)
{
    return is(t, "[") || is(t, "->");
}

/* Does `(T *)` begin at t? */
static bool is_pointer_cast(const struct token *t)
{
    struct token *first = next_code(t);
    return is(t, "(") && t->match && is(prev_code(t->match), "*")
           && is_word(first) && prev_code(t->match) != first;
}

/* Is [t, end) one operand of a cast: a name or a group with what follows? */
static bool is_operand(struct token *t, const struct token *end)
{
    t = is(t, "&") ? next_code(t) : t;
    if (t == end || (!is_word(t) && !is(t, "(")))
        return false;
    for (; t && t != end; t = skip_group(t))
        if (!is_word(t) && !is(t, "(") && !is(t, "[") && !is(t, ".")
            && !is(t, "->") && !is(t, "::"))
            return false;
    return true;
}

/* Is the cast at t accessed: `*(T *)x`, `((T *)x)[i]` or `((T *)x)->y`? */
static bool is_accessed_cast(struct token *t)
{
    struct token *outer = prev_code(t);
    if (!is_pointer_cast(t))
        return false;
    if (is_dereference(outer))
        return true;
    return is(outer, "(") && outer->match
           && is_access(next_code(outer->match))
           && !is(prev_code(outer), "&")
           && is_operand(next_code(t->match), outer->match);
}

/* The '>' of `reinterpret_cast<T *>(x)` at t, if it is accessed, or NULL. */
static struct token *accessed_reinterpret_cast(struct token *t)
{
    struct token *open = is(t, "reinterpret_cast") ? next_code(t) : NULL;
    struct token *close = open ? find_close_angle(open) : NULL;
    struct token *group = next_code(close);
    if (!is(group, "(") || !group->match || !is(prev_code(close), "*"))
        return NULL;
    if (is_dereference(prev_code(t)))
        return close;
    return is_access(next_code(group->match)) && !is(prev_code(t), "&")
               ? close : NULL;
}

static void rewrite_body(struct unit *u, const struct function *f)
{
    for (struct token *t = f->body; t && t != f->end; t = next_code(t)) {
        struct token *close = accessed_reinterpret_cast(t);
        if (close) { /* <T *> becomes <T> */
            insert_before(u, t, t, "softgpu::as_aligned");
            insert_before(u, close, close, ",%d", t->line);
            remove_token(t);
            remove_token(prev_code(close));
        } else if (is_accessed_cast(t)) {
            struct token *star = prev_code(t->match);
            insert_after(u, t, t, "softgpu::aligned<");
            insert_after(u, star, star, ",%d>", t->line);
            remove_token(star);
        }
    }
}

void rewrite_aligned(struct unit *u)
{
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (f->body && (f->global || f->device))
            rewrite_body(u, f);
    }
}
