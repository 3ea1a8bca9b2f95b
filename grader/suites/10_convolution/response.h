/* SPDX-License-Identifier: MIT */
/** @file
 *  What lab 10's results are the sums of.
 */
#ifndef GRADER_SUITES_10_CONVOLUTION_RESPONSE_H
#define GRADER_SUITES_10_CONVOLUTION_RESPONSE_H

#include "grader/suite/response.h"
#include "mistakes.h"

/** The sums of a call; valid as long as the case is. */
struct response convolution_response(const struct convolution_case *c);

#endif
