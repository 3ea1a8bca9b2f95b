/* SPDX-License-Identifier: MIT */
/** @file
 *  Inline PTX: the table of instructions, and the translation of a template.
 */
#ifndef SOFTCC_PTX_H
#define SOFTCC_PTX_H

#include <stdbool.h>

#include "common/softgpu/softcc/support/arena.h"

/** Operands of an asm statement, or of an instruction, at most. */
enum { PTX_OPERANDS = 32, PTX_WORD = 64 };

/** An instruction: its operation and modifiers without types and without what
 *  has no effect here. */
struct ptx_instruction {
    const char *opcode;   /**< "mul.wide" */
    const char *function; /**< of softgpu::ptx */
    const char *types;    /**< letters of the types that it takes: b u s f p,
                               or "" for an instruction without a type */
    int operands;         /**< how many */
    bool carries;         /**< the carry flag is its first argument */
};

struct token;
/** Is an asm statement PTX?  @param host  its function is for the host, too */
bool is_ptx(struct token *t, bool host);

/** The row of an opcode, that with so many operands if there is one; or
 *  NULL. */
const struct ptx_instruction *find_ptx_instruction(const char *opcode,
                                                   int operands);
/** Has a modifier no effect here (cache hints, scopes, rounding)? */
bool is_ignored_modifier(const char *word);
/** What stands in the table for a modifier that makes a load or store one that
 *  other threads may wait for: "volatile", or "ordered" of a load that states
 *  its memory order.  Another modifier stands for itself.
 *  @param opcode  "ld", "st", ... */
const char *polling_modifier(const char *opcode, const char *word);
/** Is the word of the opcode what makes a fence one for the block alone? */
bool is_scope_of_fence(const char *opcode, const char *word);
/** The C++ type of a PTX type ("u32"), or NULL for another word. */
const char *ptx_type(const char *word);
/** The function of a special register without its '%' ("tid.x"), or NULL. */
const char *special_register(const char *name);

/** Append the beginning of the call for an mma instruction.
 *  @return NULL, or why it is refused */
const char *append_mma(const char *opcode, struct buffer *to);

/** Append the beginning of the call for a video instruction (vabsdiff4).
 *  @param name   without types
 *  @param types  three types of C++: of d, a and b
 *  @return false if it is none that the software GPU has */
bool append_video(const char *name, const char *const *types,
                  struct buffer *to);

/** Translate a template to C++ statements that use softgpu_p0, softgpu_p1 ...
 *  for its operands.
 *  @param text      unescaped
 *  @param operands  how many the statement has
 *  @param[out] to   the statements, or one line why it is refused
 *  @return false if it is refused */
bool translate_ptx(const char *text, int operands, struct buffer *to);

#endif
