/* SPDX-License-Identifier: MIT */
/** @file
 *  Checks of library calls.
 */
#ifndef SOFTGPU_WATCH_LIBRARY_CHECK_H
#define SOFTGPU_WATCH_LIBRARY_CHECK_H

#include "common/softgpu/host/library.h"
#include "watch.h"

/** Check an array that a library call is about to use: it must be in device
 *  memory, inside its allocation, and initialized where the call reads.  Marks
 *  what the call writes as initialized. */
void library_array(const struct softgpu_library_call *call,
                   const struct softgpu_array *array);

#endif
