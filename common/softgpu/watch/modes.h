/* SPDX-License-Identifier: MIT */
/** @file
 *  The two that look on: the checks and the profiler.  A program is linked
 *  with one or both; of the one that is absent all names below are NULL.
 *
 *  softcc pulls them out of the archive by the names softgpu_with_check and
 *  softgpu_with_profile.  tsan.c shows them each access, hooks.c passes on
 *  what the runtime tells and what they have to say when the program ends.
 */
#ifndef SOFTGPU_MODES_H
#define SOFTGPU_MODES_H

#include "../core/hooks.h"

struct json_t;

#define SOFTGPU_MAYBE __attribute__((weak))

/** One access by the program, on the host or in a kernel.
 *  @param flags  enum access_flags
 *  @param code   return address of the access */
SOFTGPU_MAYBE void check_access(const volatile void *p, uint32_t bytes,
                                uint32_t flags, uintptr_t code);
/** Many bytes at once, as by memcpy. */
SOFTGPU_MAYBE void check_range(const volatile void *p, size_t bytes,
                               uint32_t flags, uintptr_t code);
/** The same, for the profiler.
 *  @param frame  where on the stack the function that accesses calls from */
SOFTGPU_MAYBE void profile_access(const volatile void *p, uint32_t bytes,
                                  uint32_t flags, uintptr_t code,
                                  uintptr_t frame);
/** The host's own code read or wrote so many bytes. */
SOFTGPU_MAYBE void profile_host_access(uint64_t bytes);
/** The running thread has its copy of the parameters here. */
SOFTGPU_MAYBE void profile_parameters(const void *p, size_t bytes);
/** The running thread made a fence. */
SOFTGPU_MAYBE void check_fence(void);
/** A basic block of the program begins at a return address. */
SOFTGPU_MAYBE void profile_basic_block(uintptr_t code, uintptr_t frame);

/** What the runtime tells them. */
extern SOFTGPU_MAYBE const struct softgpu_hooks check_hooks;
/** The profiler sets: grid_begin, grid_end, block_begin, block_end, barrier,
 *  async_copied. */
extern SOFTGPU_MAYBE const struct softgpu_hooks profile_hooks;

/** The program ends: write to stderr.  @return 1 if it is to end with 86 */
SOFTGPU_MAYBE int check_tell(void);
/** The program ends: sum up, write to stderr, and the page if asked for. */
SOFTGPU_MAYBE void profile_tell(void);
/** The field `findings`, a new array. */
SOFTGPU_MAYBE struct json_t *check_json(void);
/** The field `sampled`, a new object: what was watched in part. */
SOFTGPU_MAYBE struct json_t *check_sampled(void);
/** The field `kernels`, a new array. */
SOFTGPU_MAYBE struct json_t *profile_json(void);
/** The field `timeline`, a new object. */
SOFTGPU_MAYBE struct json_t *profile_timeline(void);
/** Make the page of a finished report, after profile_tell. */
SOFTGPU_MAYBE void profile_show(const struct json_t *report);

#endif
