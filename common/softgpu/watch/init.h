/* SPDX-License-Identifier: MIT */
/** @file
 *  The watcher of reads before writes.
 */
#ifndef SOFTGPU_INIT_H
#define SOFTGPU_INIT_H

#include "watch.h"

/** Report a read of bytes that hold no value; remember a write.
 *
 *  @param index  of the word in its allocation, or in shared memory
 *  @param bytes  mask of its bytes that are accessed
 *  @return 0 when it read what holds no value */
int init_judge(const struct access *access, size_t index, unsigned bytes);

#endif
