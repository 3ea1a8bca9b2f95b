/* SPDX-License-Identifier: MIT */
/** @file
 *  A module as text: programs treat PTX as a string. */
#ifndef SOFTGPU_PTX_TEXT_H
#define SOFTGPU_PTX_TEXT_H

#include <stddef.h>

/** Write a module as text: comments that hold its bytes.
 *  @return to be freed, or NULL without memory */
char *softgpu_ptx_encode(const void *module, size_t bytes);
/** The module in a text.
 *  @return to be freed, or NULL: it is none of ours */
void *softgpu_ptx_decode(const char *text);

#endif
