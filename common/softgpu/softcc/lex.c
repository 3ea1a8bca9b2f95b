/* SPDX-License-Identifier: MIT */
/* The lexer: C++ tokens of preprocessed text and of source files alike.
 * One departure: '<' and '>' never join with a neighbour of their own kind, so
 * that "<<<", ">>>" and closing template brackets need no second look. */
#include <ctype.h>
#include <string.h>

#include "softcc.h"

static bool word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static char peek(const struct lexer *x, int ahead)
{
    return x->end - x->p > ahead ? x->p[ahead] : 0;
}

static void newline(struct lexer *x)
{
    x->line++;
    x->line_start = x->p;
}

/* Step over one character, counting lines. */
static void step(struct lexer *x)
{
    if (*x->p++ == '\n')
        newline(x);
}

static void skip_line_comment(struct lexer *x)
{
    while (x->p < x->end && *x->p != '\n') {
        if (*x->p == '\\' && peek(x, 1) == '\n')
            step(x);
        step(x);
    }
}

static void skip_block_comment(struct lexer *x)
{
    x->p += 2;
    while (x->p < x->end && !(*x->p == '*' && peek(x, 1) == '/'))
        step(x);
    x->p = x->end - x->p >= 2 ? x->p + 2 : x->end;
}

static bool skip_splice(struct lexer *x)
{
    int n = peek(x, 1) == '\r' ? 2 : 1;
    if (peek(x, n) != '\n')
        return false;
    x->p += n;
    step(x);
    return true;
}

/* White space, comments and spliced lines. */
static void skip_space(struct lexer *x)
{
    while (x->p < x->end) {
        if (*x->p == '\n') {
            step(x);
            x->first = true;
        } else if (isspace((unsigned char)*x->p)) {
            x->p++;
        } else if (*x->p == '/' && peek(x, 1) == '/') {
            skip_line_comment(x);
        } else if (*x->p == '/' && peek(x, 1) == '*') {
            skip_block_comment(x);
        } else if (*x->p != '\\' || !skip_splice(x)) {
            return;
        }
    }
}

static void lex_number(struct lexer *x)
{
    while (x->p < x->end) {
        char c = *x->p;
        bool sign = (c == '+' || c == '-') && strchr("eEpP", x->p[-1]);
        bool quote = c == '\'' && word_char(peek(x, 1));
        if (!word_char(c) && c != '.' && !sign && !quote)
            return;
        x->p++;
    }
}

/* A literal in quotes; it ends with the line if it is not closed. */
static void lex_quoted(struct lexer *x, char quote)
{
    x->p++;
    while (x->p < x->end && *x->p != '\n' && *x->p != quote) {
        if (*x->p == '\\' && x->end - x->p > 1)
            step(x);
        step(x);
    }
    if (x->p < x->end && *x->p == quote)
        x->p++;
}

/* R"delimiter( ... )delimiter"; p is at the quote. */
static void lex_raw(struct lexer *x)
{
    const char *delimiter = ++x->p;
    while (x->p < x->end && *x->p != '(' && *x->p != '\n')
        x->p++;
    size_t n = (size_t)(x->p - delimiter);
    while (x->p < x->end) {
        if (*x->p == ')' && (size_t)(x->end - x->p) >= n + 2
            && memcmp(x->p + 1, delimiter, n) == 0 && x->p[n + 1] == '"') {
            x->p += n + 2;
            return;
        }
        step(x);
    }
}

/* True if the word from `start` to p is a prefix of the literal behind it. */
static bool literal_prefix(const struct lexer *x, const char *start)
{
    static const char *const prefixes[] = { "u8R", "uR", "UR", "LR", "R",
                                            "u8",  "u",  "U",  "L" };
    size_t n = (size_t)(x->p - start);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strlen(prefixes[i]) == n && memcmp(prefixes[i], start, n) == 0)
            return true;
    return false;
}

static enum token_kind lex_word(struct lexer *x)
{
    const char *start = x->p;
    while (x->p < x->end && word_char(*x->p))
        x->p++;
    char quote = peek(x, 0);
    if ((quote != '"' && quote != '\'') || !literal_prefix(x, start))
        return T_IDENT;
    if (quote == '"' && x->p[-1] == 'R')
        lex_raw(x);
    else
        lex_quoted(x, quote);
    return quote == '"' ? T_STRING : T_CHAR;
}

static int punct_length(const struct lexer *x)
{
    static const char three[][4] = { "...", "->*" };
    static const char two[][3] = { "->", "++", "--", "==", "!=", "&&", "||",
                                   "+=", "-=", "*=", "/=", "%=", "&=", "|=",
                                   "^=", "::", "##", ".*", "<=", ">=" };
    size_t left = (size_t)(x->end - x->p);
    for (size_t i = 0; i < sizeof three / sizeof *three; i++)
        if (left >= 3 && memcmp(x->p, three[i], 3) == 0)
            return 3;
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (left >= 2 && memcmp(x->p, two[i], 2) == 0)
            return 2;
    return 1;
}

static enum token_kind lex_one(struct lexer *x)
{
    char c = *x->p;
    if (isdigit((unsigned char)c)
        || (c == '.' && isdigit((unsigned char)peek(x, 1)))) {
        x->p++;
        lex_number(x);
        return T_NUMBER;
    }
    if (word_char(c))
        return lex_word(x);
    if (c == '"' || c == '\'') {
        lex_quoted(x, c);
        return c == '"' ? T_STRING : T_CHAR;
    }
    x->p += punct_length(x);
    return T_PUNCT;
}

bool lex(struct lexer *x, struct token *t)
{
    const char *before = x->p;
    skip_space(x);
    if (x->p >= x->end)
        return false;
    memset(t, 0, sizeof *t);
    t->text = x->p;
    t->line = x->line;
    t->col = (int)(x->p - x->line_start);
    t->first = x->first;
    t->glued = x->p == before;
    x->first = false;
    t->kind = lex_one(x);
    t->length = (int)(x->p - t->text);
    return true;
}
