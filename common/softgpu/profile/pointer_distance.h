/* SPDX-License-Identifier: MIT */
/** @file
 *  Whether two pointers are a constant apart.  The host compiler counts turns
 *  of a loop by a pointer that it compares with the pointer's last value: both
 *  are sums of the same registers and different constants.
 */
#ifndef SOFTGPU_POINTER_DISTANCE_H
#define SOFTGPU_POINTER_DISTANCE_H

#include <stdbool.h>
#include <stddef.h>

#include "operand_values.h"

/** Do two places differ by a constant?
 *
 *  @param operations  of a function, in the order of their addresses
 *  @param before      the line before which the places are compared
 *  @param a, b        places, as target_place() numbers them
 *  Each place has the value that the last line before gave it: this order is
 *  taken for that of execution. */
bool is_constant_distance(const struct operation *operations, size_t before,
                          int a, int b);

#endif
