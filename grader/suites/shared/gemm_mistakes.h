/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of the matrix products, labs 07 to 09.
 */
#ifndef GRADER_SUITES_GEMM_MISTAKES_H
#define GRADER_SUITES_GEMM_MISTAKES_H

#include "gemm.h"
#include "grader/suite/hypothesis.h"

/** Try sums of other terms, operands that are transposed, and alpha and beta
 *  in other places.
 *  @param context  the struct gemm, after gemm_reference() */
mistakes gemm_mistakes;

#endif
