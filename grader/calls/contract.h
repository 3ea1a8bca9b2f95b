/* SPDX-License-Identifier: MIT */
/** @file
 *  The functions of a lab as its settings (grader/labs/NN_stem.ini) declare
 *  them.  The grader's two ends of a call are generated from them: the stub
 *  that a suite calls in the trusted process, and the thunk that calls the
 *  submission in the runner.
 *
 *      [function tiled_gemm]
 *      prototype = int tiled_gemm(const float *d_a, const float *d_b, ...
 *      d_a = [m][k]
 *      d_b = [k][n]
 *      d_c = [m][n]
 *
 *  `prototype` is the declaration in the lab's header, and comes first.  Each
 *  further line gives the size of the array that a pointer parameter points
 *  to: its dimensions in elements (bytes for a `void *`), as C expressions of
 *  the parameters.  A dimension below 0, or an array larger than a call can
 *  hold, means an empty array: the lab must refuse such a call.
 *
 *  An array whose name begins with `d_` lies in device memory, any other in
 *  host memory.  A pointer to const is read, any other one written.  After the
 *  dimensions a line may say more:
 *
 *      d_c  = [m][n] inout if beta != 0 else out  ; in, out or inout
 *      d_y  = [n] in place of d_x        ; the lab allows d_y == d_x
 *
 *  `[all]` is as many bytes as the suite has allocated there.  A size that
 *  several lines use can get a name first:
 *
 *      size p = POOL_OUTPUT_SIZE(shape->h, shape->size, shape->stride, 0)
 *      d_y    = [shape->n][shape->c][p]
 *
 *  A pointer to a const struct passes one struct by value, without a line of
 *  its own.  Pointers in the struct are NULL unless a line says what they
 *  point to:
 *
 *      u.d_params = [u->n] inout
 *
 *  A function that no line can describe names a thunk written by hand, and the
 *  suite then has the stub:
 *
 *      thunk = grader/runner/calls/13_cudnn_layer.c
 */
#ifndef GRADER_CALLS_CONTRACT_H
#define GRADER_CALLS_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>

enum {
    CONTRACT_FUNCTIONS = 24, /**< most functions of a lab */
    CONTRACT_PARAMETERS = 12, /**< most parameters of a function */
    CONTRACT_ARRAYS = 16,    /**< most arrays of a function */
    CONTRACT_DIMS = 6,       /**< most dimensions of an array */
    CONTRACT_SIZES = 4,      /**< most named sizes of a function */
    CONTRACT_NAME = 64,      /**< bytes of a name */
    CONTRACT_TEXT = 512,     /**< bytes of a prototype */
    CONTRACT_ERROR = 256     /**< bytes of an error's text */
};

/** The access of a call to an array. */
enum direction { DIRECTION_IN, DIRECTION_OUT, DIRECTION_INOUT };

/** A parameter of a prototype. */
struct parameter {
    char name[CONTRACT_NAME]; /**< "d_a" */
    char type[CONTRACT_NAME]; /**< "float", "struct update": without `const`
                                   and `*` */
    bool is_pointer;          /**< to that type */
    bool is_const;            /**< what it points to */
};

/** The array behind a pointer. */
struct array {
    size_t parameter;            /**< index of the pointer, or of the struct */
    char member[CONTRACT_NAME];  /**< of the struct; empty: the parameter */
    char dim[CONTRACT_DIMS][CONTRACT_TEXT / 4]; /**< C expressions */
    size_t dims;                 /**< of them; 0: one element */
    enum direction direction;    /**< what the call does to it */
    char condition[CONTRACT_TEXT / 4]; /**< ... if this C expression is true */
    enum direction otherwise;    /**< ... else; without a condition unused */
    char in_place_of[CONTRACT_NAME]; /**< array that it may be; or empty */
};

/** A name for an expression that several lines use. */
struct named_size {
    char name[CONTRACT_NAME];        /**< "p" */
    char value[CONTRACT_TEXT / 4];   /**< a C expression of the parameters */
};

/** A function of a lab. */
struct function {
    char name[CONTRACT_NAME];      /**< "tiled_gemm" */
    char prototype[CONTRACT_TEXT]; /**< as in the settings */
    char result[CONTRACT_NAME];    /**< type that it returns */
    struct parameter parameter[CONTRACT_PARAMETERS]; /**< in order */
    size_t parameters;             /**< of them */
    struct array array[CONTRACT_ARRAYS]; /**< in the order of the settings */
    size_t arrays;                 /**< of them */
    struct named_size size[CONTRACT_SIZES]; /**< in the order of the settings */
    size_t sizes;                  /**< of them */
    char thunk[CONTRACT_TEXT / 2]; /**< file written by hand, or empty */
};

/** All functions of a lab, in the order of the settings.  The number of a
 *  function in a frame is its index. */
struct contract {
    struct function function[CONTRACT_FUNCTIONS]; /**< functions */
    size_t functions;                             /**< of them */
};

/** Add one line of a section [function NAME]: `prototype` begins the function
 *  NAME, another key adds to it.
 *  @param contract  zeroed before the first line of a settings file
 *  @param error     CONTRACT_ERROR bytes
 *  @return false with `error` */
bool contract_add(struct contract *contract, const char *name, const char *key,
                  const char *value, char *error);
/** Check the functions when all lines are read: each pointer has a size.
 *  @return false with `error` */
bool contract_check(const struct contract *contract, char *error);
/** Read the [function ...] sections of a settings file and check them; other
 *  sections are skipped.
 *  @param error  CONTRACT_ERROR bytes: "PATH:LINE: what is wrong"
 *  @return false with `error` */
bool contract_read(const char *path, struct contract *contract, char *error);

/** Is the parameter a pointer to a const struct that has no line of its own,
 *  and so is passed by value? */
bool is_struct_value(const struct function *function, size_t parameter);
/** The array of a pointer parameter, or of a member; NULL: none. */
const struct array *find_array(const struct function *function,
                               size_t parameter, const char *member);

#endif
