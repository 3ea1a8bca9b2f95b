/* SPDX-License-Identifier: MIT */
/* The lexer: C++ tokens of preprocessed text and of source files.
 * It differs from C++ in one point: "<<" and ">>" are two tokens, so that
 * "<<<", ">>>" and nested template brackets need no special case. */
#include <ctype.h>
#include <string.h>

#include "rewriter.h"

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static char peek(const struct lexer *x, int ahead)
{
    return x->end - x->p > ahead ? x->p[ahead] : 0;
}

/* gcc -E prints a letter beyond ASCII as \U000000f6.
 *  @return characters of it, 0: another use of a backslash */
static int universal_length(const struct lexer *x)
{
    const int length = peek(x, 1) == 'u' ? 6 : peek(x, 1) == 'U' ? 10 : 0;

    if (*x->p != '\\' || !length)
        return 0;
    for (int i = 2; i < length; i++)
        if (!isxdigit((unsigned char)peek(x, i)))
            return 0;
    return length;
}

/* Characters of the letter or digit at p, 0: neither. */
static int word_char_length(const struct lexer *x)
{
    return is_word_char(*x->p) ? 1 : universal_length(x);
}

static void start_line(struct lexer *x)
{
    x->line++;
    x->line_start = x->p;
}

/* Advance by one character and count lines. */
static void advance(struct lexer *x)
{
    if (*x->p++ == '\n')
        start_line(x);
}

static void skip_line_comment(struct lexer *x)
{
    while (x->p < x->end && *x->p != '\n') {
        if (*x->p == '\\' && peek(x, 1) == '\n')
            advance(x);
        advance(x);
    }
}

static void skip_block_comment(struct lexer *x)
{
    x->p += 2;
    while (x->p < x->end && !(*x->p == '*' && peek(x, 1) == '/'))
        advance(x);
    x->p = x->end - x->p >= 2 ? x->p + 2 : x->end;
}

static bool skip_splice(struct lexer *x)
{
    int n = peek(x, 1) == '\r' ? 2 : 1;
    if (peek(x, n) != '\n')
        return false;
    x->p += n;
    advance(x);
    return true;
}

/* Skip white space, comments and spliced lines. */
static void skip_space(struct lexer *x)
{
    while (x->p < x->end) {
        if (*x->p == '\n') {
            advance(x);
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
        bool quote = c == '\'' && is_word_char(peek(x, 1));
        if (!is_word_char(c) && c != '.' && !sign && !quote)
            return;
        x->p++;
    }
}

/* A literal in quotes; without a closing quote it ends with the line. */
static void lex_quoted(struct lexer *x, char quote)
{
    x->p++;
    while (x->p < x->end && *x->p != '\n' && *x->p != quote) {
        if (*x->p == '\\' && x->end - x->p > 1)
            advance(x);
        advance(x);
    }
    if (x->p < x->end && *x->p == quote)
        x->p++;
}

/* A raw string R"delimiter( ... )delimiter"; p is at the quote. */
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
        advance(x);
    }
}

/* Is the word from `start` to p a prefix of the literal that follows? */
static bool is_literal_prefix(const struct lexer *x, const char *start)
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
    int length;
    while (x->p < x->end && (length = word_char_length(x)))
        x->p += length;
    char quote = peek(x, 0);
    if ((quote != '"' && quote != '\'') || !is_literal_prefix(x, start))
        return T_IDENT;
    if (quote == '"' && x->p[-1] == 'R')
        lex_raw(x);
    else
        lex_quoted(x, quote);
    return quote == '"' ? T_STRING : T_CHAR;
}

static int punctuator_length(const struct lexer *x)
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

static enum token_kind lex_token(struct lexer *x)
{
    char c = *x->p;
    if (isdigit((unsigned char)c)
        || (c == '.' && isdigit((unsigned char)peek(x, 1)))) {
        x->p++;
        lex_number(x);
        return T_NUMBER;
    }
    if (word_char_length(x))
        return lex_word(x);
    if (c == '"' || c == '\'') {
        lex_quoted(x, c);
        return c == '"' ? T_STRING : T_CHAR;
    }
    x->p += punctuator_length(x);
    return T_PUNCT;
}

/* The usual spelling of a digraph, or NULL.  "<::" is one only before another
 * ":" or before ">". */
static const char *usual_spelling(const struct lexer *x)
{
    static const char digraphs[][3] = { "<%", "%>", "<:", ":>" };
    static const char *const usual[] = { "{", "}", "[", "]" };

    if (peek(x, 0) == '<' && peek(x, 1) == ':' && peek(x, 2) == ':'
        && peek(x, 3) != ':' && peek(x, 3) != '>')
        return NULL;
    for (size_t i = 0; i < sizeof digraphs / sizeof *digraphs; i++)
        if (peek(x, 0) == digraphs[i][0] && peek(x, 1) == digraphs[i][1])
            return usual[i];
    return NULL;
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
    t->adjacent = x->p == before;
    x->first = false;
    const char *usual = usual_spelling(x);
    if (usual) {
        t->kind = T_PUNCT;
        t->text = usual;
        t->length = 1;
        x->p += 2;
        return true;
    }
    t->kind = lex_token(x);
    t->length = (int)(x->p - t->text);
    return true;
}
