/* SPDX-License-Identifier: MIT */
/** @file
 *  Which bytes do wrong bins of lab 06 count?
 */
#ifndef GRADER_SUITES_06_HISTOGRAM_RESPONSE_H
#define GRADER_SUITES_06_HISTOGRAM_RESPONSE_H

#include "grader/suite/response.h"
#include "mistakes.h"

/** The counts of a call; valid as long as `input` is. */
struct response histogram_response(const struct histogram_input *input);

#endif
