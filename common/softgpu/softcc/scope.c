/* SPDX-License-Identifier: MIT */
/* Which functions and file-scope variables does the file have?  Statements are
 * followed at namespace and class level only, by their shape: no types, no
 * symbol table.  Bodies are stepped over as one group. */
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

struct scope {
    struct unit *unit;
    const char *space; /* "::a::"; NULL inside a class */
};

/* What is known of the statement being read. */
struct statement {
    struct token *start, *name, *open, *mark;
    bool global, device, host, shared;
    bool is_class, is_enum, is_namespace, linkage, templated;
    bool fixed_linkage; /* extern, static, friend, typedef, using */
    bool initialised;   /* '=' seen */
    bool constructor;   /* ':' behind the parameters seen */
    bool done;
};

static void scan_scope(struct scope *s, struct token *t, struct token *end);

static void pair_brackets(struct unit *u)
{
    static const char open[] = "([{", close[] = ")]}";
    struct token **stack = NULL;
    int n = 0, room = 0;
    for (struct token *t = this_code(u->first); t; t = next_code(t)) {
        if (t->kind != T_PUNCT || t->length != 1)
            continue;
        if (strchr(open, t->text[0])) {
            if (n == room) {
                room = room ? 2 * room : 64;
                stack = realloc(stack, sizeof *stack * (size_t)room);
            }
            stack[n++] = t;
            continue;
        }
        const char *kind = strchr(close, t->text[0]);
        if (kind == NULL)
            continue;
        while (n && *kind == '}' && stack[n - 1]->text[0] != '{')
            n--; /* brackets left open in the block */
        if (n && stack[n - 1]->text[0] == open[kind - close]) {
            t->match = stack[--n];
            t->match->match = t;
        }
    }
    free(stack);
}

/* Words in front of '(' that do not make it a parameter list. */
static bool not_callable(const struct token *t)
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
        .space = s->space, .global = d->global, .device = d->device,
        .host = d->host, .templated = d->templated,
        .fixed_linkage = d->fixed_linkage || s->space == NULL
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
        .start = d->start, .end = end, .mark = d->mark, .shared = d->shared,
        .in_class = s->space == NULL, .templated = d->templated,
        .fixed_linkage = d->fixed_linkage || d->templated || s->space == NULL,
    };
}

static void note_mark(struct statement *d, struct token *t)
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
    if (d->mark == NULL)
        d->mark = t;
}

static void note_word(struct statement *d, struct token *t)
{
    static const char *const linkage[] = { "extern", "static", "friend",
                                           "typedef", "using", NULL };
    static const char *const classes[] = { "class", "struct", "union", NULL };
    if (is_any(t, linkage)) {
        d->fixed_linkage = true;
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
        note_mark(d, t);
    }
}

/* `operator` and its symbol; @return the parameter list or what comes next. */
static struct token *note_operator(struct statement *d, struct token *t)
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

/* `(*name)(` or `(*name[4])(`: of a pointer to functions. */
static bool is_pointer(struct token *open)
{
    return open->match && is(next_code(open), "*")
           && is(next_code(open->match), "(")
           && !mentions(next_code(open), open->match, "(");
}

static struct token *note_parens(struct statement *d, struct token *t)
{
    if (is_pointer(t))
        return skip_group(next_code(t->match));
    struct token *name = prev_code(t);
    if (is(name, ">")) {
        struct token *angle = open_angle(name);
        name = prev_code(angle);
    }
    if (!d->open && !d->initialised && is_word(name) && t->match
        && !not_callable(name)) {
        d->open = t;
        d->name = name;
    }
    return skip_group(t);
}

/* One token of a statement that neither opens a brace nor ends it. */
static struct token *note(struct statement *d, struct token *t)
{
    if (is(t, "operator"))
        return note_operator(d, t);
    if (is(t, "("))
        return note_parens(d, t);
    if (is(t, "["))
        return skip_group(t);
    if (is(t, "<") && is_word(prev_code(t))) {
        struct token *close = close_angle(t);
        return next_code(close ? close : t);
    }
    if (is_word(t))
        note_word(d, t);
    d->initialised |= is(t, "=");
    d->constructor |= d->open && is(t, ":");
    return next_code(t);
}

static const char *inner_space(struct scope *s, const struct statement *d,
                               const struct token *brace)
{
    struct token *last = prev_code(brace);
    if (!d->is_namespace || !is_word(last) || is(last, "namespace"))
        return s->space;
    struct token *names = d->start;
    while (!is(names, "namespace"))
        names = next_code(names);
    names = next_code(names);
    const char *text = text_of(s->unit, names, brace);
    size_t n = strlen(s->space ? s->space : "") + strlen(text) + 3;
    char *path = arena_get(&s->unit->arena, n);
    strcat(strcat(strcpy(path, s->space ? s->space : ""), text), "::");
    return path;
}

/* A '{' at statement level: what does it open? */
static struct token *brace(struct scope *s, struct statement *d,
                           struct token *t)
{
    struct token *last = prev_code(t);
    bool outer = d->is_namespace || (d->linkage && !d->open && !d->is_class);
    if (t->match && outer && !d->initialised) {
        struct scope inner = { s->unit, inner_space(s, d, t) };
        scan_scope(&inner, next_code(t), t->match);
        d->done = true;
    } else if (d->open && !d->initialised) {
        if (d->constructor && (is_word(last) || is(last, ">")))
            return skip_group(t);
        add_function(s, d, t);
        d->done = true;
    } else if (t->match && d->is_class && !d->initialised) {
        struct scope inner = { s->unit, NULL };
        scan_scope(&inner, next_code(t), t->match);
    }
    return skip_group(t);
}

static bool is_access(const struct token *t)
{
    static const char *const words[] = { "public", "private", "protected",
                                         NULL };
    return is_any(t, words);
}

/* @return the first token of the next statement */
static struct token *scan_statement(struct scope *s, struct token *t,
                                    const struct token *end)
{
    struct statement d = { .start = t };
    while (t && t != end && !is(t, ";") && !is(t, "}")) {
        if (is(t, ":") && is_access(prev_code(t)) && prev_code(t) == d.start)
            return next_code(t);
        t = is(t, "{") ? brace(s, &d, t) : note(&d, t);
        if (d.done)
            return t;
    }
    if (is(t, ";") && d.open && !d.initialised)
        add_function(s, &d, NULL);
    else if (is(t, ";") && d.mark)
        add_variable(s, &d, t);
    return t == end ? t : next_code(t);
}

static void scan_scope(struct scope *s, struct token *t, struct token *end)
{
    while (t && t != end)
        t = scan_statement(s, t, end);
}

void find_scopes(struct unit *u)
{
    struct scope s = { u, "::" };
    pair_brackets(u);
    scan_scope(&s, this_code(u->first), NULL);
}
