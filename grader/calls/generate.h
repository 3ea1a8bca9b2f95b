/* SPDX-License-Identifier: MIT */
/** @file
 *  Writing the two ends of a lab's calls as C.
 *
 *  Both walk the same list of arguments, so a frame's argument has the same
 *  index on either side: for each parameter in order its array, the struct's
 *  bytes and then the arrays of its members, or its value.
 */
#ifndef GRADER_CALLS_GENERATE_H
#define GRADER_CALLS_GENERATE_H

#include <stdio.h>

#include "contract.h"

/** Contents of one argument of a frame. */
struct argument {
    size_t parameter;          /**< index of the parameter */
    const struct array *array; /**< NULL: a scalar, or a struct's bytes */
    bool is_struct;            /**< a struct's bytes */
};

enum { ARGUMENTS = CONTRACT_PARAMETERS + CONTRACT_ARRAYS };

/** List the arguments of a function in their order.  @return how many */
size_t list_arguments(const struct function *function,
                      struct argument arguments[ARGUMENTS]);
/** The argument's name in messages and code: "d_a", "u.d_params". */
void argument_name(const struct function *function,
                   const struct argument *argument,
                   char name[2 * CONTRACT_NAME]);
/** Write `RESULT NAME(PARAMETERS) {`, the declaration that a definition begins
 *  with; each parameter has its line. */
void write_declaration(FILE *out, const struct function *function);

/** Write the stubs: C for the trusted process.
 *  @param stem  "07_tiled_gemm": the header is labs/STEM/tiled_gemm.h */
void write_stubs(FILE *out, const char *stem, const struct contract *contract);
/** Write runner_call(): C for the runner. */
void write_thunk(FILE *out, const char *stem, const struct contract *contract);

#endif
