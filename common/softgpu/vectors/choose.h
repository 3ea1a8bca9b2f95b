/* SPDX-License-Identifier: MIT */
/** @file
 *  Which kernels are faster as gangs. */
#ifndef SOFTGPU_VECTORS_CHOOSE_H
#define SOFTGPU_VECTORS_CHOOSE_H

#include "common/softgpu/vectors/vectors.h"

namespace vectors {

/** Has a thread more to do than to start a gang costs? */
bool has_long_work(const kernel &k);
/** Does a thread keep more sums in registers than vector registers hold? */
bool has_too_many_sums(const kernel &k);
/** Choose the rows of a gang, once the phases of the block are known. */
void choose_rows(kernel &k);
/** Has a loop little but atomic functions? */
bool is_mostly_atomic(const kernel &k);

} // namespace vectors

#endif
