/* SPDX-License-Identifier: MIT */
/** @file
 *  The instructions of a program's basic blocks, from its machine code.
 *
 *  They are instructions of the host, which stand in for SASS.  Arithmetic,
 *  comparisons, branches and accesses count one each.  Moves between registers
 *  and the stack, addresses of the host's thread-local variables, callbacks of
 *  the instrumentation, and code of the software GPU's inlined headers count
 *  nothing.
 */
#ifndef SOFTGPU_INSTRUCTION_MIX_H
#define SOFTGPU_INSTRUCTION_MIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Classes of instructions. */
enum instruction_class {
    CLASS_NONE,       /**< not counted */
    CLASS_INTEGER,    /**< integer and address arithmetic, comparisons */
    CLASS_ADDRESS,    /**< base + index * scale: an integer instruction, or two
                           where addresses have 64 bits */
    CLASS_DIVISION,   /**< an integer division: many integer instructions */
    CLASS_FLOAT,      /**< one operation on float */
    CLASS_FLOAT_FMA,  /**< a fused multiply-add on float: two operations */
    CLASS_HALF,       /**< one operation on half */
    CLASS_HALF_FMA,   /**< a fused multiply-add on half */
    CLASS_DOUBLE,     /**< one operation on double */
    CLASS_DOUBLE_FMA, /**< a fused multiply-add on double */
    CLASS_SPECIAL,    /**< division, square root, a math library function */
    CLASS_OTHER,      /**< conversions, float comparisons and maxima, calls */
    CLASS_MEMORY,     /**< a load, store or atomic */
    CLASS_WARP_CALL,  /**< a shuffle, vote or __syncwarp */
    CLASS_MATRIX,     /**< a call that multiplies matrices: counted where the
                           lanes converge */
    CLASS_BRANCH      /**< a conditional branch */
};

/** One instruction that counts. */
struct decoded_instruction {
    uint64_t code;  /**< address of the next instruction, as the return address
                         of a call is */
    uint64_t block; /**< of its basic block: struct site's code */
    enum instruction_class class;
    uint32_t width; /**< elements of a vector instruction; instructions of a
                         division on a GPU; else 1 */
};

/** The instructions that count, sorted by address. */
struct instruction_mix {
    struct decoded_instruction *items; /**< owned */
    size_t count;    /**< of items */
    size_t capacity; /**< of items */
};

/** Classify one instruction.
 *  @param text  as objdump writes it: "addss  0x4(%rdi),%xmm0" */
enum instruction_class classify_instruction(const char *text);

/** Elements of a floating-point instruction: 8 for
 *  "mulps %ymm1,%ymm2,%ymm0", 1 for a scalar instruction. */
uint32_t vector_width(const char *text);

/** Instructions that nvcc makes of an integer division: a GPU has none.
 *  @param text  "div    %ebx": 18; 25 where it is signed or has 64 bits */
uint32_t division_instructions(const char *text);

/** Class and width of one instruction.
 *  @param text    as objdump writes it
 *  @param folded  as find_constant_loops() tells: nvcc computes it, or it
 *                 divides by a constant and is a shift or a product
 *  @return without its addresses */
struct decoded_instruction decode_instruction(const char *text, bool folded);

/** Disassemble a part of this program with objdump.
 *
 *  @param[in]  from, to  addresses in this process, of the program's image
 *  @param[out] mix       to be freed by instruction_mix_free()
 *  @return 0; -1 when objdump is not installed or printed no instruction */
int disassemble_program(uint64_t from, uint64_t to,
                        struct instruction_mix *mix);
/** Free the memory; the mix is empty then. */
void instruction_mix_free(struct instruction_mix *mix);

#endif
