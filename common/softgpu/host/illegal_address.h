/* SPDX-License-Identifier: MIT */
/** @file
 *  Words for an address that a kernel may not access: which memory is near, or
 *  was there.
 */
#ifndef SOFTGPU_ILLEGAL_ADDRESS_H
#define SOFTGPU_ILLEGAL_ADDRESS_H

#include "arena.h"

/** Remember an allocation that is about to be freed; of the last few. */
void softgpu_note_freed(const struct softgpu_allocation *allocation);

#endif
