/* SPDX-License-Identifier: MIT */
/* Edits of names: variables, members, functions, constants. */
#include <string.h>

#include "common/base/text.h"
#include "edits.h"

/* Names that are taken for each other. */
static const char *const alike[] = {
    "x y z w",
    "threadIdx blockIdx",
    "blockDim gridDim",
    "threadIdx blockDim",
    "fmaxf fminf",
    "max min",
    "fmax fmin",
    "atomicAdd atomicMax",
    "atomicMax atomicMin",
    "atomicAdd atomicSub",
    "cudaMemcpyHostToDevice cudaMemcpyDeviceToHost cudaMemcpyDeviceToDevice "
    "cudaMemcpyHostToHost",
    "__shfl_down_sync __shfl_up_sync __shfl_xor_sync __shfl_sync",
    "__syncwarp __syncthreads",
    "floorf ceilf truncf roundf rintf",
    "floor ceil round",
    "expf exp __expf",
    "logf log log1pf log2f",
    "sqrtf rsqrtf",
    "__any_sync __all_sync",
    "row_major col_major",
    "continue break return",
    "CUBLAS_OP_N CUBLAS_OP_T",
    "CUDNN_CONVOLUTION CUDNN_CROSS_CORRELATION",
    "CUDNN_TENSOR_NCHW CUDNN_TENSOR_NHWC",
    "__float2half __float2half_rz __float2half_rd",
};

/* Names of sizes and indices that belong together: of one direction, or of one
 * array. */
static const char *const pairs[] = {
    "width height", "w h",        "row col",       "rows cols",
    "x y",          "in out",     "src dst",       "m n",
    "n k",          "m k",        "i j",           "j k",
    "a b",          "b c",        "mean variance", "mean var",
    "left right",   "first last", "begin end",     "r s",
    "p q",          "c k",        "tx ty",         "bx by",
    "input output", "lane warp",  "beta1 beta2",   "rows columns",
};

/* Is `name` one of the words and `other` another? */
static bool are_words(const char *words, const struct token *name,
                      const struct token *other)
{
    return token_is_one_of(name, words) && token_is_one_of(other, words);
}

/* Do two names differ only by one part: d_a and d_b, in_width and in_height? */
static bool share_parts(const struct token *a, const struct token *b)
{
    int head = 0, tail = 0;
    const int shorter = a->length < b->length ? a->length : b->length;

    while (head < shorter && a->text[head] == b->text[head])
        head++;
    while (tail < shorter - head
           && a->text[a->length - 1 - tail] == b->text[b->length - 1 - tail])
        tail++;
    return head + tail >= 2 && 2 * (head + tail) >= shorter;
}

/* How soon to try one name for another. */
static int rank_of_names(const struct token *a, const struct token *b)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (are_words(pairs[i], a, b))
            return 1;
    return share_parts(a, b)                     ? 2
           : a->length == 1 && b->length == 1 ? 4
                                               : 6;
}

/* Is the token a use of a variable, not a member or a declaration? */
static bool is_use(const struct source *source, int i)
{
    const struct token *token = &source->token[i];

    if (token->kind != T_IDENT || i == 0 || i + 1 >= source->count
        || token_is_one_of(&source->token[i - 1], ". -> ::")
        || token_is_one_of(&source->token[i + 1], "( ::"))
        return false;
    for (int j = 0; j < source->variables; j++)
        if (source->variable[j].name == token)
            return false;
    return true;
}

/* Is it the first variable of this name that the function sees? */
static bool is_first_of_name(const struct source *source, int variable,
                             int function)
{
    const struct token *name = source->variable[variable].name;

    for (int i = 0; i < variable; i++) {
        const struct source_variable *other = &source->variable[i];

        if ((other->function < 0 || other->function == function)
            && other->name->length == name->length
            && !memcmp(other->name->text, name->text, (size_t)name->length))
            return false;
    }
    return true;
}

/* The other variables of its kind. */
static void add_variables(struct edits *edits, int i, int function)
{
    const struct source *source = edits->source;
    const struct token *token = &source->token[i];
    const enum type_kind kind = source_kind_of(source, function, token);

    if (kind == TYPE_OTHER)
        return;
    for (int j = 0; j < source->variables; j++) {
        const struct source_variable *other = &source->variable[j];
        const bool seen = other->function < 0
                          || (other->function == function
                              && other->name < token);

        if (!seen || other->kind != kind
            || (other->name->length == token->length
                && !memcmp(other->name->text, token->text,
                           (size_t)token->length))
            || !is_first_of_name(source, j, function))
            continue;
        edit_add(edits, i, i, rank_of_names(token, other->name),
                 "another variable", "%.*s", other->name->length,
                 other->name->text);
    }
}

/* One more and one less than a variable. */
static void add_one_off(struct edits *edits, int i)
{
    const struct source *source = edits->source;
    const struct token *token = &source->token[i];

    if (token_is_one_of(token + 1, "= += -= ++ -- [")
        || token_is_one_of(token - 1, "++ -- &"))
        return;
    edit_add(edits, i, i, 4, "one more", "(%.*s + 1)", token->length,
             token->text);
    edit_add(edits, i, i, 4, "one less", "(%.*s - 1)", token->length,
             token->text);
}

/* Names of `alike`, members and functions. */
static void add_alike(struct edits *edits, int i)
{
    const struct token *token = &edits->source->token[i];
    char word[32];

    for (size_t j = 0; j < sizeof alike / sizeof *alike; j++) {
        const bool is_member = j == 0;

        if (!token_is_one_of(token, alike[j])
            || (is_member && !token_is(token - 1, ".")))
            continue;
        for (const char *at = alike[j]; *at; at += strspn(at, " ")) {
            const size_t length = strcspn(at, " ");

            text_format(word, sizeof word, "%.*s", (int)length, at);
            if (!token_is(token, word))
                edit_add(edits, i, i, is_member && *at > 'y' ? 5 : 2,
                         is_member ? "another member" : "another name", "%s",
                         word);
            at += length;
        }
    }
}

void edit_names(struct edits *edits)
{
    const struct source *source = edits->source;

    for (int i = 1; i < source->count; i++) {
        const int function = source_function_at(source, i);

        if (function < 0 || source->token[i].kind != T_IDENT)
            continue;
        add_alike(edits, i);
        if (!is_use(source, i))
            continue;
        add_variables(edits, i, function);
        if (source_kind_of(source, function, &source->token[i])
            == TYPE_INTEGER)
            add_one_off(edits, i);
    }
}
