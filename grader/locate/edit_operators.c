/* SPDX-License-Identifier: MIT */
/* Edits of operators, numbers and types. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "edits.h"

/* An operator, and what it may have to be. */
struct replacement {
    const char *text;   /* of the token */
    const char *others; /* separated by spaces */
    int rank;           /* of the first; the others come one later */
    const char *words;  /* what is other */
};

static const struct replacement operators[] = {
    {"<", "<= > !=", 0, "another comparison"},
    {">", ">= < !=", 0, "another comparison"},
    {"<=", "< >=", 0, "another comparison"},
    {">=", "> <=", 0, "another comparison"},
    {"==", "!= <= >=", 0, "another comparison"},
    {"!=", "== <", 0, "another comparison"},
    {"&&", "||", 0, "another operator"},
    {"||", "&&", 0, "another operator"},
    {"+", "- *", 1, "another operator"},
    {"-", "+", 1, "another operator"},
    {"*", "/ +", 1, "another operator"},
    {"/", "* %", 1, "another operator"},
    {"%", "/", 1, "another operator"},
    {"+=", "= -=", 1, "another assignment"},
    {"-=", "+= =", 1, "another assignment"},
    {"=", "+= *=", 3, "another assignment"},
    {"*=", "+= /= =", 1, "another assignment"},
    {"/=", "*=", 1, "another assignment"},
    {"|", "& ^", 2, "another operator"},
    {"&", "| ^", 2, "another operator"},
    {"^", "& |", 2, "another operator"},
    {"|=", "&= ^=", 2, "another assignment"},
    {"&=", "|=", 2, "another assignment"},
};

static const struct replacement types[] = {
    {"int", "long\\long float unsigned", 3, "another type"},
    {"unsigned", "size_t int", 3, "another type"},
    {"short", "int", 2, "another type"},
    {"char", "int", 2, "another type"},
    {"float", "double int", 3, "another type"},
    {"double", "float", 4, "another type"},
    {"half", "float", 3, "another type"},
    {"__half", "float", 3, "another type"},
    {"true", "false", 1, "the other truth value"},
    {"false", "true", 1, "the other truth value"},
};

/* Replace a token by each of the words; a backslash in one is a space. */
static void add_replacements(struct edits *edits, int i,
                             const struct replacement *list)
{
    char word[32];
    int rank = list->rank;

    for (const char *at = list->others; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");

        text_format(word, sizeof word, "%.*s", (int)length, at);
        for (char *c = word; *c; c++)
            if (*c == '\\')
                *c = ' ';
        edit_add(edits, i, i, rank, list->words, "%s", word);
        rank = list->rank + 1;
        at += length;
    }
}

/* How many equal tokens stand side by side here: 2 in "<<", 3 in "<<<". */
static int run_length(const struct source *source, int i)
{
    const struct token *token = &source->token[i];
    int first = i, last = i;

    while (first > 0 && source->token[first].adjacent
           && source->token[first - 1].length == 1
           && *source->token[first - 1].text == *token->text)
        first--;
    while (last + 1 < source->count && source->token[last + 1].adjacent
           && source->token[last + 1].length <= 2
           && *source->token[last + 1].text == *token->text)
        last++;
    return last - first + 1;
}

/* Does a unary operator stand here, or a declarator's star? */
static bool is_unary(const struct source *source, int i)
{
    const struct token *before = &source->token[i - 1];

    return before->kind == T_PUNCT ? !token_is_one_of(before, ") ]")
           : before->kind == T_IDENT
                 && token_is_one_of(before, "return float int double char void "
                                            "unsigned half size_t const");
}

/* "<" of a template's arguments, as of static_cast<float>. */
static bool opens_template(const struct source *source, int i)
{
    const struct token *before = &source->token[i - 1];

    return token_is_one_of(before, "template static_cast reinterpret_cast "
                                   "const_cast");
}

/* Shifts: two tokens; ">>=" ends with ">=". */
static void add_shift(struct edits *edits, int i)
{
    const struct token *token = &edits->source->token[i];
    const struct token *next = token + 1;
    const bool left = *token->text == '<';

    if (run_length(edits->source, i) != 2 || i + 1 >= edits->source->count
        || !next->adjacent || *next->text != *token->text)
        return;
    edit_add(edits, i, i + 1, 1, "another operator", "%s%s",
             left ? ">>" : "<<", next->length == 2 ? "=" : "");
}

static void add_operator(struct edits *edits, int i)
{
    const struct source *source = edits->source;
    const struct token *token = &source->token[i];
    const bool angle = token->length == 1 && strchr("<>", *token->text);

    if (angle && run_length(source, i) > 1) {
        add_shift(edits, i);
        return;
    }
    if (token->length == 2 && strchr("<>", *token->text)
        && run_length(source, i) > 1)
        return;
    if (token_is_one_of(token, "* & + -") && is_unary(source, i)) {
        if (token_is(token, "-"))
            edit_add(edits, i, i, 1, "the other sign", " ");
        return;
    }
    if (angle && opens_template(source, i))
        return;
    for (size_t j = 0; j < sizeof operators / sizeof *operators; j++)
        if (token_is(token, operators[j].text))
            add_replacements(edits, i, &operators[j]);
}

/* --- numbers -------------------------------------------------------------- */

/* The digits of a decimal integer; its suffix follows. */
static bool read_integer(const struct token *token, unsigned long *value,
                         const char **suffix)
{
    char digits[24];
    char *end;

    text_format(digits, sizeof digits, "%.*s", token->length, token->text);
    if (digits[0] == '0' && isalnum((unsigned char)digits[1]))
        return false;
    *value = strtoul(digits, &end, 10);
    *suffix = token->text + (end - digits);
    return end > digits && strspn(end, "uUlL") == strlen(end)
           && *value < 1ul << 31;
}

static void add_integers(struct edits *edits, int i)
{
    static const char words[] = "another number";
    const struct token *token = &edits->source->token[i];
    unsigned long value;
    const char *suffix;
    int bytes, one;

    if (!read_integer(token, &value, &suffix))
        return;
    bytes = token->length - (int)(suffix - token->text);
    one = value <= 8 || ((value + 1) & value) == 0
                  || ((value - 1) & (value - 2)) == 0
              ? 1 : 4; /* 31 and 33 may be meant to be 32 */
    edit_add(edits, i, i, one, words, "%lu%.*s", value + 1, bytes, suffix);
    if (value > 0)
        edit_add(edits, i, i, one, words, "%lu%.*s", value - 1, bytes, suffix);
    if (value > 1) {
        edit_add(edits, i, i, 2, words, "%lu%.*s", value * 2, bytes, suffix);
        edit_add(edits, i, i, 2, words, "%lu%.*s", value / 2, bytes, suffix);
    }
    if (value == 1)
        edit_add(edits, i, i, 3, words, "%lu.0f", value);
    if (value == 0) {
        edit_add(edits, i, i, 2, words, "-INFINITY");
        edit_add(edits, i, i, 4, words, "0x7fffffff");
    }
}

/* A floating-point constant. */
static void add_floats(struct edits *edits, int i)
{
    static const char words[] = "another number";
    const struct token *token = &edits->source->token[i];
    char text[40];
    char *end;
    double value;

    text_format(text, sizeof text, "%.*s", token->length, token->text);
    value = strtod(text, &end);
    if (end == text || !strpbrk(text, ".eE") || strpbrk(text, "xX"))
        return;
    if (value == 0) {
        edit_add(edits, i, i, 1, words, "-INFINITY");
        edit_add(edits, i, i, 1, words, "1.0f");
        edit_add(edits, i, i, 3, words, "INFINITY");
        return;
    }
    edit_add(edits, i, i, 1, words, "0.0f");
    edit_add(edits, i, i, 2, words, "(2 * %s)", text);
    edit_add(edits, i, i, 2, words, "(0.5f * %s)", text);
    edit_add(edits, i, i, 2, words, "(1.0f / %s)", text);
    if (value == 1)
        edit_add(edits, i, i, 2, words, "1.0");
}

/* --- division ------------------------------------------------------------- */

/* a / b: rounded up, or not rounded. */
static void add_division(struct edits *edits, int i)
{
    const struct source *source = edits->source;
    const int a = source_operand_before(source, i);
    const int last = source_operand_at(source, i + 1);

    if (a < 0 || last >= source->count)
        return;
    edit_add(edits, a, last, 1, "a division that rounds up",
             "((%.*s + %.*s - 1) / %.*s)", EDIT_TOKENS(source, a, i - 1),
             EDIT_TOKENS(source, i + 1, last),
             EDIT_TOKENS(source, i + 1, last));
    edit_add(edits, i, i, 2, "a division of floating-point values",
             "/ (float)");
    edit_add(edits, a, last, 3, "a division that is not rounded down first",
             "(%.*s)", EDIT_TOKENS(source, a, i - 1));
}

void edit_operators(struct edits *edits)
{
    const struct source *source = edits->source;

    for (int i = 0; i < source->count; i++) {
        const struct token *token = &source->token[i];

        if (token->kind == T_PUNCT && i > 0)
            add_operator(edits, i);
        if (token_is(token, "/") && i > 0 && i + 1 < source->count)
            add_division(edits, i);
        if (token->kind == T_NUMBER) {
            add_integers(edits, i);
            add_floats(edits, i);
        }
        for (size_t j = 0; j < sizeof types / sizeof *types; j++)
            if (token->kind == T_IDENT && token_is(token, types[j].text)
                && source_function_at(source, i) >= 0)
                add_replacements(edits, i, &types[j]);
    }
}
