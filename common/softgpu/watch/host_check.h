/* SPDX-License-Identifier: MIT */
/** @file
 *  Checks of host code: accesses to device memory, API calls with wrong
 *  arguments, errors never checked, leaks.
 */
#ifndef SOFTGPU_WATCH_HOST_CHECK_H
#define SOFTGPU_WATCH_HOST_CHECK_H

#include "common/softgpu/core/hooks.h"
#include "watch.h"

/** Check a load or store of host code.  An access to device memory ends the
 *  program after the report.
 *  @param flags  enum access_flags
 *  @param pc     return address in the program */
void check_host_access(const volatile void *p, uint32_t bytes, uint32_t flags,
                       uintptr_t pc);
/** The runtime refused a call: report the defect.
 *  @param p  the pointer that it refused */
void host_check_refused(enum softgpu_refusal what, const void *p);
/** The program asks for a fill: check value and size. */
void host_check_memset(void *dst, int value, size_t bytes);
/** The runtime refused a launch with a cudaError_t. */
void host_launch_failed(int error);
/** The program read the last error (cudaGetLastError). */
void host_error_read(void);
/** Before main(): see to it that the exit status is known at the end. */
void host_check_init(void);
/** The program ends: report leaks and a launch error never checked. */
void host_at_exit(void);

#endif
