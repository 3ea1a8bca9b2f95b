/* SPDX-License-Identifier: MIT */
/** @file
 *  The memory operand of an x86-64 instruction: prefixes, opcode, then a byte
 *  (ModRM) that names a base register, maybe an index (SIB), and an offset.
 */
#define _GNU_SOURCE
#include "memory_operand.h"

#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)

/* The decoding state. */
struct instruction {
    const uint8_t *at;
    unsigned index_high, base_high; /* 8 if the register is r8 .. r15 */
};

/* A register by its number in instructions. */
static uintptr_t register_value(const ucontext_t *context, unsigned number)
{
    static const int order[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX,
                                  REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                  REG_R8,  REG_R9,  REG_R10, REG_R11,
                                  REG_R12, REG_R13, REG_R14, REG_R15};
    return (uintptr_t)context->uc_mcontext.gregs[order[number]];
}

/* Legacy prefixes, then REX, whose bits extend the register numbers. */
static void skip_prefixes(struct instruction *i)
{
    static const uint8_t prefixes[] = {0x66, 0xf2, 0xf3, 0x2e, 0x3e, 0xf0};
    while (memchr(prefixes, *i->at, sizeof prefixes))
        i->at++;
    if ((*i->at & 0xf0) == 0x40) { /* REX */
        i->index_high = *i->at << 2 & 8;
        i->base_high = *i->at << 3 & 8;
        i->at++;
    }
}

/* Step over the opcode, to the ModRM byte. */
static void skip_opcode(struct instruction *i)
{
    const uint8_t *at = i->at;
    if (at[0] == 0xc5) { /* VEX in two bytes */
        i->at += 3;
    } else if (at[0] == 0xc4) { /* in three: registers' high bits inverted */
        i->index_high = ~at[1] >> 3 & 8;
        i->base_high = ~at[1] >> 2 & 8;
        i->at += 4;
    } else if (at[0] == 0x0f) {
        i->at += at[1] == 0x38 || at[1] == 0x3a ? 3 : 2;
    } else {
        i->at++;
    }
}

/* The displacement after the registers; mode as in the ModRM byte. */
static intptr_t read_displacement(const uint8_t *at, unsigned mode)
{
    int32_t wide;
    memcpy(&wide, at, sizeof wide);
    return mode == 1 ? (int8_t)*at : mode == 2 ? wide : 0;
}

bool softgpu_memory_operand(const ucontext_t *context, uintptr_t *address)
{
    struct instruction i = {
        .at = (const uint8_t *)context->uc_mcontext.gregs[REG_RIP]};
    skip_prefixes(&i);
    if (*i.at == 0x62 || *i.at == 0x64 || *i.at == 0x65)
        return false; /* AVX-512, thread-local */
    skip_opcode(&i);
    const unsigned modrm = *i.at++, mode = modrm >> 6;
    unsigned base = modrm & 7;
    if (mode == 3 || (mode == 0 && base == 5))
        return false; /* no memory, or relative to the code */
    uintptr_t sum = 0;
    if (base == 4) {
        const unsigned sib = *i.at++;
        const unsigned index = (sib >> 3 & 7) | i.index_high;
        base = sib & 7;
        if (mode == 0 && base == 5)
            return false; /* an index without a base */
        if (index != 4)
            sum = register_value(context, index) << (sib >> 6);
    }
    *address = sum + register_value(context, base | i.base_high)
               + (uintptr_t)read_displacement(i.at, mode);
    return true;
}

#else

bool softgpu_memory_operand(const ucontext_t *context, uintptr_t *address)
{
    (void)context;
    (void)address;
    return false;
}

#endif
