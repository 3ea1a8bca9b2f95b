/* SPDX-License-Identifier: MIT */
/** @file
 *  What host code may not do: touch a device's memory, forget an error,
 *  free twice, copy the wrong way.
 */
#ifndef SOFTGPU_WATCH_HOST_H
#define SOFTGPU_WATCH_HOST_H

#include "../core/hooks.h"
#include "watch.h"

/** Host code loads or stores; ends the program if it may not. */
void host_access(const volatile void *p, uint32_t bytes, uint32_t flags,
                 uintptr_t code);
/** A runtime call was refused in a way that tells of a defect. */
void host_refused(enum softgpu_refusal what, const void *p);
/** A fill is asked for. */
void host_fill(void *dst, int value, size_t bytes);
/** A launch was refused; somebody should look at the error. */
void host_launch_failed(int error);
/** Somebody did. */
void host_error_read(void);
/** The program ends: tell of leaks and of errors nobody looked at. */
void host_at_exit(void);

#endif
