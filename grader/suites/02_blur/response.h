/* SPDX-License-Identifier: MIT */
/** @file
 *  Which pixels does a wrong byte of lab 02 add, and by what is it divided?
 */
#ifndef GRADER_SUITES_02_BLUR_RESPONSE_H
#define GRADER_SUITES_02_BLUR_RESPONSE_H

#include "grader/suite/response.h"
#include "mistakes.h"

/** The windows of a call; valid as long as `image` is. */
struct response blur_response(const struct blur_image *image);

#endif
