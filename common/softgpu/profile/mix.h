/* SPDX-License-Identifier: MIT */
/** @file
 *  What a program's basic blocks are made of, from its own machine code.
 *
 *  The instructions are the host's: a stand-in for those of a card (SASS).
 *  Moves between registers and the stack, calls to the watchers and what
 *  inlined headers of the software GPU compute count nothing; arithmetic,
 *  comparisons, jumps and accesses do, one each.
 */
#ifndef SOFTGPU_MIX_H
#define SOFTGPU_MIX_H

#include <stddef.h>
#include <stdint.h>

/** What an instruction is, if it counts. */
enum mix_class {
    MIX_NONE,     /**< counts nothing */
    MIX_INTEGER,  /**< arithmetic and comparisons of integers and addresses */
    MIX_FLOAT,    /**< one operation on float */
    MIX_FLOAT2,   /**< two: a fused multiply-add */
    MIX_DOUBLE,   /**< one operation on double */
    MIX_DOUBLE2,  /**< two */
    MIX_SPECIAL,  /**< division, square root, a function of the math library */
    MIX_OTHER,    /**< conversions, comparisons and maxima of floats, calls */
    MIX_ACCESS,   /**< a load, store or atomic */
    MIX_WARP,     /**< a warp call */
    MIX_BRANCH    /**< a conditional jump */
};

/** One instruction that counts. */
struct mix_instruction {
    uint64_t code;  /**< the address behind it, as a return address would be */
    uint64_t block; /**< of its basic block, as the block's site has it */
    enum mix_class class;
    uint32_t width; /**< operations of a vector instruction; else 1 */
};

/** The instructions that count, in order of address. */
struct mix {
    struct mix_instruction *all;
    size_t count, room;
};

/** Classify one instruction.
 *  @param text  as objdump writes it: "addss  0x4(%rdi),%xmm0" */
enum mix_class mix_classify(const char *text);

/** How many numbers a floating-point instruction works on: 8 for
 *  "mulps %ymm1,%ymm2,%ymm0", 1 for one on a single number. */
uint32_t mix_width(const char *text);

/** Disassemble a part of this program by objdump.
 *
 *  @param from, to  addresses in this process, of the program itself
 *  @param[out] mix  new; free with mix_free()
 *  @return 0; -1 when there is no objdump, or nothing came of it
 */
int mix_read(uint64_t from, uint64_t to, struct mix *mix);
/** Give the memory back. */
void mix_free(struct mix *mix);

#endif
