/* SPDX-License-Identifier: MIT */
/** @file
 *  The functions of the profiler that profiler.c registers as a tool.
 */
#ifndef SOFTGPU_PROFILER_H
#define SOFTGPU_PROFILER_H

#include "common/softgpu/instrument/tool.h"

/** Log an access of the running thread, when its block is profiled.
 *  @param flags  enum access_flags
 *  @param pc     return address in the program
 *  @param frame  where the stack frame of the accessing function begins */
void profile_access(const volatile void *p, uint32_t bytes, uint32_t flags,
                    uintptr_t pc, uintptr_t frame);
/** Count bytes that host code reads or writes. */
void profile_host_access(uint64_t bytes);
/** Remember where a thread's copy of the kernel parameters lies. */
void profile_set_parameters(const void *p, size_t bytes);
/** Log the begin of a basic block, when the block of threads is profiled. */
void profile_basic_block(uintptr_t pc, uintptr_t frame);

/** The callbacks of the runtime. */
extern const struct softgpu_hooks profile_hooks;

/** Sum up, and print the profile to stderr. */
void profile_print_report(void);
/** The field `kernels` of the report, a new array. */
struct json_t *profile_json(void);
/** The field `timeline` of the report, a new object. */
struct json_t *profile_timeline_json(void);
/** Write the page that SOFTGPU_HTML names. */
void profile_write_page(const struct json_t *report);

#endif
