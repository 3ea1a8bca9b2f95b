/* SPDX-License-Identifier: MIT */
/** @file
 *  What the results of a convolution layer are the sums of.
 */
#ifndef GRADER_SUITES_CONV_RESPONSE_H
#define GRADER_SUITES_CONV_RESPONSE_H

#include "conv_case.h"
#include "conv_mistakes.h"
#include "grader/suite/response.h"

/** The sums of one result of a layer.
 *  @param call  the layer and its result; used as long as the response is */
struct response conv_response(const struct conv_call *call);

#endif
