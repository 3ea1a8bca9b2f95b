/* SPDX-License-Identifier: MIT */
/** @file
 *  Why the same inputs gave other bits, as far as the source tells.
 */
#ifndef GRADER_ORDER_HINT_H
#define GRADER_ORDER_HINT_H

#include <stdbool.h>
#include <stddef.h>

/** Name the first atomic addition whose value is no integer literal, as that of
 *  a counter is.
 *  @param text       CUDA C source
 *  @param[out] hint  at most `bytes`: its line, and what to do instead
 *  @return false if there is none */
bool order_hint(const char *text, char *hint, size_t bytes);

#endif
