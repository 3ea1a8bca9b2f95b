/* SPDX-License-Identifier: MIT */
/* Inline PTX in device code:
 *
 *      asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
 *   -> do { auto &&softgpu_p0 = (d); const auto softgpu_p1 = (a); ...
 *           softgpu::ptx::add<uint32_t>(softgpu_p0, softgpu_p1, ...); }
 *      while (0);
 *
 * The operands' expressions stay where they are in the list of tokens. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "ptx.h"
#include "tokens.h"

/* One asm statement. */
struct statement {
    struct unit *unit;
    struct token *start;    /* asm */
    struct token *open;     /* ( */
    struct buffer text;     /* the template, unescaped */
    int operands;
    bool carries;           /* it sets or reads the carry flag */
};

/* Append what a string literal stands for. */
static void append_string(struct buffer *to, const struct token *t)
{
    for (int i = 1; i + 1 < t->length; i++) {
        char c = t->text[i];
        if (c == '\\' && i + 2 < t->length) {
            c = t->text[++i];
            c = c == 'n' ? '\n' : c == 't' || c == 'r' ? ' ' : c;
        }
        buffer_printf(to, "%c", c);
    }
}

/* Remove the tokens of [t, end) one by one: groups are left whole. */
static void drop(struct token *t, const struct token *end)
{
    for (struct token *next; t && t != end; t = next) {
        next = next_code(t);
        remove_token(t);
    }
}

/* The operand "constraint" (expression) whose string is t.
 * @return the token after it, NULL if it has another form */
static struct token *rewrite_operand(struct statement *s, struct token *t,
                                     bool is_output)
{
    struct token *open = next_code(t);
    for (struct token *next; open && open->kind == T_STRING; open = next) {
        next = next_code(open); /* "=" "r" */
        remove_token(open);
    }
    if (!is(open, "(") || !open->match)
        return NULL;
    insert_before(s->unit, open, s->start, "%s softgpu_p%d=",
                  is_output ? "auto&&" : "const auto", s->operands++);
    insert_after(s->unit, open->match, s->start, ";");
    remove_token(t);
    return next_code(open->match);
}

/* All operands after the template: outputs, inputs, clobbers.
 * @return false if one has another form, as [name] */
static bool rewrite_operands(struct statement *s, struct token *t,
                             const struct token *close)
{
    int part = 0; /* 1: outputs, 2: inputs, 3: clobbers */
    while (t && t != close) {
        struct token *next = next_code(t);
        if (is(t, ":") || is(t, "::")) {
            part += t->length;
            remove_token(t);
        } else if (is(t, ",")) {
            remove_token(t);
        } else if (t->kind == T_STRING && part < 3) {
            next = rewrite_operand(s, t, part == 1);
        } else if (t->kind == T_STRING) {
            remove_token(t);
        } else {
            return false;
        }
        if (!next)
            return false;
        t = next;
    }
    return t == close;
}

/* Rewrite one statement; its asm is s->start.  @return false after an error */
static bool rewrite_statement(struct statement *s)
{
    struct token *t = next_code(s->start);
    while (is(t, "volatile") || is(t, "__volatile__"))
        t = next_code(t);
    s->open = t;
    if (!is(t, "(") || !t->match) {
        report_error(s->unit, s->start, "this form of asm is not on the "
                                        "software GPU");
        return false;
    }
    struct token *close = t->match;
    for (t = next_code(t); t && t->kind == T_STRING; t = next_code(t))
        append_string(&s->text, t);
    struct token *rest = t;
    insert_before(s->unit, s->start, s->start, "do{");
    drop(s->start, rest);
    if (!rewrite_operands(s, rest, close)) {
        report_error(s->unit, s->start, "the operands of this asm have a form "
                                        "that is not on the software GPU");
        return false;
    }
    struct buffer code = { 0 };
    const bool good = translate_ptx(s->text.bytes ? s->text.bytes : "",
                                    s->operands, &code);
    s->carries = good && code.bytes && strstr(code.bytes, "softgpu_carry");
    if (good)
        insert_before(s->unit, close, s->start, "%s}while(0)",
                      code.bytes ? code.bytes : "");
    else if (in_cccl(s->unit, s->start))
        insert_before(
            s->unit, close, s->start,
            "softgpu_fail(719, \"%%s\", \"inline PTX: %s\");}while(0)",
            code.bytes ? code.bytes : "no memory");
    else
        report_error(s->unit, s->start, "inline PTX: %s",
                     code.bytes ? code.bytes : "no memory");
    remove_token(close);
    free(code.bytes);
    return good;
}

/* Rewrite the statements of a function.  The carry flag lives from one to the
 * next: it is a variable of the function. */
static void rewrite_function(struct unit *u, const struct function *f)
{
    static const char *const words[] = { "asm", "__asm__", "__asm", NULL };
    bool carries = false;
    for (struct token *t = f->body; t && t != f->end;) {
        struct token *after = next_code(t);
        if (is_any(t, words) && is_ptx(t, f->host)) {
            struct statement s = { .unit = u, .start = t };
            after = find_at_top_level(t, f->end, ";", false);
            rewrite_statement(&s);
            carries |= s.carries;
            free(s.text.bytes);
        }
        t = after;
    }
    if (carries)
        insert_after(u, f->body, f->body, "unsigned softgpu_carry=0;");
}

void rewrite_ptx(struct unit *u)
{
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (f->body && (f->global || f->device))
            rewrite_function(u, f);
    }
}
