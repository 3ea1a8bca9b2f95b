/* SPDX-License-Identifier: MIT */
/* __shared__ T a[N], *p;
 *   -> typedef T softgpu_t0[N], *softgpu_t1;
 *      struct softgpu_s0 { using kernel = softgpu_tag; };
 *      softgpu_t0 &a = softgpu::shared<softgpu_s0, softgpu_t0>("a"); ...
 * The typedef lets the compiler read the declarator, whatever its form.  At
 * file scope only the types stay there; each device function that uses a name
 * declares the reference itself, in a block around its body. */
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* A variable declared __shared__ at file scope. */
struct global {
    struct token *name;
    int id;
    bool dynamic;
};

struct shared {
    struct unit *unit;
    struct global *globals;
    int count;
};

/* One __shared__ declaration. */
struct declaration {
    struct token *start, *end; /* first token and the ';' */
    const char *kernel;        /* type that stands for the kernel */
    const char *align;         /* alignment specifiers, taken out */
    bool dynamic, file_scope;
};

static struct token *declaration_start(struct token *t)
{
    for (;;) {
        struct token *p = prev_code(t);
        bool group = is(p, ")") && p->match;
        if (t->prev && t->prev->kind == T_TEXT)
            return t; /* behind a declaration that was rewritten */
        if (p == NULL || is(p, ";") || is(p, "{") || is(p, "}") || is(p, ":"))
            return t;
        if (group && !is_word(prev_code(p->match)))
            return t;
        if (group && is(prev_code(p->match), "if"))
            return t;
        t = group ? prev_code(p->match) : p;
    }
}

/* Take the storage class and the alignment out of the specifiers. */
static void strip_specifiers(struct unit *u, struct declaration *d)
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
            struct token *behind = skip_group(next);
            bool own = is(t, "__align__");
            buffer_print(&b, own ? "__attribute__((aligned%s)) " : "%s ",
                         text_of(u, own ? next : t, behind));
            drop_range(t, behind);
            next = behind;
        } else if (is_any(t, storage)) {
            d->dynamic |= is(t, "extern");
            drop(t);
        }
        t = next;
    }
    char *copy = arena_get(&u->arena, b.length + 1);
    if (b.length)
        memcpy(copy, b.bytes, b.length);
    d->align = copy;
    free(b.bytes);
}

/* The type and the tag of one variable; `where` is behind the declaration. */
static void put_slot(struct unit *u, const struct declaration *d,
                     struct token *where, const struct token *name, int id)
{
    if (!d->dynamic)
        put_before(u, where, name,
                   d->file_scope
                       ? "namespace{struct %ssoftgpu_s%d{using kernel=%s;};}"
                       : "struct %ssoftgpu_s%d{using kernel=%s;};",
                   d->align, id, d->kernel);
}

static void put_value(struct unit *u, bool dynamic, struct token *where,
                      const struct token *name, int id)
{
    if (dynamic)
        put_before(u, where, name,
                   "=softgpu::dynamic_shared<softgpu_t%d>();", id);
    else
        put_before(u, where, name,
                   "=softgpu::shared<softgpu_s%d,softgpu_t%d>(\"%s\");", id, id,
                   name_of(u, name));
}

static void remember(struct shared *s, struct token *name, int id, bool dynamic)
{
    s->globals = realloc(s->globals,
                         sizeof *s->globals * (size_t)(s->count + 1));
    s->globals[s->count++] = (struct global){ name, id, dynamic };
}

/* One declarator [t, end); `where` is the token behind the whole declaration. */
static bool rewrite_declarator(struct shared *s, const struct declaration *d,
                               struct token *t, struct token *end,
                               struct token *where)
{
    struct unit *u = s->unit;
    struct token *name = declared_name(t, end);
    if (name == NULL)
        return false;
    if (find_flat(next_code(name), end, "=", false) || is(next_code(name), "{")) {
        complain(u, name, "a __shared__ variable cannot have an initialiser; "
                          "let the threads write it");
        return false;
    }
    int id = u->ids++;
    put_before(u, name, name, " softgpu_t%d", id);
    put_slot(u, d, where, name, id);
    if (d->file_scope) {
        remember(s, name, id, d->dynamic);
        drop(name);
        return true;
    }
    put_before(u, where, name, "softgpu_t%d&", id);
    move_before(u, name, name, where);
    put_value(u, d->dynamic, where, name, id);
    return true;
}

static void rewrite_declaration(struct shared *s, struct token *mark,
                                const char *kernel)
{
    struct unit *u = s->unit;
    struct declaration d = { .kernel = kernel ? kernel : "void",
                             .file_scope = kernel == NULL };
    d.start = declaration_start(mark);
    d.end = find_flat(mark, NULL, ";", false);
    if (d.end == NULL) {
        complain(u, mark, "this __shared__ declaration does not end");
        drop(mark);
        return;
    }
    struct token place = *d.start;
    struct token *first = put_before(u, d.start, &place, "typedef ");
    strip_specifiers(u, &d);
    struct token *where = put_after(u, d.end, d.end, " ");
    for (struct token *t = next_code(first); t && t != d.end;) {
        struct token *comma = find_flat(t, d.end, ",", true);
        struct token *end = comma ? comma : d.end;
        if (!rewrite_declarator(s, &d, t, end, where) || comma == NULL)
            break;
        t = next_code(comma);
    }
    drop(where);
}

/* Declare the file-scope variables that f's body names. */
static void declare_globals(struct shared *s, struct function *f)
{
    struct unit *u = s->unit;
    struct token *behind = f->body->next;
    bool any = false;
    for (int i = 0; i < s->count; i++) {
        const struct global *g = &s->globals[i];
        const char *name = name_of(u, g->name);
        if (!mentions(f->body, f->end, name)
            || mentions(f->open, f->close, name))
            continue;
        put_before(u, behind, f->body, "softgpu_t%d&%s", g->id, name);
        struct token at = *f->body;
        at.text = g->name->text;
        at.length = g->name->length;
        put_value(u, g->dynamic, behind, &at, g->id);
        any = true;
    }
    if (!any)
        return;
    put_before(u, behind, f->body, "{");
    put_before(u, f->end, f->end, "}");
}

static void rewrite_in_body(struct shared *s, const struct function *f)
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
    struct shared s = { .unit = u };
    for (int i = 0; i < u->function_count; i++)
        if (u->functions[i].body)
            rewrite_in_body(&s, &u->functions[i]);
    for (struct token *t = this_code(u->first); t;) {
        struct token *next = next_code(t);
        if (is(t, "__shared__"))
            rewrite_declaration(&s, t, NULL);
        t = next;
    }
    for (int i = 0; i < u->function_count; i++) {
        struct function *f = &u->functions[i];
        if (s.count && f->body && (f->global || f->device))
            declare_globals(&s, f);
    }
    free(s.globals);
}
