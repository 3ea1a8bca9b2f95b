/* SPDX-License-Identifier: MIT */
/* Tokens, functions and variables of a source. */
#include "source.h"

#include <stdlib.h>
#include <string.h>

static const char type_words[] =
    "int unsigned signed long short char size_t ptrdiff_t bool float double "
    "half __half int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t "
    "uint64_t auto float2 float4 dim3 cudaError_t cudaStream_t cudaEvent_t";
static const char integer_words[] =
    "int unsigned signed long short char size_t ptrdiff_t int8_t int16_t "
    "int32_t int64_t uint8_t uint16_t uint32_t uint64_t auto enum";
static const char float_words[] = "float double half __half";
static const char specifiers[] = "const static constexpr volatile __shared__ "
                                 "extern __restrict__ inline register struct";

bool token_is(const struct token *token, const char *text)
{
    return (size_t)token->length == strlen(text)
           && !memcmp(token->text, text, (size_t)token->length);
}

bool token_is_one_of(const struct token *token, const char *words)
{
    const size_t length = (size_t)token->length;

    for (const char *at = words; *at; at += strspn(at, " ")) {
        const size_t word = strcspn(at, " ");

        if (word == length && !memcmp(at, token->text, length))
            return true;
        at += word;
    }
    return false;
}

/* --- tokens -------------------------------------------------------------- */

/* The end of the directive at `at`, its spliced lines included. */
static const char *directive_end(const char *at)
{
    while (*at && *at != '\n')
        at += *at == '\\' && at[1] ? 2 : 1;
    return at;
}

/* Read a directive, whose '#' was read.  Of "#define NAME NUMBER" the number is
 * kept: it is a constant of the program.
 *  @param[out] kept  that token
 *  @return whether there is one */
static bool read_directive(struct lexer *lexer, struct token *kept)
{
    const char *end = directive_end(lexer->p);
    struct lexer before = *lexer;
    struct token token;
    bool is_define = false, is_number = false;
    int count = 0;

    while (lex(lexer, &token) && token.text < end) {
        before = *lexer;
        is_define |= count == 0 && token_is(&token, "define");
        is_number = count == 2 && token.kind == T_NUMBER;
        if (is_number)
            *kept = token;
        count++;
    }
    *lexer = before;
    return is_define && is_number && count == 3;
}

static void match_brackets(struct source *source)
{
    struct token *open = NULL; /* the innermost; `prev` links the others */

    for (int i = 0; i < source->count; i++) {
        struct token *token = &source->token[i];

        token->match = NULL;
        if (token->kind != T_PUNCT || token->length != 1)
            continue;
        if (strchr("([{", *token->text)) {
            token->prev = open;
            open = token;
        } else if (strchr(")]}", *token->text) && open) {
            token->match = open;
            open->match = token;
            open = open->prev;
        }
    }
}

static bool read_tokens(struct source *source)
{
    const size_t length = strlen(source->text);
    struct lexer lexer = {.p = source->text, .end = source->text + length,
                          .line_start = source->text, .line = 1,
                          .first = true};

    source->token = calloc(length + 1, sizeof *source->token);
    if (!source->token)
        return false;
    while (lex(&lexer, &source->token[source->count])) {
        struct token *token = &source->token[source->count];

        if (!token->first || !token_is(token, "#")
            || read_directive(&lexer, token))
            source->count++;
    }
    match_brackets(source);
    return true;
}

static int index_of(const struct source *source, const struct token *token)
{
    return token ? (int)(token - source->token) : -1;
}

/* --- functions ------------------------------------------------------------ */

/* Has the declaration whose parameter list is at `open` a specifier of device
 * code? */
static bool is_device_code(const struct source *source, int open)
{
    for (int i = open - 1; i >= 0; i--) {
        const struct token *token = &source->token[i];

        if (token_is(token, ";") || token_is(token, "}")
            || token_is(token, "{"))
            return false;
        if (token_is_one_of(token, "__global__ __device__"))
            return true;
        if (token->match && token->match < token)
            i = index_of(source, token->match);
    }
    return false;
}

/* A brace outside of functions opens a body, or declarations follow it. */
static void find_functions(struct source *source)
{
    for (int i = 1; i < source->count; i++) {
        const struct token *token = &source->token[i];
        int close = i - 1;

        if (!token_is(token, "{") || !token->match)
            continue;
        while (close > 0
               && token_is_one_of(&source->token[close],
                                  "const noexcept override"))
            close--;
        if (token_is(&source->token[close], ")")
            && source->token[close].match) {
            const int open = index_of(source, source->token[close].match);

            source->function[source->functions++] = (struct source_function){
                open, close, i, index_of(source, token->match),
                is_device_code(source, open)};
            i = index_of(source, token->match);
        } else if (token_is(&source->token[i - 1], "=")) {
            i = index_of(source, token->match); /* an initializer */
        }
    }
}

int source_function_at(const struct source *source, int token)
{
    for (int i = 0; i < source->functions; i++)
        if (token > source->function[i].open
            && token < source->function[i].end)
            return i;
    return -1;
}

/* --- variables ------------------------------------------------------------ */

/* The kind of what is declared by the type at `begin` and the name behind it,
 * or behind other declarators. */
static enum type_kind kind_of_words(const struct source *source, int begin,
                                    int name)
{
    enum type_kind kind = TYPE_OTHER;

    if (token_is(&source->token[name - 1], "*")
        || token_is_one_of(&source->token[name - 1], "__restrict__")
        || (name + 1 < source->count
            && token_is(&source->token[name + 1], "[")))
        return TYPE_POINTER;
    for (int i = begin; i < name && source->token[i].kind == T_IDENT; i++) {
        const struct token *token = &source->token[i];

        if (token_is_one_of(token, float_words))
            kind = TYPE_FLOAT;
        else if (token_is_one_of(token, integer_words))
            kind = TYPE_INTEGER;
    }
    return kind;
}

static void add_variable(struct source *source, int begin, int name,
                         int function)
{
    const enum type_kind kind = kind_of_words(source, begin, name);

    if (kind != TYPE_OTHER)
        source->variable[source->variables++] = (struct source_variable){
            &source->token[name], kind, function};
}

/* Is the token a name that `,` `)` `=` `[` `;` follows, as a declared one? */
static bool is_declared_name(const struct source *source, int i)
{
    return source->token[i].kind == T_IDENT && i + 1 < source->count
           && !token_is_one_of(&source->token[i], type_words)
           && token_is_one_of(&source->token[i + 1], ", ) = [ ; } : {");
}

static void find_parameters(struct source *source, int function)
{
    const struct source_function *f = &source->function[function];
    int begin = f->open + 1;

    for (int i = begin; i < f->close; i++) {
        if (is_declared_name(source, i) && i > begin
            && token_is_one_of(&source->token[i + 1], ", ) = ["))
            add_variable(source, begin, i, function);
        if (token_is(&source->token[i], ","))
            begin = i + 1;
    }
}

/* The declarators behind the type that begins at `begin`. */
static void find_declarators(struct source *source, int begin, int function)
{
    int i = begin;

    while (i < source->count && !token_is_one_of(&source->token[i], "; )")) {
        const bool follows = i > begin
                             && (source->token[i - 1].kind == T_IDENT
                                 || token_is_one_of(&source->token[i - 1],
                                                    ", * & >"));

        if (follows && is_declared_name(source, i)) {
            add_variable(source, begin, i, function);
            /* its value, up to the next declarator */
            while (i < source->count
                   && !token_is_one_of(&source->token[i], ", ; )"))
                i = source->token[i].match > &source->token[i]
                        ? index_of(source, source->token[i].match) + 1 : i + 1;
            continue;
        }
        i++;
    }
}

bool source_is_declaration(const struct source *source, int i)
{
    while (i < source->count
           && token_is_one_of(&source->token[i], specifiers))
        i++;
    return i + 1 < source->count
           && token_is_one_of(&source->token[i], type_words)
           && source->token[i + 1].kind != T_PUNCT;
}

static void find_variables(struct source *source)
{
    for (int i = 0; i < source->functions; i++)
        find_parameters(source, i);
    for (int i = 0; i < source->count; i++) {
        const int function = source_function_at(source, i);
        const bool starts = i == 0 || token_is_one_of(&source->token[i - 1],
                                                      "; { } (");

        if (starts && token_is(&source->token[i], "enum")) {
            for (; i < source->count && !token_is(&source->token[i], "}"); i++)
                if (is_declared_name(source, i)
                    && token_is_one_of(&source->token[i + 1], ", = }"))
                    add_variable(source, i - 1, i, function);
        } else if (starts && source_is_declaration(source, i)
                   && (function < 0 || i > source->function[function].close)) {
            find_declarators(source, i, function);
        }
    }
}

enum type_kind source_kind_of(const struct source *source, int function,
                              const struct token *name)
{
    for (int i = 0; i < source->variables; i++) {
        const struct source_variable *variable = &source->variable[i];

        if ((variable->function < 0 || variable->function == function)
            && variable->name->length == name->length
            && !memcmp(variable->name->text, name->text,
                       (size_t)name->length))
            return variable->kind;
    }
    return TYPE_OTHER;
}

/* --------------------------------------------------------------------------- */

bool source_open(const char *text, struct source *source)
{
    *source = (struct source){.text = text};
    if (!read_tokens(source))
        return false;
    source->function = calloc((size_t)source->count + 1,
                              sizeof *source->function);
    source->variable = calloc((size_t)source->count * 2 + 1,
                              sizeof *source->variable);
    if (!source->function || !source->variable)
        return false;
    find_functions(source);
    find_variables(source);
    return true;
}

void source_close(struct source *source)
{
    free(source->token);
    free(source->function);
    free(source->variable);
    *source = (struct source){0};
}
