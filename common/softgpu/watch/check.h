/* SPDX-License-Identifier: MIT */
/** @file
 *  Accesses that other files than the callbacks pass to the checker.
 */
#ifndef SOFTGPU_WATCH_CHECK_H
#define SOFTGPU_WATCH_CHECK_H

#include <stddef.h>
#include <stdint.h>

/** Check an access of any number of bytes, as by memcpy.
 *  @param flags  enum access_flags
 *  @param pc     return address in the program */
void check_range(const volatile void *p, size_t bytes, uint32_t flags,
                 uintptr_t pc);
/** The same for one by a function of the C library, called by a program or a
 *  header: loads count in device and shared memory alone. */
void check_library_access(const volatile void *p, size_t bytes, uint32_t flags,
                          uintptr_t pc);

#endif
