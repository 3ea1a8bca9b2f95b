/* SPDX-License-Identifier: MIT */
/* A recursive descent over the tokens of a prototype: words, * ( ) and ','. */
#include "prototype.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The rest of the text to parse, and its first token. */
struct lexer {
    const char *rest;
    char token[CONTRACT_NAME]; /* a word, or one character; empty: the end */
    char *error;
};

static bool fail(const struct lexer *lexer, const char *expected)
{
    snprintf(lexer->error, CONTRACT_ERROR,
             "prototype: %s expected before \"%s%.40s\"", expected,
             lexer->token, lexer->rest);
    return false;
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void next_token(struct lexer *lexer)
{
    size_t length = 0;

    lexer->rest += strspn(lexer->rest, " \t");
    while (is_word_char(lexer->rest[length]) && length < CONTRACT_NAME - 1)
        length++;
    if (length == 0 && *lexer->rest)
        length = 1;
    memcpy(lexer->token, lexer->rest, length);
    lexer->token[length] = 0;
    lexer->rest += length;
}

static bool accept(struct lexer *lexer, const char *token)
{
    if (strcmp(lexer->token, token))
        return false;
    next_token(lexer);
    return true;
}

static bool is_word(const struct lexer *lexer)
{
    return is_word_char(*lexer->token)
           && !isdigit((unsigned char)*lexer->token);
}

/* Does this word only follow or precede another word of a type? */
static bool is_type_prefix(const char *word)
{
    static const char *const prefixes[] = {"unsigned", "signed", "long",
                                           "short", "struct"};

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strcmp(word, prefixes[i]))
            return true;
    return false;
}

/* Is it a word that may follow "unsigned", "long" ... in a type? */
static bool is_base_type(const char *word)
{
    return !strcmp(word, "int") || !strcmp(word, "char")
           || !strcmp(word, "long") || !strcmp(word, "double");
}

/* "unsigned char", "struct update", "size_t" and the like. */
static bool parse_type(struct lexer *lexer, char *type)
{
    bool is_prefix = true, is_struct = !strcmp(lexer->token, "struct");
    size_t used = 0;

    *type = 0;
    while (is_word(lexer) && is_prefix) {
        is_prefix = is_type_prefix(lexer->token);
        used += (size_t)snprintf(type + used, CONTRACT_NAME - used, "%s%s",
                                 used ? " " : "", lexer->token);
        if (used >= CONTRACT_NAME)
            return fail(lexer, "a shorter type");
        next_token(lexer);
        /* "unsigned n": the next word is the name */
        if (is_prefix && !is_struct && !is_base_type(lexer->token))
            break;
    }
    return used > 0 || fail(lexer, "a type");
}

static bool parse_name(struct lexer *lexer, char *name)
{
    if (!is_word(lexer))
        return fail(lexer, "a name");
    strcpy(name, lexer->token);
    next_token(lexer);
    return true;
}

static bool parse_parameter(struct lexer *lexer, struct parameter *parameter)
{
    *parameter = (struct parameter){.is_const = accept(lexer, "const")};
    if (!parse_type(lexer, parameter->type))
        return false;
    parameter->is_pointer = accept(lexer, "*");
    while (accept(lexer, "*")) /* a pointer to pointers: a thunk by hand */
        if (strlen(parameter->type) < CONTRACT_NAME - 2)
            strcat(parameter->type, " *");
    if (!parse_name(lexer, parameter->name))
        return false;
    if (!parameter->is_pointer && !strncmp(parameter->type, "struct ", 7))
        return fail(lexer, "a pointer to the struct");
    return true;
}

static bool parse_parameters(struct lexer *lexer, struct function *function)
{
    function->parameters = 0;
    do {
        if (function->parameters >= CONTRACT_PARAMETERS)
            return fail(lexer, "fewer parameters");
        if (!parse_parameter(lexer,
                             &function->parameter[function->parameters++]))
            return false;
    } while (accept(lexer, ","));
    return accept(lexer, ")") || fail(lexer, "\",\" or \")\"");
}

bool parse_prototype(const char *text, struct function *function, char *error)
{
    struct lexer lexer = {text, "", error};

    if (strlen(text) >= sizeof function->prototype) {
        snprintf(error, CONTRACT_ERROR, "prototype: it is too long");
        return false;
    }
    strcpy(function->prototype, text);
    next_token(&lexer);
    if (!parse_type(&lexer, function->result)
        || !parse_name(&lexer, function->name))
        return false;
    if (!accept(&lexer, "("))
        return fail(&lexer, "\"(\"");
    if (!parse_parameters(&lexer, function))
        return false;
    return !*lexer.token || fail(&lexer, "the end");
}
