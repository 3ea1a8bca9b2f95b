/* SPDX-License-Identifier: MIT */
/** @file
 *  What the elements of a matrix product are the sums of.
 */
#ifndef GRADER_SUITES_GEMM_RESPONSE_H
#define GRADER_SUITES_GEMM_RESPONSE_H

#include "gemm.h"
#include "grader/suite/response.h"

/** The sums of C; valid as long as `g` is. */
struct response gemm_response(const struct gemm *g);

#endif
