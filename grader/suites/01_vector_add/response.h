/* SPDX-License-Identifier: MIT */
/** @file
 *  Which elements do wrong sums of lab 01 add?
 */
#ifndef GRADER_SUITES_01_VECTOR_ADD_RESPONSE_H
#define GRADER_SUITES_01_VECTOR_ADD_RESPONSE_H

#include "grader/suite/response.h"
#include "mistakes.h"

/** The operands of a call; valid as long as `v` is. */
struct response vector_add_response(const struct vectors *v);

#endif
