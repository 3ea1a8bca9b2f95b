/* SPDX-License-Identifier: MIT */
/* A GPU ends a kernel that accesses a misaligned address; this CPU does not.
 * Programs make such addresses by casts of pointers.  In device functions the
 * target of a cast that is accessed at once becomes softgpu::aligned<T, line>,
 * which tests the address:
 *
 *     *(T *)x                    *(softgpu::aligned<T, 3>)x
 *     ((T *)x)[i]                ((softgpu::aligned<T, 4>)x)[i]
 *     *reinterpret_cast<T *>(x)  *softgpu::as_aligned<T, 5>(x)
 *
 * So does each access through a local variable that such a cast initialized or
 * was assigned to:
 *
 *     T *p = (T *)x;  *p  p[i]   *softgpu::aligned_pointer<6>(p) ...
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

/* --- variables ------------------------------------------------------------ */

enum { MAX_VARIABLES = 32 }; /* of a function; the others are not tested */

/* Names that a function assigns a cast pointer to. */
struct pointer_names {
    struct token *names[MAX_VARIABLES];
    int count;
};

/* Is a cast to a pointer assigned at the '=' t? */
static bool assigns_cast(const struct token *t)
{
    struct token *value = is(t, "=") ? next_code(t) : NULL;
    struct token *close =
        is(value, "reinterpret_cast") ? find_close_angle(next_code(value))
                                      : NULL;
    return is_pointer_cast(value) || is(prev_code(close), "*");
}

/* Can the name at t be that of a local variable, which is declared with an
 * initializer or assigned to? */
static bool is_variable_name(const struct token *t)
{
    const struct token *before = prev_code(t);
    return is_word(t) && !is_type_word(t) && !is(before, ".")
           && !is(before, "->") && !is(before, "::");
}

static bool has_name(const struct pointer_names *all, const struct token *t)
{
    for (int i = 0; i < all->count; i++)
        if (same_text(all->names[i], t))
            return true;
    return false;
}

static void find_variables(const struct function *f, struct pointer_names *all)
{
    all->count = 0;
    for (struct token *t = f->body; t && t != f->end; t = next_code(t))
        if (is_variable_name(t) && assigns_cast(next_code(t))
            && all->count < MAX_VARIABLES && !has_name(all, t))
            all->names[all->count++] = t;
}

/* Does this comma separate declarators, as in `type *p, *q`?  Not in the
 * arguments of a call. */
static bool separates_declarators(const struct token *comma)
{
    const struct token *t = is(comma, ",") ? prev_code(comma) : NULL;
    while (t && !is(t, ";") && !is(t, "{") && !is(t, "(") && !is(t, "[")) {
        const bool closes = is(t, ")") || is(t, "]") || is(t, "}");
        t = prev_code(closes && t->match ? t->match : t);
    }
    return is(comma, ",")
           && (!is(t, "(") || is(prev_code(t), "for")) && !is(t, "[");
}

/* Can an expression begin at t, or before the `*` there?  After a word or
 * '>' it may be a declarator: `type *name`, `type **name`, `type name[2]`.
 * Those accesses are left alone. */
static bool begins_expression(const struct token *t)
{
    static const char *const words[] = {"return", "else", "do", "case", NULL};
    const struct token *before = prev_code(t);
    while (is(before, "*"))
        before = prev_code(before);
    if (is_word(before))
        return is_any(before, words);
    return !separates_declarators(before) && !is(before, ">")
           && !is(before, "&")
           && !is(before, "++") && !is(before, "--");
}

/* Does the name at t access what it points to: `p[i]`, `p->x` or `*p`? */
static bool is_accessed_variable(const struct token *t)
{
    static const char *const more[] = {"++", "--", "(", ".", NULL};
    const struct token *after = next_code(t);
    if (!is_variable_name(t) || !begins_expression(t) || assigns_cast(after))
        return false;
    return is_access(after)
           || (is(prev_code(t), "*") && !is_any(after, more));
}

static void rewrite_variables(struct unit *u, const struct function *f)
{
    struct pointer_names all;
    find_variables(f, &all);
    if (!all.count)
        return;
    for (struct token *t = f->body; t && t != f->end; t = next_code(t))
        if (is_accessed_variable(t) && has_name(&all, t)) {
            insert_before(u, t, t, "softgpu::aligned_pointer<%d>(", t->line);
            insert_after(u, t, t, ")");
        }
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
        if (!f->body || !(f->global || f->device))
            continue;
        rewrite_variables(u, f);
        rewrite_body(u, f);
    }
}
