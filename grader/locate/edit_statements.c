/* SPDX-License-Identifier: MIT */
/* Edits of statements and calls. */
#include <string.h>

#include "edits.h"

static bool is_in_device_code(const struct source *source, int i)
{
    const int function = source_function_at(source, i);

    return function >= 0 && source->function[function].is_device
           && i > source->function[function].body;
}

static bool has_word(const struct source *source, const char *word)
{
    for (int i = 0; i < source->count; i++)
        if (token_is(&source->token[i], word))
            return true;
    return false;
}

/* Is it within the parentheses of a loop's head? */
static bool is_in_head(const struct source *source, int i)
{
    for (int j = i; j >= 0; j--) {
        const struct token *token = &source->token[j];

        if (token_is_one_of(token, "{ }"))
            return false;
        if (token_is(token, "(") && (!token->match
                                     || token->match > &source->token[i]))
            return true;
    }
    return false;
}

/* Barriers, behind a statement or a block of device code. */
static void add_barriers(struct edits *edits, int i)
{
    const struct source *source = edits->source;
    const struct token *token = &source->token[i];

    if (!is_in_device_code(source, i) || !has_word(source, "__shared__")
        || is_in_head(source, i))
        return;
    if (token_is(token, ";"))
        edit_add(edits, i, i, 2, "a __syncthreads() behind this statement",
                 "; __syncthreads();");
    else if (token_is(token, "}") && i + 1 < source->count
             && !token_is(token + 1, "else"))
        edit_add(edits, i, i, 3, "a __syncthreads() behind this block",
                 "} __syncthreads();");
}

/* A statement that is left over. */
static void add_deletion(struct edits *edits, int i)
{
    const struct source *source = edits->source;
    const int end = source_statement_end(source, i);

    if (end <= i || source_is_declaration(source, i)
        || (token_is(&source->token[i], "return") && end > i + 1
            && !is_in_device_code(source, i)))
        return;
    edit_add(edits, i, end, 3, "no such statement", ";");
}

/* Two neighboring statements in the other order. */
static void add_order(struct edits *edits, int i)
{
    const struct source *source = edits->source;
    const int end = source_statement_end(source, i);
    const int last = end > i && source_starts_statement(source, end + 1)
                         ? source_statement_end(source, end + 1) : -1;

    if (last > 0 && !source_is_declaration(source, i))
        edit_add(edits, i, last, 4, "these two statements in the other order",
                 "%.*s %.*s", EDIT_TOKENS(source, end + 1, last),
                 EDIT_TOKENS(source, i, end));
}

/* A condition that has to be the opposite one. */
static void add_negation(struct edits *edits, int i)
{
    const struct source *source = edits->source;
    const struct token *open = &source->token[i + 1];

    if (!token_is_one_of(&source->token[i], "if while")
        || !token_is(open, "(") || !open->match)
        return;
    edit_add(edits, i + 1, (int)(open->match - source->token), 2,
             "the opposite condition", "(!%.*s)",
             EDIT_TOKENS(source, i + 1, (int)(open->match - source->token)));
    if (token_is(&source->token[i], "if"))
        edit_add(edits, i + 1, (int)(open->match - source->token), 3,
                 "no condition", "(true)");
}

/* A case that falls through. */
static void add_break(struct edits *edits, int i)
{
    const struct source *source = edits->source;

    if (token_is_one_of(&source->token[i], "case default")
        && !token_is_one_of(&source->token[i - 1], "{ :"))
        edit_add(edits, i, i, 1, "a break before this label", "break; %.*s",
                 EDIT_TOKENS(source, i, i));
}

/* x += y: by an atomic operation. */
static void add_atomic(struct edits *edits, int i)
{
    const struct source *source = edits->source;
    int first, end;

    if (!token_is(&source->token[i], "+=") || !is_in_device_code(source, i))
        return;
    first = source_operand_before(source, i);
    end = source_statement_end(source, i);
    if (first < 0 || end < i + 2)
        return;
    edit_add(edits, first, end, 3, "an atomic operation",
             "atomicAdd(&(%.*s), %.*s);", EDIT_TOKENS(source, first, i - 1),
             EDIT_TOKENS(source, i + 1, end - 1));
}

/* --- arguments ------------------------------------------------------------ */

/* The bytes of a copy or fill are its last size argument. */
static void add_bytes(struct edits *edits, const int *comma, int commas,
                      int open, int close)
{
    const struct source *source = edits->source;
    const struct token *name = &source->token[open - 1];
    int first, last;

    if (!token_is_one_of(name, "cudaMemcpy cudaMemcpyAsync cudaMemset "
                               "cudaMemsetAsync cudaMalloc memset memcpy"))
        return;
    if (token_is(name, "cudaMalloc")) {
        if (commas < 1)
            return;
        first = comma[0] + 1;
        last = close - 1;
    } else {
        if (commas < 2)
            return;
        first = comma[1] + 1;
        last = commas > 2 ? comma[2] - 1 : close - 1;
    }
    edit_add(edits, first, last, 2, "another size in bytes",
             "(%.*s) * sizeof(float)", EDIT_TOKENS(source, first, last));
    edit_add(edits, first, last, 2, "another size in bytes",
             "(%.*s) / sizeof(float)", EDIT_TOKENS(source, first, last));
}

/* Two neighboring arguments that are exchanged. */
static void add_exchange(struct edits *edits, int open)
{
    enum { MOST = 16 };
    const struct source *source = edits->source;
    const int close = (int)(source->token[open].match - source->token);
    int comma[MOST + 1], commas = 0;

    for (int i = open + 1; i < close && commas < MOST; i++) {
        if (source->token[i].match > &source->token[i])
            i = (int)(source->token[i].match - source->token);
        else if (token_is(&source->token[i], ","))
            comma[commas++] = i;
    }
    add_bytes(edits, comma, commas, open, close);
    comma[commas] = close;
    for (int i = 0; i < commas; i++) {
        const int first = i ? comma[i - 1] + 1 : open + 1;

        if (comma[i] > first && comma[i + 1] > comma[i] + 1)
            edit_add(edits, first, comma[i + 1] - 1, 4,
                     "these two arguments in the other order", "%.*s, %.*s",
                     EDIT_TOKENS(source, comma[i] + 1, comma[i + 1] - 1),
                     EDIT_TOKENS(source, first, comma[i] - 1));
    }
}

static bool is_call(const struct source *source, int open)
{
    const struct token *name = &source->token[open - 1];

    return token_is(&source->token[open], "(") && source->token[open].match
           && ((name->kind == T_IDENT
                && !token_is_one_of(name, "if for while switch return sizeof"))
               || token_is(name, ">"));
}

void edit_statements(struct edits *edits)
{
    const struct source *source = edits->source;

    for (int i = 1; i + 1 < source->count; i++) {
        const int function = source_function_at(source, i);

        if (function < 0 || i < source->function[function].body)
            continue;
        if (token_is_one_of(&source->token[i], "; }"))
            add_barriers(edits, i);
        if (source_starts_statement(source, i)) {
            add_deletion(edits, i);
            add_order(edits, i);
        }
        add_negation(edits, i);
        add_break(edits, i);
        add_atomic(edits, i);
        if (is_call(source, i))
            add_exchange(edits, i);
    }
}
