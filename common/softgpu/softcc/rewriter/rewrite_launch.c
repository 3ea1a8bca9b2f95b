/* SPDX-License-Identifier: MIT */
/* k<T><<<g, b, s, st>>>(args)
 *   -> (softgpu::push_config(g, b, s, st) ? (void)0 : k<T>(args))
 * The callee is the postfix expression before <<<, parsed backwards; the
 * closing >>> is searched forwards over groups and template arguments. */
#include "tokens.h"

static bool is_triple_angle(const struct token *t, const char *angle)
{
    struct token *second = next_code(t);
    return is(t, angle) && is(second, angle) && is(next_code(second), angle);
}

static int count_close_angles(const struct token *t)
{
    int n = 0;
    for (; is(t, ">"); t = next_code(t))
        n++;
    return n;
}

static struct token *skip_tokens(struct token *t, int n)
{
    while (t && n-- > 0)
        t = next_code(t);
    return t;
}

/* From the token after <<<, the first '>' of the closing >>>, or NULL. */
static struct token *find_config_end(struct token *t)
{
    int open = 0; /* '<' that can be template brackets */
    while (t && !is(t, ";") && !is(t, ")") && !is(t, "}") && !is(t, "]")) {
        int n = count_close_angles(t);
        if (n == 0) {
            open += is(t, "<") && is_word(prev_code(t));
            t = skip_group(t);
            continue;
        }
        bool ends = n >= 3 && is(skip_tokens(t, n), "(")
                    && (n > 3 || open < 3);
        if (ends)
            return skip_tokens(t, n - 3);
        open = open > n ? open - n : 0;
        t = skip_tokens(t, n);
    }
    return NULL;
}

/* A keyword that is no callee: `return (*f)<<<...>>>()`. */
static bool is_statement_word(const struct token *t)
{
    static const char *const words[] = { "return", "else", "do", "case", "goto",
                                         "throw", "co_return", "co_yield",
                                         NULL };
    return is_any(t, words);
}

static bool is_condition(const struct token *open)
{
    static const char *const words[] = { "if", "while", "for", "switch",
                                         "constexpr", NULL };
    return is_any(prev_code(open), words);
}

/* From the last token of an operand (name, name<...>, (...), [...]), its first
 * token, or NULL. */
static struct token *operand_start(struct token *t)
{
    if (is(t, ">")) {
        struct token *open = find_open_angle(t);
        return is_word(prev_code(open)) ? prev_code(open) : NULL;
    }
    while (is(t, ")") || is(t, "]")) {
        struct token *open = t->match;
        struct token *before = prev_code(open);
        if (open == NULL)
            return NULL;
        bool call = is(before, "]") || (is(before, ")")
                    && !is_condition(before->match))
                    || (is_word(before) && !is_statement_word(before)
                        && !is_condition(open));
        struct token *angle = is(before, ">") ? find_open_angle(before) : NULL;
        if (is_word(prev_code(angle)))
            return prev_code(angle); /* get<0>(kernels) */
        if (!call)
            return open;
        t = before;
        if (is_word(t))
            return t;
    }
    return is_word(t) ? t : NULL;
}

/* The first token of the expression that ends with `last`, or NULL. */
static struct token *callee_start(struct token *last)
{
    struct token *start = operand_start(last);
    while (start) {
        struct token *before = prev_code(start);
        if (is(before, "template")) {
            start = before;
            before = prev_code(start);
        }
        if (is(before, "::")) {
            struct token *left = prev_code(before);
            bool qualified = is(left, ">")
                             || (is_word(left) && !is_statement_word(left));
            struct token *scope = qualified ? operand_start(left) : NULL;
            if (scope == NULL)
                return before;
            start = scope;
        } else if (is(before, ".") || is(before, "->")) {
            start = operand_start(prev_code(before));
        } else {
            return start;
        }
    }
    return NULL;
}

/* Rewrite the launch whose first '<' is t.
 * @return the token where the search continues */
static struct token *rewrite_launch(struct unit *u, struct token *t)
{
    struct token *last = prev_code(t);
    struct token *config = skip_tokens(t, 3);
    struct token *close = find_config_end(config);
    struct token *callee = close ? callee_start(last) : NULL;
    struct token *args = close ? skip_tokens(close, 3) : NULL;
    if (callee == NULL || args == NULL || args->match == NULL) {
        report_error(u, t, "this launch is not complete; it should read "
                       "kernel<<<grid, block>>>(arguments)");
        return config;
    }
    struct token *config_last = close->prev;
    struct token place = *t;
    remove_range(close, args);
    remove_range(t, config);
    insert_before(u, callee, &place, "(softgpu::push_config(");
    struct token *between = insert_before(u, callee, &place,
                                       ")?(void)0:");
    if (config != close)
        move_tokens_before(u, config, config_last, between);
    insert_after(u, args->match, args->match, ")");
    return config == close ? args : config;
}

void rewrite_launches(struct unit *u)
{
    struct token *t = skip_to_code(u->first);
    while (t)
        t = is_triple_angle(t, "<") ? rewrite_launch(u, t) : next_code(t);
}
