/* SPDX-License-Identifier: MIT */
/* The definition of a kernel becomes its stub: a function of the same name and
 * type that passes a closure to the runtime.  The closure's body is the body
 * of the kernel; it captures the parameters by value. */
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* From the first token of a parameter, the ',' or closing bracket after it. */
static struct token *parameter_end(struct token *t, struct token *end)
{
    struct token *comma = find_at_top_level(t, end, ",", true);
    return comma ? comma : end;
}

/* --- template arguments: "<T, N, Rest...>" -------------------------------- */

/* The name a template parameter [t, end) declares, or NULL. */
static struct token *template_parameter_name(struct token *t, struct token *end)
{
    static const char *const kinds[] = { "typename", "class", NULL };
    struct token *last = prev_code(end);
    if (is(last, ")")) { /* void (*F)(int) */
        struct token *group = find_at_top_level(t, end, "(", true);
        return group && group->match ? prev_code(group->match) : NULL;
    }
    bool named = last != t && is_word(last) && !is_type_word(last)
                 && !is_any(last, kinds) && !is(prev_code(last), "::");
    return named ? last : NULL;
}

static void add_template_argument(struct unit *u, struct buffer *b,
                                  struct token *t, struct token *end)
{
    struct token *equals = find_at_top_level(t, end, "=", true);
    struct token *stop = equals ? equals : end;
    struct token *name = template_parameter_name(t, stop);
    bool pack = find_at_top_level(t, stop, "...", true) != NULL;
    buffer_printf(b, "%s", b->length ? "," : "<");
    if (name) {
        buffer_write(b, name->text, (size_t)name->length);
    } else {
        insert_before(u, stop, stop, " softgpu_p%d", u->next_id);
        buffer_printf(b, "softgpu_p%d", u->next_id++);
    }
    if (pack)
        buffer_printf(b, "...");
}

/* The arguments that name this instantiation, from the last template head. */
static void template_arguments(struct unit *u, const struct function *f,
                               struct buffer *b)
{
    struct token *open = NULL;
    for (struct token *t = f->start; is(t, "template");) {
        open = next_code(t);
        t = next_code(find_close_angle(open));
    }
    struct token *close = find_close_angle(open);
    struct token *explicit_arguments = next_code(f->name);
    if (is(explicit_arguments, "<")) { /* a specialization */
        buffer_printf(b, "%s", text_of(u, explicit_arguments, f->open));
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
        buffer_printf(b, ">");
}

/* --- the function's parameters -------------------------------------------- */

/* The parameter list without default arguments. */
static void parameter_types(struct unit *u, const struct function *f,
                            struct buffer *b)
{
    for (struct token *t = f->open; t && t != f->close; t = next_code(t))
        if (is(t, "__grid_constant__"))
            remove_token(t);
    for (struct token *t = next_code(f->open); t && t != f->close;) {
        struct token *equals = find_at_top_level(t, f->close, "=", true);
        struct token *comma = find_at_top_level(t, f->close, ",", true);
        struct token *end = comma ? comma : f->close;
        bool before = false;
        for (struct token *i = t; i && equals && i != end; i = next_code(i))
            before |= i == equals;
        buffer_printf(b, "%s%s", b->length ? ", " : "",
                      text_of(u, t, before ? equals : end));
        if (comma == NULL)
            break;
        t = next_code(comma);
    }
}

/* A parameter that is a reference is captured by reference: ",&name". */
static void reference_captures(struct unit *u, const struct function *f,
                               struct buffer *b)
{
    for (struct token *t = next_code(f->open); t && t != f->close;) {
        struct token *end = parameter_end(t, f->close);
        struct token *equals = find_at_top_level(t, end, "=", true);
        struct token *name = prev_code(equals ? equals : end);
        bool reference = find_at_top_level(t, end, "&", true)
                         || find_at_top_level(t, end, "&&", true);
        if (reference && is_word(name) && !is(prev_code(name), "..."))
            buffer_printf(b, ",&%s", name_of(u, name));
        t = end == f->close ? end : next_code(end);
    }
}

/* The '(' of a declaration's __launch_bounds__(threads, blocks), or NULL. */
static struct token *find_launch_bounds(const struct function *f)
{
    const struct token *end = f->body ? f->body : f->open;
    struct token *t = f->start;
    while (t && t != end && !is(t, "__launch_bounds__"))
        t = next_code(t);
    struct token *open = t == end ? NULL : next_code(t);
    return is(open, "(") && open->match ? open : NULL;
}

/* The same for a prototype of f. */
static struct token *find_prototype_bounds(struct unit *u,
                                           const struct function *f)
{
    const char *types = text_of(u, f->open, f->close);
    for (int i = 0; i < u->function_count; i++) {
        const struct function *p = &u->functions[i];
        if (p->global && !p->body && same_text(p->name, f->name)
            && strcmp(types, text_of(u, p->open, p->close)) == 0
            && find_launch_bounds(p))
            return find_launch_bounds(p);
    }
    return NULL;
}

/* __launch_bounds__(threads, blocks) as ",threads,blocks". */
static void launch_bounds(struct unit *u, const struct function *f,
                          struct buffer *b)
{
    struct token *open = find_launch_bounds(f);
    open = open ? open : find_prototype_bounds(u, f);
    if (open == NULL) {
        buffer_printf(b, ",0,0");
        return;
    }
    struct token *comma = parameter_end(next_code(open), open->match);
    struct token *second = is(comma, ",") ? next_code(comma) : NULL;
    struct token *end = second ? parameter_end(second, open->match) : NULL;
    buffer_printf(b, ",(%s),(%s)", text_of(u, next_code(open), comma),
                 second ? text_of(u, second, end) : "0");
}

/* The kernel's name as an expression; qualified if a parameter hides it. */
static void kernel_name(struct unit *u, const struct function *f,
                        struct buffer *b)
{
    struct token *t = f->name;
    while (is(prev_code(t), "::") && is_word(prev_code(prev_code(t))))
        t = prev_code(prev_code(t));
    const char *name = text_of(u, t, next_code(f->name));
    bool hidden = contains(f->open, f->close, name_of(u, f->name));
    buffer_printf(b, "%s%s", hidden && f->qualifier ? f->qualifier : "", name);
}

/* --- the body ------------------------------------------------------------- */

static bool reads_builtins(struct token *from, const struct token *to)
{
    static const char *const next_id[] = { "threadIdx", "blockIdx", "blockDim",
                                       "gridDim", NULL };
    for (const char *const *id = next_id; *id; id++)
        if (contains(from, to, *id))
            return true;
    return false;
}

/* The '{' of the class that is defined at t, or NULL. */
static struct token *class_body(struct token *t, const struct token *end)
{
    static const char *const keywords[] = { "struct", "class", "union", NULL };
    if (!is_any(t, keywords))
        return NULL;
    while (t && t != end && !is(t, "{") && !is(t, ";") && !is(t, ")"))
        t = next_code(t);
    return is(t, "{") ? t : NULL;
}

/* The '{' of the lambda whose '[' is t, if it has no default capture. */
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

/* Does a class or a lambda in the body read built-in variables?  It cannot see
 * the closure's parameters of these names. */
static bool inner_scope_reads_builtins(const struct function *f)
{
    for (struct token *t = f->body; t && t != f->end; t = next_code(t)) {
        struct token *inner = class_body(t, f->end);
        inner = inner ? inner : lambda_body(t);
        if (inner && inner->match && reads_builtins(inner, inner->match))
            return true;
    }
    return false;
}

/* __func__ would be the name of the closure's call operator. */
static void fix_function_name(struct unit *u, const struct function *f)
{
    static const char *const words[] = { "__func__", "__FUNCTION__",
                                         "__PRETTY_FUNCTION__", NULL };
    for (struct token *t = f->body; t && t != f->end; t = next_code(t))
        if (is_any(t, words)) {
            remove_token(t);
            insert_before(u, t, t, "\"%s\"", name_of(u, f->name));
        }
}

/* A thread that comes past the last barrier of the body says so: at the end,
 * and in each `return;` behind the barrier. */
static void mark_ends(struct unit *u, const struct function *f)
{
    if (f->last_barrier == NULL)
        return;
    for (struct token *t = f->last_barrier; t && t != f->end;
         t = next_code(t)) {
        struct token *inner = class_body(t, f->end);
        if (inner && inner->match)
            t = inner->match;
        else if (is(t, "return") && is(next_code(t), ";"))
            insert_after(u, t, t, " softgpu::leave_kernel()");
    }
    insert_before(u, f->end, f->end, "softgpu::leave_kernel();");
}

static void rewrite_kernel(struct unit *u, struct function *f)
{
    static const char named[] =
        "[[maybe_unused]]const ::uint3 threadIdx,"
        "[[maybe_unused]]const ::uint3 blockIdx,"
        "[[maybe_unused]]const ::dim3 blockDim,"
        "[[maybe_unused]]const ::dim3 gridDim";
    static const char unnamed[] =
        "const ::uint3,const ::uint3,const ::dim3,const ::dim3";
    bool hide = inner_scope_reads_builtins(f);
    if (hide)
        f->flags |= FLAG_NEEDS_BUILTINS;
    struct buffer arguments = { 0 }, types = { 0 }, bounds = { 0 },
                  name = { 0 };
    struct buffer references = { 0 };
    template_arguments(u, f, &arguments);
    parameter_types(u, f, &types);
    launch_bounds(u, f, &bounds);
    kernel_name(u, f, &name);
    reference_captures(u, f, &references);
    bool guarded = !(f->flags & FLAG_MAY_BLOCK) && rewrite_guard(u, f);
    insert_before(
        u, f->body, f->name,
        "{struct softgpu_tag{static constexpr softgpu::source source(){"
        "return{\"%s\",%s,%d,%uu%s,%d};}};"
        "softgpu::launch_closure<softgpu_tag,static_cast<void(*)(%s)>(&%s%s)>("
        "[=%s](%s,softgpu::guard&%s)%s",
        name_of(u, f->name), u->files[f->name->file].quoted, f->name->line,
        f->flags, bounds.bytes, guarded, types.bytes ? types.bytes : "",
        name.bytes, arguments.bytes ? arguments.bytes : "",
        references.bytes ? references.bytes : "", hide ? unnamed : named,
        guarded ? " softgpu_guard" : "",
        u->dialect.clang ? "__attribute__((always_inline))mutable"
                         : "mutable __attribute__((always_inline))");
    mark_ends(u, f);
    insert_after(u, f->end, f->end, ");}");
    fix_function_name(u, f);
    free(arguments.bytes);
    free(types.bytes);
    free(bounds.bytes);
    free(name.bytes);
    free(references.bytes);
}

/* The program says before main() that some kernel may wait for others, also
 * through a pointer to this function. */
static void announce_wait(struct unit *u, const struct function *f)
{
    insert_after(u, u->last, f->name,
                 "namespace{[[maybe_unused]]const bool softgpu_waits="
                 "(softgpu_announce_waits(),true);}");
}

void rewrite_kernels(struct unit *u)
{
    for (int i = 0; i < u->function_count; i++)
        if (u->functions[i].flags & FLAG_WAITS_FOR_CHILDREN) {
            announce_wait(u, &u->functions[i]);
            break;
        }
    for (int i = 0; i < u->function_count; i++) {
        struct function *f = &u->functions[i];
        if (f->global && f->body)
            rewrite_kernel(u, f);
    }
}
