/* SPDX-License-Identifier: MIT */
/* A launch of a function that is no kernel.  To the host compiler it is a call
 * like any other, which would run once, on the CPU; nvcc refuses it.  A name is
 * reported if all functions of that name lack __global__ and nothing else of the
 * program can have it: a pointer to a kernel, a parameter, a member. */
#include "tokens.h"

/* The name before <<<, without template arguments, or NULL: the callee is
 * qualified, or an expression. */
static struct token *callee_name(struct token *angle)
{
    struct token *last = prev_code(angle);
    struct token *open = is(last, ">") ? find_open_angle(last) : NULL;
    struct token *name = open ? prev_code(open) : last;
    struct token *before = prev_code(name);

    if (!is_word(name) || is(before, ".") || is(before, "->")
        || is(before, "::") || is(before, "template"))
        return NULL;
    return name;
}

/* The function of that name, if there is no kernel and no member of it. */
static const struct function *find_plain_function(const struct unit *u,
                                                  const struct token *name)
{
    const struct function *found = NULL;

    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];

        if (!same_text(f->name, name))
            continue;
        if (f->global || f->qualifier == NULL)
            return NULL;
        if (found == NULL || f->body)
            found = f;
    }
    return found;
}

/* Is each place of the name a function's declaration, a call or a launch? */
static bool is_always_called(const struct unit *u, const struct token *name)
{
    for (struct token *t = skip_to_code(u->first); t; t = next_code(t)) {
        const struct token *next = next_code(t), *before = prev_code(t);

        if (!is_word(t) || !same_text(t, name))
            continue;
        if (!(is(next, "(") || is(next, "<")) || is(before, "&")
            || is(before, "::"))
            return false;
    }
    return true;
}

static void check_launch(struct unit *u, struct token *angle)
{
    struct token *name = callee_name(angle);
    const struct function *f = name ? find_plain_function(u, name) : NULL;

    if (f == NULL || !is_always_called(u, name))
        return;
    report_error(u, name, "%s is launched and is no kernel: line %d should "
                 "read __global__ void %s(...) (nvcc refuses it, too)",
                 name_of(u, name), f->name->line, name_of(u, name));
}

void check_launched_names(struct unit *u)
{
    for (struct token *t = skip_to_code(u->first); t; t = next_code(t))
        if (is(t, "<") && is(next_code(t), "<")
            && is(next_code(next_code(t)), "<"))
            check_launch(u, t);
}
