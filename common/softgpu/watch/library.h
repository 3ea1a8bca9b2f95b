/* SPDX-License-Identifier: MIT */
/** @file
 *  The watcher of what libraries are given.
 */
#ifndef SOFTGPU_WATCH_LIBRARY_H
#define SOFTGPU_WATCH_LIBRARY_H

#include "../host/library.h"
#include "watch.h"

/** A call is about to use an array: is it the device's, long enough, written?
 *  What the call writes counts as written from now on. */
void library_array(const struct softgpu_library_call *call,
                   const struct softgpu_array *array);

#endif
