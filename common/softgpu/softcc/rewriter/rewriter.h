/* SPDX-License-Identifier: MIT */
/** @file
 *  The rewriter: from CUDA C++ to C++.
 *
 *  Its input is preprocessed text.  The passes, in order:
 *
 *      tokenize.c, lexer.c   text to a list of tokens
 *      source_location.c     line and column of each token in the source file
 *      separate_barriers.c   columns of barriers that come from one macro
 *      scope.c               functions and file-scope variables
 *      unsupported.c         errors for what the software GPU does not have
 *      library_names.c       errors for kernels named like a C function
 *      call_graph.c          kernels whose threads can block
 *      rewrite_*.c           edit the list
 *      print_tokens.c        print it: each token at its source location
 *
 *  Text of system headers is one opaque token, which no pass looks into.  The
 *  rewriter has no symbol table and knows no types: it goes by the shape of
 *  the token stream.
 */
#ifndef SOFTCC_REWRITER_H
#define SOFTCC_REWRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/softgpu/softcc/support/arena.h"

/** Kinds of tokens. */
enum token_kind {
    T_IDENT,  /**< an identifier or a keyword */
    T_NUMBER, /**< a number */
    T_STRING, /**< a string literal with its prefix */
    T_CHAR,   /**< a character literal with its prefix */
    T_PUNCT,  /**< '<' and '>' are always tokens of their own: ">>" is two */
    T_RAW,    /**< text that is copied: system headers, line markers */
    T_PRAGMA, /**< one directive line */
    T_TEXT    /**< text that a pass inserted */
};

/** One token; also the node of the list that the passes edit. */
struct token {
    enum token_kind kind; /**< what it is */
    const char *text;     /**< not terminated */
    int length;           /**< bytes of text */
    int file;             /**< index in unit.files, -1 if none */
    int line, col;    /**< line from 1, byte column from 0, in that file */
    bool first;       /**< first on its line */
    bool adjacent;    /**< no white space before it */
    bool system_text; /**< from a macro or a pass: marked as system text, so
                           that the compiler does not warn about it */
    bool is_removed;  /**< neither printed nor visited by next_code */
    struct token *match; /**< the other bracket of ( ) [ ] { }, or NULL */
    struct token *prev, *next; /**< in the list */
};

/** A source file that tokens come from. */
struct file {
    const char *name;   /**< path as the compiler knows it */
    const char *quoted; /**< the same as in a line marker, with quotes */
    char *text;         /**< content, NULL if it cannot be read */
    size_t length;      /**< bytes of text */
    struct token *tokens; /**< its tokens without directives and comments */
    int count;            /**< tokens */
    int *at;   /**< at[l]: index of the first token on line l or later */
    int lines; /**< lines */
    bool cccl; /**< of NVIDIA's CUB, Thrust or libcu++ (is_cccl) */
};

/** A function definition or a prototype. */
struct function {
    struct token *start; /**< first token, `template` included */
    struct token *name;  /**< identifier before the parameter list */
    struct token *open, *close; /**< parentheses of the parameter list */
    struct token *body, *end;   /**< braces; NULL for a prototype */
    struct token *last_barrier; /**< '(' of the last call in a kernel that may
                                     be a barrier; NULL if there is none */
    const char *qualifier; /**< enclosing namespaces as "::a::b::"; NULL in a
                                class */
    bool global;           /**< has __global__: a kernel */
    bool device;           /**< has __device__ */
    bool host;             /**< has __host__ */
    bool templated;        /**< a template */
    bool explicit_linkage; /**< has static, extern, friend, or is a member */
    bool lockstep;         /**< every array counts as volatile */
    bool notes_lockstep;   /**< has accesses that note_lockstep() marked */
    unsigned flags;        /**< FLAG_*, set by find_kernel_flags */
};

/** A file-scope variable with a CUDA memory specifier. */
struct variable {
    struct token *start, *end; /**< first token and the ';' */
    struct token *specifier;   /**< __device__, __shared__ ... */
    bool shared;               /**< has __shared__ */
    bool explicit_linkage;     /**< as function.explicit_linkage */
    bool in_class;             /**< a static member */
    bool templated;            /**< a template */
};

/** A data member's declaration, which may have a default initializer. */
struct initializer {
    struct token *start, *end; /**< first token and the ';' */
};

/** A declaration in a namespace or a class. */
struct declaration {
    struct token *start, *last; /**< first token; the ';' or '}', or NULL */
    struct token *open; /**< '{' of a namespace, linkage or class whose
                             declarations follow; else NULL */
    int parent;         /**< index of the one that encloses it, or -1 */
    int function;       /**< index in unit.functions, or -1 */
    bool member;        /**< of a class */
    bool data;          /**< a non-static data member */
};

/** The compiler that the text is for. */
struct dialect {
    bool clang; /**< clang, not gcc */
    bool rdc;   /**< device names are visible to other files */
};

/** One translation unit. */
struct unit {
    struct arena arena;         /**< memory of tokens and names */
    bool graded;                /**< refuse what check_graded() refuses */
    bool sees_results;          /**< rewrite_results() is needed */
    bool calls_copies;          /**< check_returns() is needed */
    bool notes_polls;           /**< rewrite_polling() inserts
                                     softgpu_polls() */
    bool lockstep;              /**< --lockstep */
    bool notes_lockstep;        /**< the program says that it relies on it */
    const char *given;          /**< graded: folder of the project's headers,
                                     which may have it */
    struct dialect dialect;     /**< set by the caller */
    struct token *first, *last; /**< the list of tokens */
    struct file *files;         /**< source files */
    int file_count;             /**< of files */
    struct function *functions; /**< in source order */
    int function_count;         /**< of functions */
    struct variable *variables; /**< in source order */
    int variable_count;         /**< of variables */
    struct initializer *initializers; /**< in source order */
    int initializer_count;      /**< of initializers */
    struct declaration *declarations; /**< in source order; those of NVIDIA's
                                           open headers are left out */
    int declaration_count;            /**< of declarations */
    bool repeats_accesses;      /**< has_repeated_access() */
    bool empty_constructors;    /**< a class has a constructor that does
                                     nothing */
    int next_id;                /**< number for the next generated name */
    struct buffer messages;     /**< lines "file:line:col: error: ..." */
    int error_count;            /**< lines in messages */
};

/** State of the lexer; `p` == `end` at the end of the text. */
struct lexer {
    const char *p, *end;    /**< the text not yet read */
    const char *line_start; /**< first byte of the line that p is on */
    int line;               /**< number of that line */
    bool first;             /**< no token on this line yet */
};

/** Read the next token.
 *  @return false at the end of the text */
bool lex(struct lexer *lexer, struct token *token);

/** Read preprocessed text into the list unit->first..last.
 *  @param text  must outlive the unit; need not be terminated */
void tokenize_unit(struct unit *unit, const char *text, size_t length);
/** Load and lex a file that a line marker names.
 *  @param quoted  with its quotes
 *  @return its index in unit->files */
int file_index(struct unit *unit, const char *quoted, int length);
/** Is a path one of NVIDIA's open headers (CUB, Thrust, libcu++)?  They say
 *  that they are system headers, but they have device code, so the rewriter
 *  reads them as the program's.
 *  @param path  n bytes */
bool is_cccl(const char *path, int n);
/** Set line and column of each token to its location in the source file. */
void locate_tokens(struct unit *unit);
/** Match the brackets and find functions and variables. */
void find_scopes(struct unit *unit);
/** Report what the software GPU does not have in unit->messages. */
void check_unsupported(struct unit *unit);
/** Is this name before '<' a texture or surface reference's type? */
bool is_reference_type(struct token *t);
/** Does the program declare a function, class, variable or member so? */
bool is_declared_by_program(const struct unit *unit, const struct token *t);
/** Texture references: `texture<float, 2> name;` becomes an object of a class
 *  of ours, since programs use that name for other things, too.  A graded file
 *  has none. */
void rewrite_textures(struct unit *unit);
/** Report kernels that a function of the C library has the name and parameters
 *  of, in unit->messages. */
void check_kernel_names(struct unit *unit);
/** Report launches of functions without __global__, in unit->messages. */
void check_launched_names(struct unit *unit);
/** A replacement for a name that check_unsupported() refuses, or NULL. */
const char *unsupported_advice(const char *name);
/** Report what could hide accesses from the checks, or names the runtime's own
 *  parts (graded.c). */
void check_graded(struct unit *unit);
/** Report assembly that rewrite_ptx() has left. */
void check_graded_assembly(struct unit *unit);
/** Make visible what a call stores of a struct that it returns
 *  (rewrite_results.c). */
void rewrite_results(struct unit *unit);
/** Have the compiler refuse a program that is another one if copies of structs
 *  are calls (check_returns.c). */
void check_returns(struct unit *unit);
/** Report what could mislead check_graded() (graded_source.c): line markers of
 *  the program's own, and a program that includes itself.
 *  @param input   the source file
 *  @param text    what the preprocessor made of it, `length` bytes */
void check_graded_source(struct unit *unit, const char *input,
                         const char *text, size_t length);
/** Set the flags of every kernel from the call graph. */
void find_kernel_flags(struct unit *unit);

/** The passes up to find_scopes.
 *  @param text  preprocessed; must outlive the unit */
void analyze_unit(struct unit *unit, const char *text, size_t length);
/** The passes after analyze_unit.
 *  @return number of errors; the text is in unit->messages */
int rewrite_unit(struct unit *unit);
/** Inline PTX becomes calls of softgpu::ptx. */
void rewrite_ptx(struct unit *unit);
/** Loops that poll memory let other threads run; after find_kernel_flags(). */
void rewrite_polling(struct unit *unit);
/** Stores to volatile array elements, or with --lockstep to those of any array,
 *  keep the lanes of a warp in lockstep. */
void rewrite_volatile(struct unit *unit);
/** Mark the accesses of statements that may rely on lockstep without volatile;
 *  before find_kernel_flags(). */
void note_lockstep(struct unit *unit);
/** Barriers that come from one macro get different columns. */
void separate_barriers(struct unit *unit);
/** Accesses through cast pointers test the alignment. */
void rewrite_aligned(struct unit *unit);
/** __shared__ variables become references into the block's shared memory. */
void rewrite_shared(struct unit *unit);
/** __global__ definitions become stubs that launch a closure. */
void rewrite_kernels(struct unit *unit);
/** Rewrite the bounds check at the beginning of a kernel, so that one test
 *  can answer it for a whole block.  Called by rewrite_kernels for kernels
 *  that do not block.
 *  @return whether the kernel begins with one */
bool rewrite_guard(struct unit *unit, const struct function *kernel);
/** kernel<<<...>>>(...) becomes two calls: set the configuration, launch. */
void rewrite_launches(struct unit *unit);
/** cudaMalloc() and cudaFree() in device code allocate from its heap. */
void rewrite_device_calls(struct unit *unit);
/** Device variables need constant initial values; before rewrite_symbols(). */
void rewrite_initializers(struct unit *unit);
/** May a variable's initial value be left to a constructor without statements?
 *  The runtime then tests that it is all zero; after rewrite_initializers(). */
bool may_construct_nothing(const struct unit *unit, const struct variable *v);
/** Has the program accesses that each turn of a loop makes anew, as volatile
 *  ones? */
bool has_repeated_access(const struct unit *unit);
/** Has the function a loop that may wait for another thread by such an
 *  access? */
bool may_wait_in_loop(const struct function *f);
/** Is the variable declared without being defined? */
bool is_only_declared(const struct variable *v);
/** Device variables are registered with the runtime. */
void rewrite_symbols(struct unit *unit);
/** CUDA's specifiers (__device__ ...) are removed. */
void rewrite_specifiers(struct unit *unit);
/** The unroll pragma gets the form of the host compiler. */
void rewrite_pragmas(struct unit *unit);

/** Does one of the source files contain __CUDA_ARCH__? */
bool uses_cuda_arch(const struct unit *unit);
/** Replace the device code of a unit by that of a second unit, which is the
 *  same file preprocessed with __CUDA_ARCH__ defined.
 *  @param unit    analyzed
 *  @param device  analyzed; loses its device functions; must outlive `unit`
 *
 *  What cannot be merged is reported in unit->messages. */
void merge_device_code(struct unit *unit, struct unit *device);
/** The part of merge_device_code() for declarations that only the second unit
 *  has; finds the scopes of both again. */
void merge_declarations(struct unit *unit, struct unit *device);

/** Print the tokens as preprocessed C++ for the compiler. */
void emit_unit(struct unit *unit, struct buffer *out);
/** Print the program's own tokens for a reader: no system headers, no line
 *  markers. */
void show_unit(struct unit *unit, struct buffer *out);
/** Free all memory of the unit. */
void free_unit(struct unit *unit);

#define FLAG_MAY_BLOCK 1u      /**< SOFTGPU_MAY_BLOCK of softgpu/abi.h */
#define FLAG_NEEDS_BUILTINS 2u /**< SOFTGPU_NEEDS_BUILTINS, likewise */
/** SOFTGPU_WAITS_FOR_CHILDREN, likewise */
#define FLAG_WAITS_FOR_CHILDREN 8u

#endif
