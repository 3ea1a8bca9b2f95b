/* SPDX-License-Identifier: MIT */
/** @file
 *  What is known of functions by name alone.
 */
#ifndef SOFTCC_NAMES_H
#define SOFTCC_NAMES_H

#include "softcc.h"

/** True if a call of this name neither waits for other threads nor reads the
 *  built-in variables: mathematics, intrinsics, constructors of built-in
 *  vectors, casts, printf. */
bool is_harmless(const struct token *name);
/** True if a thread may have to wait in a call of this name, though it reads
 *  none of the built-in variables: barriers, warp calls, atomics. */
bool is_blocking(const struct token *name);
/** True for keywords that may stand before '(' without being called. */
bool is_keyword(const struct token *name);
/** True for the built-in vector types and other types of the headers. */
bool is_device_type(const struct token *name);

#endif
