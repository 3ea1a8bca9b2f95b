/* SPDX-License-Identifier: MIT */
/* A kernel's definition becomes its stub: a function of the same name and type
 * whose body hands a closure, which holds the old body, to the runtime. */
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* From a parameter's first token, the ',' or closing bracket behind it. */
static struct token *parameter_end(struct token *t, struct token *end)
{
    struct token *comma = find_flat(t, end, ",", true);
    return comma ? comma : end;
}

/* --- the template's own arguments: "<T, N, Rest...>" ----------------------------- */

/* The name a template parameter [t, end) declares, or NULL. */
static struct token *template_name(struct token *t, struct token *end)
{
    static const char *const kinds[] = { "typename", "class", NULL };
    struct token *last = prev_code(end);
    if (is(last, ")")) { /* void (*F)(int) */
        struct token *group = find_flat(t, end, "(", true);
        return group && group->match ? prev_code(group->match) : NULL;
    }
    bool named = last != t && is_word(last) && !is_type_word(last)
                 && !is_any(last, kinds) && !is(prev_code(last), "::");
    return named ? last : NULL;
}

static void add_template_argument(struct unit *u, struct buffer *b,
                                  struct token *t, struct token *end)
{
    struct token *equals = find_flat(t, end, "=", true);
    struct token *stop = equals ? equals : end;
    struct token *name = template_name(t, stop);
    bool pack = find_flat(t, stop, "...", true) != NULL;
    buffer_print(b, "%s", b->length ? "," : "<");
    if (name) {
        buffer_add(b, name->text, (size_t)name->length);
    } else {
        put_before(u, stop, stop, " softgpu_p%d", u->ids);
        buffer_print(b, "softgpu_p%d", u->ids++);
    }
    if (pack)
        buffer_print(b, "...");
}

/* Arguments that name this very instantiation, from the last template head. */
static void template_arguments(struct unit *u, const struct function *f,
                               struct buffer *b)
{
    struct token *open = NULL;
    for (struct token *t = f->start; is(t, "template");) {
        open = next_code(t);
        t = next_code(close_angle(open));
    }
    struct token *close = close_angle(open);
    struct token *explicit = next_code(f->name);
    if (is(explicit, "<")) { /* a specialisation says them itself */
        buffer_print(b, "%s", text_of(u, explicit, f->open));
        return;
    }
    for (struct token *t = next_code(open); t && close && t != close;) {
        struct token *end = parameter_end(t, close);
        if (end == t)
            break;
        add_template_argument(u, b, t, end);
        t = end == close ? close : next_code(end);
    }
    if (b->length)
        buffer_print(b, ">");
}

/* --- the function's parameters --------------------------------------------------- */

/* The parameter list without default arguments. */
static void parameter_types(struct unit *u, const struct function *f,
                            struct buffer *b)
{
    for (struct token *t = f->open; t && t != f->close; t = next_code(t))
        if (is(t, "__grid_constant__"))
            drop(t);
    for (struct token *t = next_code(f->open); t && t != f->close;) {
        struct token *equals = find_flat(t, f->close, "=", true);
        struct token *comma = find_flat(t, f->close, ",", true);
        struct token *end = comma ? comma : f->close;
        bool before = false;
        for (struct token *i = t; i && equals && i != end; i = next_code(i))
            before |= i == equals;
        buffer_print(b, "%s%s", b->length ? ", " : "",
                     text_of(u, t, before ? equals : end));
        if (comma == NULL)
            break;
        t = next_code(comma);
    }
}

/* A parameter that is a reference stays one: ", &name" for the closure. */
static void reference_captures(struct unit *u, const struct function *f,
                               struct buffer *b)
{
    for (struct token *t = next_code(f->open); t && t != f->close;) {
        struct token *end = parameter_end(t, f->close);
        struct token *equals = find_flat(t, end, "=", true);
        struct token *name = prev_code(equals ? equals : end);
        bool reference = find_flat(t, end, "&", true)
                         || find_flat(t, end, "&&", true);
        if (reference && is_word(name) && !is(prev_code(name), "..."))
            buffer_print(b, ",&%s", name_of(u, name));
        t = end == f->close ? end : next_code(end);
    }
}

/* The "(threads, blocks)" of a declaration's __launch_bounds__, or NULL. */
static struct token *bounds_of(const struct function *f)
{
    const struct token *end = f->body ? f->body : f->open;
    struct token *t = f->start;
    while (t && t != end && !is(t, "__launch_bounds__"))
        t = next_code(t);
    struct token *open = t == end ? NULL : next_code(t);
    return is(open, "(") && open->match ? open : NULL;
}

/* The same of a prototype of f, or NULL. */
static struct token *prototype_bounds(struct unit *u, const struct function *f)
{
    const char *types = text_of(u, f->open, f->close);
    for (int i = 0; i < u->function_count; i++) {
        const struct function *p = &u->functions[i];
        if (p->global && !p->body && same(p->name, f->name)
            && strcmp(types, text_of(u, p->open, p->close)) == 0
            && bounds_of(p))
            return bounds_of(p);
    }
    return NULL;
}

/* __launch_bounds__(threads, blocks) as ",threads,blocks". */
static void launch_bounds(struct unit *u, const struct function *f,
                          struct buffer *b)
{
    struct token *open = bounds_of(f);
    open = open ? open : prototype_bounds(u, f);
    if (open == NULL) {
        buffer_print(b, ",0,0");
        return;
    }
    struct token *comma = parameter_end(next_code(open), open->match);
    struct token *second = is(comma, ",") ? next_code(comma) : NULL;
    struct token *end = second ? parameter_end(second, open->match) : NULL;
    buffer_print(b, ",(%s),(%s)", text_of(u, next_code(open), comma),
                 second ? text_of(u, second, end) : "0");
}

/* The kernel's name as an expression; qualified when a parameter hides it. */
static void kernel_name(struct unit *u, const struct function *f,
                        struct buffer *b)
{
    struct token *t = f->name;
    while (is(prev_code(t), "::") && is_word(prev_code(prev_code(t))))
        t = prev_code(prev_code(t));
    const char *name = text_of(u, t, next_code(f->name));
    bool hidden = mentions(f->open, f->close, name_of(u, f->name));
    buffer_print(b, "%s%s", hidden && f->space ? f->space : "", name);
}

/* --- the body ---------------------------------------------------------------------- */

static bool reads_ids(struct token *from, const struct token *to)
{
    static const char *const ids[] = { "threadIdx", "blockIdx", "blockDim",
                                       "gridDim", NULL };
    for (const char *const *id = ids; *id; id++)
        if (mentions(from, to, *id))
            return true;
    return false;
}

/* The '{' of the class that is defined at t, or NULL. */
static struct token *class_body(struct token *t, const struct token *end)
{
    static const char *const heads[] = { "struct", "class", "union", NULL };
    if (!is_any(t, heads))
        return NULL;
    while (t && t != end && !is(t, "{") && !is(t, ";") && !is(t, ")"))
        t = next_code(t);
    return is(t, "{") ? t : NULL;
}

/* The '{' of the lambda whose '[' is t, if it captures only by name. */
static struct token *lambda_body(struct token *t)
{
    struct token *before = prev_code(t), *first = next_code(t);
    bool index = is_word(before) || is(before, ")") || is(before, "]");
    if (!is(t, "[") || t->match == NULL || (index && !is(before, "return")))
        return NULL;
    struct token *second = next_code(first);
    if (is(first, "=") || (is(first, "&") && !is_word(second)))
        return NULL;
    t = next_code(t->match);
    while (t && !is(t, "{") && !is(t, ";") && !is(t, "}"))
        t = skip_group(t);
    return is(t, "{") ? t : NULL;
}

/* True if a class or a lambda in the body reads the built-in variables but
 * cannot see the closure's parameters of that name. */
static bool inner_reads_ids(const struct function *f)
{
    for (struct token *t = f->body; t && t != f->end; t = next_code(t)) {
        struct token *inner = class_body(t, f->end);
        inner = inner ? inner : lambda_body(t);
        if (inner && inner->match && reads_ids(inner, inner->match))
            return true;
    }
    return false;
}

/* __func__ would name the closure's call operator. */
static void fix_function_name(struct unit *u, const struct function *f)
{
    static const char *const words[] = { "__func__", "__FUNCTION__",
                                         "__PRETTY_FUNCTION__", NULL };
    for (struct token *t = f->body; t && t != f->end; t = next_code(t))
        if (is_any(t, words)) {
            drop(t);
            put_before(u, t, t, "\"%s\"", name_of(u, f->name));
        }
}

static void rewrite_kernel(struct unit *u, struct function *f)
{
    static const char named[] =
        "[[maybe_unused]]const uint3 threadIdx,"
        "[[maybe_unused]]const uint3 blockIdx,"
        "[[maybe_unused]]const dim3 blockDim,"
        "[[maybe_unused]]const dim3 gridDim";
    static const char unnamed[] =
        "const uint3,const uint3,const dim3,const dim3";
    bool hide = inner_reads_ids(f);
    if (hide)
        f->flags |= FLAG_NEEDS_IDS;
    struct buffer arguments = { 0 }, types = { 0 }, bounds = { 0 }, name = { 0 };
    struct buffer references = { 0 };
    template_arguments(u, f, &arguments);
    parameter_types(u, f, &types);
    launch_bounds(u, f, &bounds);
    kernel_name(u, f, &name);
    reference_captures(u, f, &references);
    bool guarded = !(f->flags & FLAG_MAY_BLOCK) && rewrite_guard(u, f);
    put_before(u, f->body, f->name,
        "{struct softgpu_tag{static constexpr softgpu::source source(){"
        "return{\"%s\",%s,%d,%uu%s,%d};}};"
        "softgpu::enter<softgpu_tag,static_cast<void(*)(%s)>(&%s%s)>("
        "[=%s](%s,softgpu::guard&%s)%s",
        name_of(u, f->name), u->files[f->name->file].quoted, f->name->line,
        f->flags, bounds.bytes, guarded, types.bytes ? types.bytes : "", name.bytes,
        arguments.bytes ? arguments.bytes : "",
        references.bytes ? references.bytes : "", hide ? unnamed : named,
        guarded ? " softgpu_guard" : "",
        u->dialect.clang ? "__attribute__((always_inline))mutable"
                         : "mutable __attribute__((always_inline))");
    put_after(u, f->end, f->end, ");}");
    fix_function_name(u, f);
    free(arguments.bytes);
    free(types.bytes);
    free(bounds.bytes);
    free(name.bytes);
    free(references.bytes);
}

void rewrite_kernels(struct unit *u)
{
    for (int i = 0; i < u->function_count; i++) {
        struct function *f = &u->functions[i];
        if (f->global && f->body)
            rewrite_kernel(u, f);
    }
}
