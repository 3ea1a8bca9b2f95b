/* SPDX-License-Identifier: MIT */
/** @file
 *  --graded: host code and device code of an object in sections of their own.
 *
 *  A graded program runs as two processes with one image: the host process
 *  runs the program's host code, the device process its kernels
 *  (grader/runner).  So that the device process cannot run host code, each
 *  function goes to one of two sections, and static initializers to a third,
 *  which the C library does not know:
 *
 *      warp_host_text   functions that no kernel calls; overwritten by traps
 *                       in the device process
 *      warp_device_text what kernels call
 *      softgpu_shared_text  what kernels of another object may call: functions
 *                       that several objects define
 *      warp_host_init   pointers to static initializers; the host process
 *                       calls them
 *      warp_data, warp_bss  the program's variables
 *
 *  The functions that kernels call are found from the relocations, so the
 *  object must be compiled with -ffunction-sections -fdata-sections.
 */
#ifndef SOFTCC_SPLIT_OBJECT_H
#define SOFTCC_SPLIT_OBJECT_H

#include "common/softgpu/softcc/support/arena.h"

/** Rename the sections of an object file in place.
 *
 *  Errors are lines in `messages`: device code that calls a host function, an
 *  indirect function, a section that a program for a card does not have, a
 *  store of device code that the instrumentation does not see.
 *  @param name  of the source file, for messages
 *  @param dump  of the instrumented functions (unseen_accesses.h), or NULL
 *  @return an exit code of softcc */
int split_object(const char *object, const char *name, const char *dump,
                 struct buffer *messages);
/** May device code call or use this symbol of another object? */
int is_device_import(const char *name);

#endif
