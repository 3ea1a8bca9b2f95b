/* SPDX-License-Identifier: MIT */
/** @file
 *  A CUDA C source as tokens, with the functions and variables in it.
 *
 *  There is no symbol table: functions and declarations are found by their
 *  shape, as in the rewriter, whose lexer it uses.  What is taken for a
 *  variable and is none leads to an edit that does not compile.
 */
#ifndef GRADER_LOCATE_SOURCE_H
#define GRADER_LOCATE_SOURCE_H

#include "common/softgpu/softcc/rewriter/rewriter.h"

/** Kinds of types; variables of one kind can stand for each other. */
enum type_kind {
    TYPE_OTHER,   /**< not known */
    TYPE_INTEGER, /**< int, unsigned, size_t ... */
    TYPE_FLOAT,   /**< float, double, half */
    TYPE_POINTER  /**< a pointer or an array */
};

/** A variable of a function, or of the file. */
struct source_variable {
    const struct token *name; /**< where it is declared */
    enum type_kind kind;      /**< of its type */
    int function;             /**< index of its function, -1: of the file */
};

/** A function with a body. */
struct source_function {
    int open, close; /**< indices of the parameter list's parentheses */
    int body, end;   /**< indices of its braces */
    bool is_device;  /**< a kernel, or a function that kernels call */
};

/** A source, read. */
struct source {
    const char *text;    /**< not owned */
    struct token *token; /**< without comments and directives; `match` is set */
    int count;           /**< tokens */
    struct source_function *function; /**< in their order */
    int functions;                    /**< how many */
    struct source_variable *variable; /**< in their order */
    int variables;                    /**< how many */
};

/** Read a source.
 *  @param text  must outlive it
 *  @return false when memory is short; source_close() is needed anyway */
bool source_open(const char *text, struct source *source);
/** Free what source_open() allocated. */
void source_close(struct source *source);

/** Is the token of this text? */
bool token_is(const struct token *token, const char *text);
/** Is it one of the words, which spaces separate? */
bool token_is_one_of(const struct token *token, const char *words);
/** The function whose body or parameters have the token, or -1. */
int source_function_at(const struct source *source, int token);
/** The type's kind of the variable that a token in a function names. */
enum type_kind source_kind_of(const struct source *source, int function,
                              const struct token *name);
/** The first token of the operand that ends before token `i`: a name, a number,
 *  a call, an element, a member or a parenthesis. */
int source_operand_before(const struct source *source, int i);
/** The last token of the operand that begins at token `i`. */
int source_operand_at(const struct source *source, int i);
/** Where the statement that begins at token `i` has its ';', or -1: it has a
 *  body, or is none. */
int source_statement_end(const struct source *source, int i);
/** Does a statement begin at token `i`? */
bool source_starts_statement(const struct source *source, int i);
/** Does it declare something, as far as its first words say? */
bool source_is_declaration(const struct source *source, int i);

#endif
