/* SPDX-License-Identifier: MIT */
/** @file
 *  Bounds check of the program's static variables.
 */
#ifndef SOFTGPU_WATCH_SYMBOL_CHECK_H
#define SOFTGPU_WATCH_SYMBOL_CHECK_H

#include "watch.h"

/** Check an access of REGION_PROGRAM: report one that leaves a `__device__` or
 *  `__constant__` variable, and one to a host variable.
 *  @param[in,out] access  memory is set to the shadow of static variables, for
 *                         one that kernels or copies may write
 *  @return 1 when it is reported */
int symbol_check(struct access *access);
/** Shadow memory of the `__device__` or `__constant__` variable at an address;
 *  NULL when there is none. */
struct allocation *symbol_memory(uintptr_t address);

#endif
