/* SPDX-License-Identifier: MIT */
/* Functions and file-scope variables.  Declarations at namespace and class
 * level are parsed by their shape, without types or a symbol table.  Bodies of
 * functions are skipped as one group. */
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

struct scope {
    struct unit *unit;
    const char *qualifier; /* "::a::"; NULL inside a class */
    int declaration;       /* index of the one that encloses it, or -1 */
};

/* The declaration being parsed. */
struct statement {
    struct token *start, *name, *open, *specifier;
    int id; /* index in unit.declarations, or -1 */
    bool global, device, host, shared;
    bool is_class, is_enum, is_namespace, linkage, templated;
    bool explicit_linkage; /* extern, static, friend, typedef, using */
    bool initialized;      /* '=' seen */
    bool constructor;      /* ':' after the parameters seen */
    bool finished;
};

static void scan_scope(struct scope *s, struct token *t, struct token *end);

static void match_brackets(struct unit *u)
{
    static const char open[] = "([{", close[] = ")]}";
    struct token **stack = NULL;
    int n = 0, capacity = 0;
    for (struct token *t = skip_to_code(u->first); t; t = next_code(t)) {
        if (t->kind != T_PUNCT || t->length != 1)
            continue;
        if (strchr(open, t->text[0])) {
            if (n == capacity) {
                capacity = capacity ? 2 * capacity : 64;
                stack = realloc(stack, sizeof *stack * (size_t)capacity);
            }
            stack[n++] = t;
            continue;
        }
        const char *kind = strchr(close, t->text[0]);
        if (kind == NULL)
            continue;
        while (n && *kind == '}' && stack[n - 1]->text[0] != '{')
            n--; /* brackets that the block leaves open */
        if (n && stack[n - 1]->text[0] == open[kind - close]) {
            t->match = stack[--n];
            t->match->match = t;
        }
    }
    free(stack);
}

/* Words before '(' that do not begin a parameter list. */
static bool is_not_function_name(const struct token *t)
{
    static const char *const words[] = {
        "alignas", "_Alignas", "__attribute__", "__attribute", "__declspec",
        "decltype", "typeof", "__typeof__", "noexcept", "throw", "explicit",
        "requires", "__launch_bounds__", "__align__", "__cluster_dims__",
        "__maxnreg__", "__block_size__", "return", NULL
    };
    return is_any(t, words) || is_type_word(t);
}

static void add_function(struct scope *s, const struct statement *d,
                         struct token *body)
{
    struct unit *u = s->unit;
    u->functions = realloc(u->functions, sizeof *u->functions
                                             * (size_t)(u->function_count + 1));
    struct token *end = body ? body->match : NULL;
    u->functions[u->function_count++] = (struct function){
        .start = d->start, .name = d->name, .open = d->open,
        .close = d->open->match, .body = end ? body : NULL, .end = end,
        .qualifier = s->qualifier, .global = d->global, .device = d->device,
        .host = d->host, .templated = d->templated,
        .explicit_linkage = d->explicit_linkage || s->qualifier == NULL
                         || is(prev_code(d->name), "::"),
    };
}

static void add_variable(struct scope *s, const struct statement *d,
                         struct token *end)
{
    struct unit *u = s->unit;
    u->variables = realloc(u->variables, sizeof *u->variables
                                             * (size_t)(u->variable_count + 1));
    u->variables[u->variable_count++] = (struct variable){
        .start = d->start,
        .end = end,
        .specifier = d->specifier,
        .shared = d->shared,
        .in_class = s->qualifier == NULL,
        .templated = d->templated,
        .explicit_linkage = d->explicit_linkage || d->templated
                            || s->qualifier == NULL,
    };
}

/* A member that the implicit constructor of its class may initialize. */
static void add_initializer(struct unit *u, const struct statement *d,
                            struct token *end)
{
    size_t n = (size_t)u->initializer_count + 1;
    u->initializers = realloc(u->initializers, n * sizeof *u->initializers);
    u->initializers[u->initializer_count++] =
        (struct initializer){ .start = d->start, .end = end };
}

/* @return the index of the declaration that begins at t, or -1 */
static int add_declaration(const struct scope *s, struct token *t)
{
    struct unit *u = s->unit;
    if (in_cccl(u, t))
        return -1;
    size_t n = (size_t)u->declaration_count + 1;
    u->declarations = realloc(u->declarations, n * sizeof *u->declarations);
    u->declarations[u->declaration_count] = (struct declaration){
        .start = t, .parent = s->declaration, .function = -1,
        .member = s->qualifier == NULL };
    return u->declaration_count++;
}

/* The declaration's own declarations are behind `brace`. */
static void enter_declaration(struct unit *u, const struct statement *d,
                              struct token *brace)
{
    if (d->id >= 0)
        u->declarations[d->id].open = brace;
}

/* Does a member without a name of its own hold data: `union { int a; };`? */
static bool is_anonymous(const struct statement *d)
{
    return d->is_class && is(next_code(d->start), "{");
}

/* The declaration ends with `last`, which is NULL if it has no end. */
static void end_declaration(struct unit *u, const struct statement *d,
                            int functions, struct token *last)
{
    struct declaration *x = d->id < 0 ? NULL : &u->declarations[d->id];
    if (x == NULL)
        return;
    bool type = (d->is_class && !is_anonymous(d)) || d->is_enum;
    x->last = last;
    if (!x->open && u->function_count > functions)
        x->function = functions;
    x->data = x->member && !d->open && !d->explicit_linkage && !type
              && is(last, ";") && last != d->start;
}

static void parse_specifier(struct statement *d, struct token *t)
{
    if (is(t, "__global__"))
        d->global = true;
    else if (is(t, "__host__"))
        d->host = true;
    else if (is(t, "__device__"))
        d->device = true;
    else if (is(t, "__shared__"))
        d->shared = true;
    else if (!is(t, "__constant__") && !is(t, "__managed__"))
        return;
    if (d->specifier == NULL)
        d->specifier = t;
}

static void parse_keyword(struct statement *d, struct token *t)
{
    static const char *const linkage[] = { "extern", "static", "friend",
                                           "typedef", "using", NULL };
    static const char *const classes[] = { "class", "struct", "union", NULL };
    if (is_any(t, linkage)) {
        d->explicit_linkage = true;
        d->linkage |= is(t, "extern") && next_code(t)
                      && next_code(t)->kind == T_STRING;
    } else if (is_any(t, classes)) {
        d->is_class = true;
    } else if (is(t, "enum")) {
        d->is_enum = true;
    } else if (is(t, "namespace")) {
        d->is_namespace = true;
    } else if (is(t, "template")) {
        d->templated = true;
    } else {
        parse_specifier(d, t);
    }
}

/* `operator` and its symbol. @return the token after the parameter list */
static struct token *parse_operator(struct statement *d, struct token *t)
{
    struct token *name = t;
    t = next_code(t);
    if (is(t, "(") && is(t->match, ")"))
        t = next_code(t->match);
    while (t && !is(t, "(") && !is(t, ";") && !is(t, "{"))
        t = next_code(t);
    if (is(t, "(") && d->open == NULL) {
        d->name = name;
        d->open = t->match ? t : NULL;
        return skip_group(t);
    }
    return t;
}

/* `(*name)(` or `(*name[4])(`: a pointer to a function. */
static bool is_function_pointer(struct token *open)
{
    return open->match && is(next_code(open), "*")
           && is(next_code(open->match), "(")
           && !contains(next_code(open), open->match, "(");
}

static struct token *parse_parentheses(struct statement *d, struct token *t)
{
    if (is_function_pointer(t))
        return skip_group(next_code(t->match));
    struct token *name = prev_code(t);
    if (is(name, ">")) {
        struct token *angle = find_open_angle(name);
        name = prev_code(angle);
    }
    if (!d->open && !d->initialized && is_word(name) && t->match
        && !is_not_function_name(name)) {
        d->open = t;
        d->name = name;
    }
    return skip_group(t);
}

/* A token that neither opens a brace nor ends the declaration. */
static struct token *parse_token(struct statement *d, struct token *t)
{
    if (is(t, "operator"))
        return parse_operator(d, t);
    if (is(t, "("))
        return parse_parentheses(d, t);
    if (is(t, "["))
        return skip_group(t);
    if (is(t, "<") && is_word(prev_code(t))) {
        struct token *close = find_close_angle(t);
        return next_code(close ? close : t);
    }
    if (is_word(t))
        parse_keyword(d, t);
    d->initialized |= is(t, "=");
    d->constructor |= d->open && is(t, ":");
    return next_code(t);
}

static const char *inner_qualifier(struct scope *s, const struct statement *d,
                                   const struct token *parse_brace)
{
    struct token *last = prev_code(parse_brace);
    if (!d->is_namespace || !is_word(last) || is(last, "namespace"))
        return s->qualifier;
    struct token *names = d->start;
    while (!is(names, "namespace"))
        names = next_code(names);
    names = next_code(names);
    const char *text = text_of(s->unit, names, parse_brace);
    size_t n = strlen(s->qualifier ? s->qualifier : "") + strlen(text) + 3;
    char *path = arena_alloc(&s->unit->arena, n);
    strcat(strcat(strcpy(path, s->qualifier ? s->qualifier : ""), text), "::");
    return path;
}

/* A '{': a namespace, a class, an enum, an initializer or a function body. */
static struct token *parse_brace(struct scope *s, struct statement *d,
                                 struct token *t)
{
    struct token *last = prev_code(t);
    bool outer = d->is_namespace || (d->linkage && !d->open && !d->is_class);
    if (t->match && outer && !d->initialized) {
        struct scope inner = { s->unit, inner_qualifier(s, d, t), d->id };
        enter_declaration(s->unit, d, t);
        scan_scope(&inner, next_code(t), t->match);
        d->finished = true;
    } else if (d->open && !d->initialized) {
        if (d->constructor && (is_word(last) || is(last, ">")))
            return skip_group(t);
        add_function(s, d, t);
        d->finished = true;
    } else if (t->match && d->is_class && !d->initialized) {
        struct scope inner = { s->unit, NULL, d->id };
        enter_declaration(s->unit, d, t);
        scan_scope(&inner, next_code(t), t->match);
    }
    return skip_group(t);
}

static bool is_access_specifier(const struct token *t)
{
    static const char *const words[] = { "public", "private", "protected",
                                         NULL };
    return is_any(t, words);
}

/* `__device__ T x(2);`: an expression in the parentheses is an initializer.
 * A word that may begin an expression or a parameter makes a prototype. */
static bool is_variable(const struct scope *s, const struct statement *d)
{
    static const char *const first[] = { "-", "+", "!", "~", "(", "&", "true",
                                         "false", "nullptr", "sizeof", NULL };
    const struct token *t = next_code(d->open);
    return s->qualifier && d->specifier && !d->global && !d->host
           && (is_any(t, first) || t->kind == T_NUMBER || t->kind == T_CHAR
               || t->kind == T_STRING);
}

/* @return the first token of the next declaration */
static struct token *scan_statement(struct scope *s, struct token *t,
                                    const struct token *end)
{
    struct statement d = { .start = t, .id = add_declaration(s, t) };
    const int functions = s->unit->function_count;
    while (t && t != end && !is(t, ";") && !is(t, "}")) {
        if (is(t, ":") && is_access_specifier(prev_code(t))
            && prev_code(t) == d.start) {
            s->unit->declaration_count -= d.id >= 0;
            return next_code(t);
        }
        struct token *close = is(t, "{") ? t->match : NULL;
        t = is(t, "{") ? parse_brace(s, &d, t) : parse_token(&d, t);
        if (d.finished) {
            end_declaration(s->unit, &d, functions, close);
            return t;
        }
    }
    if (is(t, ";") && d.open && !d.initialized && !is_variable(s, &d))
        add_function(s, &d, NULL);
    else if (is(t, ";") && d.specifier)
        add_variable(s, &d, t);
    else if (is(t, ";") && s->qualifier == NULL && !d.is_class
             && !d.explicit_linkage)
        add_initializer(s->unit, &d, t);
    end_declaration(s->unit, &d, functions, is(t, ";") ? t : NULL);
    return t == end ? t : next_code(t);
}

static void scan_scope(struct scope *s, struct token *t, struct token *end)
{
    while (t && t != end)
        t = scan_statement(s, t, end);
}

void find_scopes(struct unit *u)
{
    struct scope s = { u, "::", -1 };
    u->function_count = u->variable_count = 0;
    u->initializer_count = u->declaration_count = 0;
    match_brackets(u);
    scan_scope(&s, skip_to_code(u->first), NULL);
}
