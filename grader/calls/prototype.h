/* SPDX-License-Identifier: MIT */
/** @file
 *  Parsing a C prototype of the kind that labs have.
 */
#ifndef GRADER_CALLS_PROTOTYPE_H
#define GRADER_CALLS_PROTOTYPE_H

#include "contract.h"

/** Parse `int f(const float *d_a, struct s *p, size_t n)`: a result that is no
 *  pointer, and named parameters that are scalars or pointers to scalars,
 *  structs or void.
 *  @param[out] function  name, result, parameters and prototype are set
 *  @param      error     CONTRACT_ERROR bytes
 *  @return false with `error` */
bool parse_prototype(const char *text, struct function *function, char *error);

#endif
