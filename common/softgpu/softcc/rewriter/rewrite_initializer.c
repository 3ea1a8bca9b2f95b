/* SPDX-License-Identifier: MIT */
/* A variable of the device has a constant initial value, because its module is
 * loaded without running code:
 *
 *     __device__ int n = count();
 *       -> __constinit __device__ int n = count();
 *
 * which the compiler rejects (in clang it is an attribute); refusal.c words its
 * message.  CUDA also allows a constructor that does nothing, which the
 * compiler takes for code.  Such variables are left to the test of
 * softgpu::symbol, which finds a constructor that left bytes other than 0. */
#include "tokens.h"

/* Does the token before a name without a return type show that the name is
 * that of a constructor? */
static bool precedes_constructor(const struct token *t)
{
    static const char *const words[] = { "{", "}", ";", ":", ")", "explicit",
                                         "inline", "__host__", "__device__",
                                         "__forceinline__", "__noinline__",
                                         "__inline__", NULL };
    return is_any(t, words);
}

/* Is t the name of a constructor without parameters and statements? */
static bool is_empty_constructor(const struct token *t)
{
    const struct token *before = prev_code(t), *open = next_code(t);
    if (!is(open, "(") || !open->match)
        return false;
    const struct token *inside = next_code(open);
    inside = is(inside, "void") ? next_code(inside) : inside;
    const struct token *body = next_code(open->match);
    body = is(body, "noexcept") ? next_code(body) : body;
    const bool member = is(before, "::") && same_text(prev_code(before), t);
    return inside == open->match && is(body, "{")
           && next_code(body) == body->match
           && (member || precedes_constructor(before));
}

static bool has_empty_constructor(const struct unit *u)
{
    for (struct token *t = skip_to_code(u->first); t; t = next_code(t))
        if (t->kind == T_IDENT && is_empty_constructor(t))
            return true;
    return false;
}

/* May the type that [t, end) names be a class? */
static bool may_be_class(struct token *t, const struct token *end)
{
    static const char *const specifiers[] = { "__device__", "__constant__",
                                              "__managed__", "static", "const",
                                              "inline", "volatile", NULL };
    while (t && t != end && is_any(t, specifiers))
        t = next_code(t);
    return t && t != end && !is_type_word(t);
}

/* Is the variable initialized without arguments, as `v`, `v{}` or `v = T()`? */
static bool has_no_arguments(const struct variable *v)
{
    const struct token *last = prev_code(v->end);
    if (is(last, ")") || is(last, "}"))
        return prev_code(last) == last->match;
    return !find_at_top_level(v->start, v->end, "=", true);
}

/* gcc 12 does not reject arrays. */
bool may_construct_nothing(const struct unit *u, const struct variable *v)
{
    const bool array = !u->dialect.clang && is(prev_code(v->end), "]");
    return (u->empty_constructors || array) && may_be_class(v->start, v->end)
           && has_no_arguments(v);
}

/* Static members are defined elsewhere, if they are not inline. */
static bool is_defined(const struct variable *v)
{
    return !is_only_declared(v)
           && (!v->in_class || contains(v->start, v->end, "inline"));
}

/* gcc 12 takes __constinit before `int (*f)(int)` for the result's. */
static bool is_pointer_to_function(struct token *t)
{
    for (; t && !is(t, ";") && !is(t, "=") && !is(t, "{"); t = next_code(t))
        if (is(t, "(") && is(next_code(t), "*"))
            return true;
    return false;
}

/* clang takes `T v` and `T v[2]` of a class without constructors for no
 * constants, although their value is 0: that is `T v{}`, too. */
static void initialize_declarators(struct unit *u, struct token *t,
                                   struct token *end)
{
    while (t && t != end) {
        struct token *comma = find_at_top_level(t, end, ",", true);
        struct token *stop = comma ? comma : end, *last = prev_code(stop);
        if (!is(last, ")") && !is(last, "}")
            && !find_at_top_level(t, stop, "=", true))
            insert_before(u, stop, stop, "{}");
        t = next_code(comma);
    }
}

/* The declaration begins at start; its specifier of CUDA is at t. */
static void require_constant(struct unit *u, struct token *start,
                             struct token *t, struct token *end)
{
    if (!u->dialect.clang && is_pointer_to_function(t))
        return;
    if (u->dialect.clang && may_be_class(start, end))
        initialize_declarators(u, start, end);
    insert_before(u, t, t, "%s",
                  u->dialect.clang
                      ? "__attribute__((require_constant_initialization)) "
                      : "__constinit ");
}

/* Is t, a word in a function, the first of an object's declaration? */
static bool declares_object(struct token *t)
{
    static const char *const before[] = { "{", "}", ";", ")", NULL };
    if (!is_any(prev_code(t), before))
        return false;
    while (t && !is(t, ";") && !is(t, "=") && !is(t, "(") && !is(t, "{"))
        t = next_code(t);
    return is(t, ";") || is(t, "=");
}

/* Variables in a function that runs on the device only. */
static void check_local_variables(struct unit *u, const struct function *f)
{
    static const char *const words[] = { "__device__", "__constant__",
                                         "__managed__", NULL };
    for (struct token *t = f->body; t && t != f->end; t = next_code(t)) {
        struct token *end = is(t, "static") || is_any(t, words)
            ? find_at_top_level(t, f->end, ";", false) : NULL;
        if (!end || !declares_object(t) || contains(t, end, "__shared__"))
            continue;
        if (!contains(t, end, "static") && !contains(t, end, "extern")
            && !contains(t, end, "constexpr"))
            report_error(u, t, "a %s variable of a function is static; write "
                         "`static %s`, or leave the word out",
                         name_of(u, t), name_of(u, t));
        else if (!contains(t, end, "constexpr"))
            require_constant(u, t, t, end);
        t = end;
    }
}

void rewrite_initializers(struct unit *u)
{
    u->empty_constructors = has_empty_constructor(u);
    for (int i = 0; i < u->variable_count; i++) {
        const struct variable *v = &u->variables[i];
        if (!v->shared && is_defined(v) && !in_cccl(u, v->start)
            && !contains(v->start, v->end, "constexpr")
            && !may_construct_nothing(u, v))
            require_constant(u, v->start, v->specifier, v->end);
    }
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (f->body && (f->global || f->device) && !f->host
            && !in_cccl(u, f->start))
            check_local_variables(u, f);
    }
}
