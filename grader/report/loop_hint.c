/* SPDX-License-Identifier: MIT */
/* The hint of a TIMEOUT, by the innermost loop around a line. */
#define _GNU_SOURCE /* memmem */
#include "loop_hint.h"
#include "source_piece.h"
#include "source_words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SHOWN = 110 /* bytes of a loop's head */ };

/* A loop. */
struct loop {
    const char *text;  /* the whole source */
    struct piece head; /* between the parentheses */
    const char *body;  /* its first byte */
    const char *end;   /* behind the body */
    const char *after; /* of a `do`: behind its condition; else NULL */
    bool is_for;
};

/* The text between the parentheses from `at` on.  @return behind them */
static const char *read_head(const char *at, struct piece *head)
{
    int depth = 0;

    at += strspn(at, " \t\n");
    *head = (struct piece){at + 1, 0};
    for (; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0)
            break;
    }
    head->length = *at ? (size_t)(at - head->at) : 0;
    return *at ? at + 1 : at;
}

/* The part of a `for` head, from 0, without spaces around it. */
static struct piece part_of(struct piece head, int index)
{
    const char *at = head.at, *end = head.at + head.length, *stop;
    int depth = 0;

    for (stop = at; stop < end; stop++) {
        depth += (*stop == '(') - (*stop == ')');
        if (*stop != ';' || depth)
            continue;
        if (index-- == 0)
            break;
        at = stop + 1;
    }
    while (at < stop && isspace((unsigned char)*at))
        at++;
    while (stop > at && isspace((unsigned char)stop[-1]))
        stop--;
    return (struct piece){at, (size_t)(stop - at)};
}

/* Does the condition read memory, which another thread may change? */
static bool reads_memory(struct piece condition)
{
    for (size_t i = 0; i < condition.length; i++) {
        const char c = condition.at[i];
        const bool is_product = i > 0 && (is_name_char(condition.at[i - 1])
                                          || condition.at[i - 1] == ' ');

        if (c == '[' || c == '(' || (c == '*' && !is_product))
            return c != '(' || (i > 0 && is_name_char(condition.at[i - 1]));
    }
    return false;
}

/* Is one of the condition's names changed in the loop? */
static bool any_is_changed(struct piece condition, struct piece step,
                           struct piece body)
{
    for (size_t i = 0; i < condition.length; i++) {
        const char *name = condition.at + i;
        size_t length = 0;

        if (!is_name_char(*name) || isdigit((unsigned char)*name)
            || (i > 0 && is_name_char(name[-1])))
            continue;
        while (is_name_char(name[length]))
            length++;
        if (is_changed(name, length, step) || is_changed(name, length, body))
            return true;
    }
    return false;
}

/* What a `for` adds; of a variable, its first value. */
static struct piece step_amount(const char *text, struct piece step)
{
    const char *at = memmem(step.at, step.length, "+=", 2);
    struct piece amount = {"", 0}, value;

    if (!at)
        return amount;
    amount.at = at + 2 + strspn(at + 2, " \t");
    while (amount.at + amount.length < step.at + step.length
           && is_name_char(amount.at[amount.length]))
        amount.length++;
    value = amount.length ? first_value(text, amount) : amount;
    amount.length = (size_t)(step.at + step.length - amount.at);
    return value.length ? value : amount;
}

/* Does a loop go on by this number of a grid or a block alone? */
static bool steps_by(const struct loop *loop, const char *number)
{
    const struct piece amount = step_amount(loop->text, part_of(loop->head, 2));

    return loop->is_for && contains(amount, number) && !contains(amount, "*");
}

/* Where a `for` starts; empty if that is not found. */
static struct piece start_of(const struct loop *loop)
{
    const struct piece start = part_of(loop->head, 0);
    struct piece name = {part_of(loop->head, 2).at, 0};

    while (is_name_char(name.at[name.length]))
        name.length++;
    return start.length || !name.length ? start
                                        : first_value(loop->text, name);
}

/* Does a `for` count an int or a larger type, which nothing else changes? */
static bool counts_by_one(const struct loop *loop, struct piece body)
{
    const struct piece start = part_of(loop->head, 0);
    const struct piece step = loop->is_for ? part_of(loop->head, 2) : start;
    size_t first = strspn(step.at, "+ "), length = 0;

    while (is_name_char(step.at[first + length]))
        length++;
    return has(step, "++") && length > 0 && start.length > 0
           && step.length <= first + length + 2
           && !contains(start, "short") && !contains(start, "char")
           && !contains(start, "8") && !contains(start, "16")
           && !is_changed(step.at + first, length, body);
}

static const char waits[] =
    "it waits for a value in memory. Which thread stores that, and can it run "
    "before this one ends its loop (no barrier, no lane of the same warp, a "
    "block that has started)? Is each counter and flag reset in every call?";

/* The reason why the loop does not end. */
static const char *reason(const struct loop *loop)
{
    const struct piece body = {loop->body, (size_t)(loop->end - loop->body)};
    const struct piece condition =
        loop->is_for ? part_of(loop->head, 1) : loop->head;
    const struct piece step =
        loop->is_for ? part_of(loop->head, 2) : (struct piece){"", 0};

    if (condition.length == 0)
        return "it has no condition: only a break or a return ends it. Does "
               "every thread reach one?";
    if (has(condition, ">=0") && (has(step, "/=") || has(step, ">>=")))
        return "0 divided is 0 again, and 0 >= 0 is true: compare with > 0.";
    if (has(condition, ">=0") && loop->is_for
        && (has(loop->head, "unsigned") || has(loop->head, "size_t")))
        return "an unsigned number, as a size_t, is never below 0: it goes on "
               "from its largest value.";
    if (loop->is_for && has(part_of(loop->head, 0), "=0")
        && (has(step, "*=") || has(step, "<<=")))
        return "0 times 2 is 0: start at 1.";
    if (reads_memory(condition))
        return waits;
    if (steps_by(loop, "blockDim.x")
        && (start_of(loop).length == 0 || contains(start_of(loop), "blockIdx")))
        return "it goes on by the threads of one block, so each block also "
               "does the work of all blocks after it: a loop over a grid goes "
               "on by gridDim.x * blockDim.x.";
    if (steps_by(loop, "gridDim.x"))
        return "it goes on by the number of blocks, so many threads do the "
               "same work: the step of a grid is gridDim.x * blockDim.x.";
    if (contains(body, "volatile")
        && (loop->after || contains(body, "continue")))
        return waits; /* an iteration without progress is a poll */
    if (!any_is_changed(condition, step, body))
        return "nothing in the loop changes what its condition compares.";
    if (counts_by_one(loop, body))
        return "it counts by one. Does each thread do the work of many, or does "
               "its end lie beyond what it should?";
    return "is the amount by which it changes sometimes 0, does it overflow, "
           "or does a path through the loop undo the change? Or has one "
           "thread to do the work of many?";
}

/* The end of a statement that begins here. */
static const char *end_of_statement(const char *at)
{
    int depth = 0;

    for (; *at; at++) {
        const char *next = skip_text(at);

        if (next > at) {
            at = next - 1;
            continue;
        }
        depth += (*at == '{' || *at == '(') - (*at == '}' || *at == ')');
        if (depth == 0 && (*at == '}' || *at == ';'))
            return at + 1;
    }
    return at;
}

/* Is the statement that ends here the body of a `do`? */
static bool follows_do(const char *text, const char *end)
{
    const char *at = end;

    while (at > text && !strchr(";{}", at[-1]))
        if (is_word(text, --at, "do"))
            return true;
    return false;
}

/* Is this `while` the end of a `do`? */
static bool ends_do(const char *text, const char *at, const char *body)
{
    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    return at > text && body[strspn(body, " \t\n")] == ';'
           && (at[-1] == '}' || (at[-1] == ';' && follows_do(text, at - 1)));
}

/* Read the loop that begins here.  @return false if none does */
static bool read_loop(const char *text, const char *at, struct loop *loop)
{
    const bool is_do = is_word(text, at, "do");

    *loop = (struct loop){.text = text, .is_for = is_word(text, at, "for")};
    if (!loop->is_for && !is_do && !is_word(text, at, "while"))
        return false;
    loop->body = at + strcspn(at, "( \t\n{");
    if (!is_do) {
        loop->body = read_head(loop->body, &loop->head);
        loop->end = end_of_statement(loop->body);
        return !ends_do(text, at, loop->body);
    }
    loop->end = end_of_statement(loop->body);
    at = strstr(loop->end, "while"); /* the condition comes last */
    if (!at)
        return false;
    loop->after = read_head(at + strlen("while"), &loop->head);
    return true;
}

static void describe(const struct loop *loop, int line, char *hint,
                     size_t bytes)
{
    const bool is_short = loop->head.length < MOST_SHOWN;

    snprintf(hint, bytes, "The loop `%s (%.*s%s)` of line %d did not "
             "end: %s",
             loop->is_for ? "for" : "while",
             is_short ? (int)loop->head.length : MOST_SHOWN, loop->head.at,
             is_short ? "" : " ...", line, reason(loop));
    for (; *hint; hint++)
        *hint = *hint == '\n' ? ' ' : *hint;
}

/* Is it a loop over a constant number of steps, as `for (int p = 0; p < TILE;
 * p++)`?  Such a loop ends. */
static bool is_counted(const struct loop *loop)
{
    const struct piece body = {loop->body, (size_t)(loop->end - loop->body)};
    const struct piece condition =
        loop->is_for ? part_of(loop->head, 1) : loop->head;
    const char *bound = memchr(condition.at, '<', condition.length);
    const char *name = condition.at;
    size_t length = 0;

    if (!loop->is_for || !bound || !has(part_of(loop->head, 2), "++"))
        return false;
    while (isspace((unsigned char)*name))
        name++;
    while (is_name_char(name[length]))
        length++;
    for (bound++; bound < condition.at + condition.length; bound++)
        if (!isspace((unsigned char)*bound) && !isupper((unsigned char)*bound)
            && !isdigit((unsigned char)*bound) && *bound != '_')
            return false;
    return !is_changed(name, length, body);
}

bool loop_holds_all(const char *text, const long lines[3])
{
    struct loop loop;
    bool any = false;

    for (const char *at = text; *at; at++) {
        const char *next = skip_text(at);
        int held = 0;
        long last;

        if (next > at) {
            at = next - 1;
            continue;
        }
        if (!read_loop(text, at, &loop))
            continue;
        last = line_of(text, (loop.after ? loop.after : loop.end) - 1);
        for (int i = 0; i < 3; i++)
            held += lines[i] >= line_of(text, at) && lines[i] <= last;
        if (held == 3)
            return true;
        any = any || held > 0;
    }
    return !any;
}

bool loop_hint(const char *text, int line, char *hint, size_t bytes)
{
    struct loop loop, found = {.body = NULL};
    int found_line = 0;

    for (const char *at = text; *at; at++) {
        const char *next = skip_text(at), *end;

        if (next > at) {
            at = next - 1;
            continue;
        }
        if (!read_loop(text, at, &loop))
            continue;
        end = loop.after ? loop.after : loop.end;
        if (line_of(text, at) > line || line_of(text, end - 1) < line)
            continue;
        if (found_line && is_counted(&loop))
            continue; /* the loop around it does not end */
        found = loop; /* the last one is the innermost */
        found_line = line_of(text, at);
    }
    if (found_line)
        describe(&found, found_line, hint, bytes);
    return found_line > 0;
}
