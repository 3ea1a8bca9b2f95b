/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's functions and types by name.
 */
#ifndef SOFTCC_BUILTINS_H
#define SOFTCC_BUILTINS_H

#include "rewriter.h"

/** Is this a function that neither blocks nor reads the built-in variables:
 *  mathematics, an intrinsic, a constructor of a built-in vector, printf? */
bool is_leaf_builtin(const struct token *name);
/** Is this a function in which a thread may block, but which reads no built-in
 *  variable: a barrier, a warp function, an atomic? */
bool may_block_by_name(const struct token *name);
/** Is this a keyword that can stand before '(' without a call? */
bool is_keyword(const struct token *name);
/** Is this a built-in vector type or another type of CUDA's headers? */
bool is_device_type(const struct token *name);

#endif
