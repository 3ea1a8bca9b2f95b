/* SPDX-License-Identifier: MIT */
/** @file
 *  Is a variable of the program that a kernel uses the device's?
 */
#ifndef SOFTGPU_WATCH_SYMBOL_H
#define SOFTGPU_WATCH_SYMBOL_H

#include "watch.h"

/** Judge an access to the program's own memory: it may run out of a
 *  `__device__` or `__constant__` variable, or be a variable of the host.
 *  @return 1 when it was found wrong */
int symbol_judge(const struct access *access);

#endif
