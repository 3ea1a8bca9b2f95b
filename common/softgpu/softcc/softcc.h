/* SPDX-License-Identifier: MIT */
/** @file
 *  softcc: CUDA C++ in, ordinary C++ out.
 *
 *  The compiler's preprocessor runs first; what it prints is read into a list
 *  of tokens (read.c, lex.c), each of which learns where the student wrote it
 *  (columns.c).  scope.c finds functions and file-scope variables, flags.c
 *  asks whether a kernel can stop in the middle, rewrite_*.c edit the list,
 *  emit.c prints it so that every token stands at its old line and column.
 *  Text of system headers is one opaque token and is never looked into.
 */
#ifndef SOFTCC_H
#define SOFTCC_H

#include <stdbool.h>
#include <stddef.h>

/** Memory that lives as long as one translation unit. */
struct arena {
    struct chunk *chunks;
};

/** Zeroed memory, freed by arena_free; ends the program when there is none. */
void *arena_get(struct arena *arena, size_t bytes);
/** Free all that arena_get returned. */
void arena_free(struct arena *arena);

/** A string that grows; bytes[length] is always 0. */
struct buffer {
    char *bytes; /**< NULL while empty; release with free() */
    size_t length, room;
};

/** Append n bytes. */
void buffer_add(struct buffer *b, const char *bytes, size_t n);
/** Append text made as by printf. */
void buffer_print(struct buffer *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

enum token_kind {
    T_IDENT,
    T_NUMBER,
    T_STRING,
    T_CHAR,
    T_PUNCT,  /**< '<' and '>' always stand alone: ">>" is two of them */
    T_RAW,    /**< lines that pass untouched: system headers, their markers */
    T_PRAGMA, /**< one directive line */
    T_TEXT    /**< made by softcc */
};

/** One token; also the node of the list that the rewriter edits. */
struct token {
    enum token_kind kind;
    const char *text; /**< not terminated */
    int length;
    int file;      /**< index in unit.files, -1 if none */
    int line, col; /**< line from 1, byte column from 0, in that file */
    bool first;    /**< first on its line */
    bool glued;    /**< no white space before it */
    bool quiet;    /**< from a macro or softcc: compiled as system text */
    bool dead;     /**< taken out: not printed, skipped by next_code */
    struct token *match; /**< the other bracket of ( ) [ ] { }, or NULL */
    struct token *prev, *next;
};

/** A file the student's tokens come from. */
struct file {
    const char *name;   /**< path as the compiler knows it */
    const char *quoted; /**< the same, as it stands in a line marker */
    char *text;         /**< its content, NULL if it cannot be read */
    size_t length;
    struct token *tokens; /**< its tokens without directives and comments */
    int count;
    int *at; /**< at[l]: index of the first token on line l or later */
    int lines;
};

/** A function of the student's, or the prototype of one. */
struct function {
    struct token *start; /**< first token, `template` included */
    struct token *name;  /**< identifier before the parameters */
    struct token *open, *close; /**< parameter list */
    struct token *body, *end;   /**< braces; NULL for a prototype */
    const char *space;          /**< "::a::b::" around it; NULL in a class */
    bool global, device, host, templated, fixed_linkage, c_linkage;
    unsigned flags; /**< FLAG_*, see flags.c */
};

/** A file-scope variable with a CUDA word. */
struct variable {
    struct token *start, *end; /**< first token and the ';' */
    struct token *mark;        /**< the CUDA word */
    bool shared, fixed_linkage, in_class, templated;
};

/** What the caller chooses. */
struct dialect {
    bool clang; /**< the compiler is clang, not gcc */
    bool rdc;   /**< device names are visible to other files */
};

/** One translation unit. */
struct unit {
    struct arena arena;
    struct dialect dialect;
    struct token *first, *last;
    struct file *files;
    int file_count;
    struct function *functions;
    int function_count;
    struct variable *variables;
    int variable_count;
    int ids;                /**< numbers given to generated names */
    struct buffer messages; /**< "file:line:col: error: ..." lines */
    int refused;            /**< how many of them */
};

/** State of the lexer; `p` == `end` at the end of the text. */
struct lexer {
    const char *p, *end;
    const char *line_start;
    int line;
    bool first; /**< no token yet on this line */
};

/** Read the next token. @return false at the end. */
bool lex(struct lexer *lexer, struct token *token);

/** Turn preprocessed text into unit->first..last.
 *  @param text  must outlive the unit; need not be terminated */
void read_unit(struct unit *unit, const char *text, size_t length);
/** Load and lex a file named in a line marker. @return its index */
int file_index(struct unit *unit, const char *quoted, int length);
/** Give each token the place where the student wrote it. */
void place_tokens(struct unit *unit);
/** Pair the brackets and find functions and variables. */
void find_scopes(struct unit *unit);
/** Refuse what the soft device cannot do; adds to unit->messages. */
void refuse(struct unit *unit);
/** Set function.flags of every kernel. */
void find_flags(struct unit *unit);

/** Read preprocessed text, place its tokens, find its functions.
 *  @param text  must outlive the unit */
void analyse(struct unit *unit, const char *text, size_t length);
/** Rewrite what analyse found; 0, or how many things were refused. */
int rewrite(struct unit *unit);
/** A step of rewrite: stores to volatile elements keep lanes together. */
void rewrite_volatile(struct unit *unit);
/** A step of rewrite: __shared__ variables become references. */
void rewrite_shared(struct unit *unit);
/** A step of rewrite: __global__ definitions become stubs. */
void rewrite_kernels(struct unit *unit);
/** Part of rewrite_kernels: the guard of a kernel that does not wait.
 *  @return whether there is one */
bool rewrite_guard(struct unit *unit, const struct function *kernel);
/** A step of rewrite: <<< >>> becomes a push and a call. */
void rewrite_launches(struct unit *unit);
/** A step of rewrite: variables of the device are registered. */
void rewrite_symbols(struct unit *unit);
/** A step of rewrite: __device__ and the like go. */
void rewrite_words(struct unit *unit);
/** A step of rewrite: `unroll` pragmas in the compiler's own form. */
void rewrite_pragmas(struct unit *unit);

/** True if one of the student's files mentions __CUDA_ARCH__. */
bool asks_for_architecture(const struct unit *unit);
/** Take the bodies of device functions, and those functions that only it has,
 *  from a second reading of the same file, with __CUDA_ARCH__ defined.
 *  Both are analysed; `device` loses them and must outlive `unit`. */
void take_device_code(struct unit *unit, struct unit *device);

/** Print the tokens as preprocessed C++. */
void emit_unit(struct unit *unit, struct buffer *out);
/** Print the student's part for a reader: no system text, no markers. */
void show_unit(struct unit *unit, struct buffer *out);
/** Release all memory of the unit. */
void free_unit(struct unit *unit);

#define FLAG_MAY_BLOCK 1u /**< SOFTGPU_MAY_BLOCK of softgpu/abi.h */
#define FLAG_NEEDS_IDS 2u /**< SOFTGPU_NEEDS_IDS of softgpu/abi.h */

#endif
