/* SPDX-License-Identifier: MIT */
/** @file
 *  The 16-bit floats of lab 09, and mistakes with them.
 */
#ifndef GRADER_SUITES_09_TYPES_H
#define GRADER_SUITES_09_TYPES_H

#include <stdint.h>

#include "grader/suite/hypothesis.h"

/** Round towards 0 to a half.  A value too large for a half is first divided by
 *  2^16 until it fits. */
uint16_t float_to_half(float x);
/** The value of a half. */
float half_to_float(uint16_t bits);
/** The upper 16 bits of a float.  A NaN with a payload in the low bits only
 *  becomes the default NaN. */
uint16_t float_to_bfloat16(float x);
/** The value of a bfloat16. */
float bfloat16_to_float(uint16_t half);

/** Those of a product of halves.
 *  @param context  a struct gemm */
mistakes half_mistakes;
/** Those of a product of bfloat16, likewise. */
mistakes bfloat16_mistakes;

#endif
