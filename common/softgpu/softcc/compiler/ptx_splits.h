/* SPDX-License-Identifier: MIT */
/** @file
 *  Accesses of 16 bytes that nvcc split, found in its PTX.
 */
#ifndef SOFTCC_PTX_SPLITS_H
#define SOFTCC_PTX_SPLITS_H

#include <stdio.h>

#include "common/softgpu/softcc/support/arena.h"

/** Find basic blocks in which one source line has four accesses of 4 bytes to
 *  16 consecutive bytes of global memory.  Each may be one access of 16 bytes
 *  in the source, or four; the profiler knows which.
 *
 *  @param[in]  ptx  by nvcc -lineinfo
 *  @param[out] out  a line is appended for each kernel and source line:
 *                   "MANGLED_NAME load FILE:LINE", or "store" */
void find_split_accesses(FILE *ptx, struct buffer *out);

#endif
