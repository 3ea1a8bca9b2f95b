/* SPDX-License-Identifier: MIT */
/** @file
 *  Loops whose number of turns is constant.  nvcc unrolls them completely: the
 *  loop's variable and everything computed from it become constants, and sums
 *  of them with values that the loop does not change become offsets of
 *  accesses.  The host compiler does not unroll them, so its machine code has
 *  instructions that a GPU does not execute.
 */
#ifndef SOFTGPU_CONSTANT_LOOPS_H
#define SOFTGPU_CONSTANT_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One instruction of a function. */
struct machine_line {
    uint64_t address; /**< in the file, as jumps name it */
    char *text;       /**< as objdump writes it; owned by the caller */
};

/** Find the instructions that are constant in an unrolled loop.
 *
 *  @param[in]  lines   of one function, in the order of their addresses
 *  @param[in]  count   of them
 *  @param[out] folded  `count` flags, all false before: true for an integer
 *                      instruction or a branch that nvcc computes, and for a
 *                      division by what is constant
 *  Without memory nothing is found. */
void find_constant_loops(const struct machine_line *lines, size_t count,
                         bool *folded);

#endif
