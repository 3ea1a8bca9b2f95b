/* SPDX-License-Identifier: MIT */
/** @file
 *  Which elements of the input do wrong elements of lab 03 hold?
 */
#ifndef GRADER_SUITES_03_TRANSPOSE_RESPONSE_H
#define GRADER_SUITES_03_TRANSPOSE_RESPONSE_H

#include "grader/suite/response.h"
#include "mistakes.h"

/** The elements of a call; valid as long as `matrix` is. */
struct response transpose_response(const struct matrix *matrix);

#endif
