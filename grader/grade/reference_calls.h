/* SPDX-License-Identifier: MIT */
/** @file
 *  Which function of a lab's contract launches a kernel of its reference?
 *
 *  A submission that calls another lab's reference with wrong arguments gets a
 *  finding in a kernel that it does not know; it knows the function.
 */
#ifndef GRADER_REFERENCE_CALLS_H
#define GRADER_REFERENCE_CALLS_H

#include <stddef.h>

/** The functions, by reading the files in the lab's folder of solutions.
 *  @param      stem    "12_layers"
 *  @param      kernel  name, also with template arguments
 *  @param[out] text    "bias_backward or bias_relu_backward"; empty if there is
 *                      none, or more than three
 *  @param      bytes   of text */
void reference_callers(const char *stem, const char *kernel, char *text,
                       size_t bytes);

#endif
