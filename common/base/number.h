/* SPDX-License-Identifier: MIT */
/** @file
 *  Numbers that a person wrote, as the values of options: all of the text is
 *  the number, or it is refused.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/** A whole number in decimal digits; no sign, blank, exponent or prefix.
 *  @param[out] value  only written when it is one
 *  @return false if it is none, or above `most` */
bool number_unsigned(const char *text, uint64_t most, uint64_t *value);
/** A decimal number: digits with at most one point, a sign before it and an
 *  exponent after it, as in 0.5, -2 or 1e-3.  Not a blank, a hexadecimal
 *  number, an infinity or NaN.
 *  @param[out] value  only written when it is one
 *  @return false if it is none */
bool number_decimal(const char *text, double *value);

#endif
