/* SPDX-License-Identifier: MIT */
/** @file
 *  gcc's omp.h for a clang that has none of its own: that compiler does not
 *  know the attribute `malloc(free)`.
 */
#define __malloc__(free) __malloc__
#include_next <omp.h>
#undef __malloc__
