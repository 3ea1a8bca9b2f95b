/* SPDX-License-Identifier: MIT */
/* __shared__ T a[N], *p;
 *   -> typedef T softgpu_t0[N], *softgpu_t1;
 *      struct softgpu_s0 { using kernel = softgpu_tag; };
 *      softgpu_t0 &a = softgpu::shared<softgpu_s0, softgpu_t0>("a"); ...
 * The typedef leaves the parsing of the declarator to the compiler.  At file
 * scope only the types stay; each device function that uses the variable
 * declares the reference, in a block around its body. */
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* A variable declared __shared__ at file scope. */
struct global {
    struct token *name;
    int id;
    bool dynamic;
};

struct shared_pass {
    struct unit *unit;
    struct global *globals;
    int count;
};

/* One __shared__ declaration. */
struct shared_variable {
    struct token *start, *end; /* first token and the ';' */
    const char *kernel;        /* tag type of the kernel */
    const char *align;         /* alignment specifiers */
    bool dynamic, file_scope;
};

/* Does a rewritten declaration precede the token, or stand before the directives
 * that do? */
static bool follows_text(const struct token *t)
{
    do
        t = t->prev;
    while (t && (t->kind == T_PRAGMA || t->kind == T_RAW));
    return t && t->kind == T_TEXT;
}

static struct token *declaration_start(struct token *t)
{
    for (;;) {
        struct token *p = prev_code(t);
        bool group = is(p, ")") && p->match;
        if (follows_text(t))
            return t;
        if (p == NULL || is(p, ";") || is(p, "{") || is(p, "}") || is(p, ":"))
            return t;
        if (group && !is_word(prev_code(p->match)))
            return t;
        if (group && is(prev_code(p->match), "if"))
            return t;
        t = group ? prev_code(p->match) : p;
    }
}

/* Remove the storage class, and move the alignment to d->align. */
static void strip_specifiers(struct unit *u, struct shared_variable *d)
{
    static const char *const storage[] = { "__shared__", "static", "extern",
                                           "__device__", NULL };
    static const char *const aligns[] = { "alignas", "__align__",
                                          "__attribute__", NULL };
    struct buffer b = { 0 };
    for (struct token *t = d->start; t && t != d->end;) {
        struct token *next = next_code(t);
        if (is(t, "{")) {
            next = skip_group(t);
        } else if (is_any(t, aligns) && is(next, "(")) {
            struct token *after = skip_group(next);
            bool own = is(t, "__align__");
            buffer_printf(&b, own ? "__attribute__((aligned%s)) " : "%s ",
                          text_of(u, own ? next : t, after));
            remove_range(t, after);
            next = after;
        } else if (is_any(t, storage)) {
            d->dynamic |= is(t, "extern");
            remove_token(t);
        }
        t = next;
    }
    char *copy = arena_alloc(&u->arena, b.length + 1);
    if (b.length)
        memcpy(copy, b.bytes, b.length);
    d->align = copy;
    free(b.bytes);
}

/* Insert the tag type of one variable; `where` is after the declaration. */
static void insert_tag(struct unit *u, const struct shared_variable *d,
                       struct token *where, const struct token *name, int id)
{
    if (!d->dynamic)
        insert_before(u, where, name,
                   d->file_scope
                       ? "namespace{struct %ssoftgpu_s%d{using kernel=%s;};}"
                       : "struct %ssoftgpu_s%d{using kernel=%s;};",
                   d->align, id, d->kernel);
}

static void insert_reference(struct unit *u, bool dynamic, struct token *where,
                             const struct token *name, int id)
{
    if (dynamic)
        insert_before(u, where, name,
                   "=softgpu::dynamic_shared<softgpu_t%d>();", id);
    else
        insert_before(u, where, name,
                   "=softgpu::shared<softgpu_s%d,softgpu_t%d>(\"%s\");", id, id,
                   name_of(u, name));
}

static void add_global(struct shared_pass *s, struct token *name, int id,
                       bool dynamic)
{
    s->globals = realloc(s->globals,
                         sizeof *s->globals * (size_t)(s->count + 1));
    s->globals[s->count++] = (struct global){ name, id, dynamic };
}

/* Rewrite the declarator [t, end); `where` is the token after the whole
 * declaration. */
static bool rewrite_declarator(struct shared_pass *s,
                               const struct shared_variable *d, struct token *t,
                               struct token *end, struct token *where)
{
    struct unit *u = s->unit;
    struct token *name = declared_name(t, end);
    if (name == NULL)
        return false;
    if (find_at_top_level(next_code(name), end, "=", false)
        || is(next_code(name), "{")) {
        report_error(u, name,
                     "a __shared__ variable cannot have an initializer; "
                     "let the threads write it");
        return false;
    }
    int id = u->next_id++;
    insert_before(u, name, name, " softgpu_t%d", id);
    insert_tag(u, d, where, name, id);
    if (d->file_scope) {
        add_global(s, name, id, d->dynamic);
        remove_token(name);
        return true;
    }
    insert_before(u, where, name, "softgpu_t%d&", id);
    move_tokens_before(u, name, name, where);
    insert_reference(u, d->dynamic, where, name, id);
    return true;
}

static void rewrite_declaration(struct shared_pass *s, struct token *specifier,
                                const char *kernel)
{
    struct unit *u = s->unit;
    struct shared_variable d = { .kernel = kernel ? kernel : "void",
                             .file_scope = kernel == NULL };
    d.start = declaration_start(specifier);
    d.end = find_at_top_level(specifier, NULL, ";", false);
    if (d.end == NULL) {
        report_error(u, specifier, "this __shared__ declaration does not end");
        remove_token(specifier);
        return;
    }
    struct token place = *d.start;
    struct token *first = insert_before(u, d.start, &place, "typedef ");
    strip_specifiers(u, &d);
    struct token *where = insert_after(u, d.end, d.end, " ");
    for (struct token *t = next_code(first); t && t != d.end;) {
        struct token *comma = find_at_top_level(t, d.end, ",", true);
        struct token *end = comma ? comma : d.end;
        if (!rewrite_declarator(s, &d, t, end, where) || comma == NULL)
            break;
        t = next_code(comma);
    }
    remove_token(where);
}

/* Declare the file-scope variables that the body of f uses. */
static void declare_used_globals(struct shared_pass *s, struct function *f)
{
    struct unit *u = s->unit;
    struct token *after = f->body->next;
    bool any = false;
    for (int i = 0; i < s->count; i++) {
        const struct global *g = &s->globals[i];
        const char *name = name_of(u, g->name);
        if (!contains(f->body, f->end, name)
            || contains(f->open, f->close, name))
            continue;
        insert_before(u, after, f->body, "softgpu_t%d&%s", g->id, name);
        struct token at = *f->body;
        at.text = g->name->text;
        at.length = g->name->length;
        insert_reference(u, g->dynamic, after, &at, g->id);
        any = true;
    }
    if (!any)
        return;
    insert_before(u, after, f->body, "{");
    insert_before(u, f->end, f->end, "}");
}

static void rewrite_in_body(struct shared_pass *s, const struct function *f)
{
    for (struct token *t = f->body; t && t != f->end;) {
        struct token *next = next_code(t);
        if (is(t, "__shared__"))
            rewrite_declaration(s, t, f->global ? "softgpu_tag" : "void");
        t = next;
    }
}

void rewrite_shared(struct unit *u)
{
    struct shared_pass s = { .unit = u };
    for (int i = 0; i < u->function_count; i++)
        if (u->functions[i].body)
            rewrite_in_body(&s, &u->functions[i]);
    for (struct token *t = skip_to_code(u->first); t;) {
        struct token *next = next_code(t);
        if (is(t, "__shared__"))
            rewrite_declaration(&s, t, NULL);
        t = next;
    }
    for (int i = 0; i < u->function_count; i++) {
        struct function *f = &u->functions[i];
        if (s.count && f->body && (f->global || f->device))
            declare_used_globals(&s, f);
    }
    free(s.globals);
}
