/* SPDX-License-Identifier: MIT */
/** @file
 *  What is known of the host's registers and stack in a loop, and what one
 *  instruction changes of it.
 */
#ifndef SOFTGPU_OPERAND_VALUES_H
#define SOFTGPU_OPERAND_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/** A value, in a loop that is unrolled. */
enum value {
    VALUE_CONSTANT,  /**< a constant in each turn */
    VALUE_INVARIANT, /**< the same in all turns */
    VALUE_OFFSET,    /**< such a value plus a constant */
    VALUE_VARIABLE   /**< any other */
};

enum {
    VALUE_REGISTERS = 16, /**< general registers */
    VALUE_SLOTS = 256,    /**< words of the frame below %rbp */
    VALUE_OPERANDS = 3    /**< of an instruction */
};

/** Values of all registers and stack slots, enum value each. */
struct values {
    uint8_t place[VALUE_REGISTERS + VALUE_SLOTS];
    uint8_t flags; /**< of the last comparison */
    bool reached;  /**< false: no path leads here yet */
};

/** An instruction, taken apart. */
struct operation {
    char name[16];                     /**< mnemonic */
    char operand[VALUE_OPERANDS][64];  /**< in AT&T's order: target last */
    int count;                         /**< of operands */
    uint64_t target;                   /**< of a jump; 0: none */
};

/** Take an instruction apart. */
struct operation parse_operation(const char *text);
/** Is it a conditional jump, or any? */
bool is_conditional_jump(const struct operation *o);
bool is_jump(const struct operation *o);
/** Does it set its target to an immediate value? */
bool sets_constant(const struct operation *o);
/** Register or slot of the target.  @return an index of struct values; -1:
 *  neither */
int target_place(const struct operation *o);
/** The same of any operand, as text: "%rax" or "-0x38(%rbp)". */
int operand_place(const char *operand);
/** Base and index of an address such as "8(%rax,%rbx,4)".
 *
 *  @param[out] base, index  registers; empty: none
 *  @return the index's factor, 1 without one; 0: no address */
int address_registers(const char *operand, char base[8], char index[8]);
/** The values after an instruction.
 *  @return whether nvcc computes its result, or has it as an offset, or of a
 *  division knows the divisor */
bool apply_operation(const struct operation *o, struct values *v);
/** Add another path to the values.  @return whether they changed */
bool join_values(struct values *to, const struct values *from);
/** Calls change these registers. */
void forget_call_registers(struct values *v);

#endif
