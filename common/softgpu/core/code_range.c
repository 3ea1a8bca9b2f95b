/* SPDX-License-Identifier: MIT */
/** @file
 *  Code ranges of the program and of the runtime.
 */
#define _GNU_SOURCE
#include "code_range.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

/* Bounds of the section softgpu_text (see common/rules.mk), set by the linker;
 * NULL where the runtime was built without it. */
extern const char __start_softgpu_text[] __attribute__((weak));
extern const char __stop_softgpu_text[] __attribute__((weak));

/* The segment with the program's code. */
static struct {
    uintptr_t code; /* the address that it was found by */
    uintptr_t begin, end;
} segment;

/* For dl_iterate_phdr(): the executable segment that holds the program's
 * code. */
static int find_segment(struct dl_phdr_info *info, size_t bytes, void *unused)
{
    (void)bytes;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        const uintptr_t begin = info->dlpi_addr + header->p_vaddr;
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)
            || segment.code - begin >= header->p_memsz)
            continue;
        segment.begin = begin;
        segment.end = begin + header->p_memsz;
        return 1;
    }
    return 0;
}

void softgpu_find_program_code(const void *code)
{
    if (segment.code == (uintptr_t)code)
        return;
    segment.code = (uintptr_t)code;
    segment.begin = segment.end = 0;
    dl_iterate_phdr(find_segment, NULL);
}

bool softgpu_is_runtime_code(const void *pc)
{
    const uintptr_t begin = (uintptr_t)__start_softgpu_text;
    return begin
           && (uintptr_t)pc - begin < (uintptr_t)__stop_softgpu_text - begin;
}

#if defined(__x86_64__)
/* `endbr64` and `bnd` may stand before an instruction of a stub.  Each stub
 * jumps through the GOT, or pushes its number, or the GOT's first word, and
 * jumps to the resolver (System V ABI for x86-64, 5.2). */
bool softgpu_is_linkage_stub(const void *pc)
{
    static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    const unsigned char *at = pc;

    if (memcmp(at, endbr64, sizeof endbr64) == 0)
        at += sizeof endbr64;
    at += *at == 0xf2;
    if (*at == 0xff)
        return at[1] == 0x25 || at[1] == 0x35; /* jmp, push of a word there */
    if (*at == 0x68) /* push of a number */
        at += 5;
    else
        return false;
    at += *at == 0xf2;
    return *at == 0xe9;
}
#elif defined(__aarch64__)
/* Four instructions, the last of them `br x17`. */
bool softgpu_is_linkage_stub(const void *pc)
{
    const uint32_t *at = pc;

    for (int i = 0; i < 4; i++)
        if (at[i] == 0xd61f0220)
            return true;
    return false;
}
#else
bool softgpu_is_linkage_stub(const void *pc)
{
    (void)pc;
    return false;
}
#endif

bool softgpu_is_program_code(const void *pc)
{
    const uintptr_t at = (uintptr_t)pc;
    return __start_softgpu_text && at >= segment.begin && at < segment.end
           && !softgpu_is_runtime_code(pc) && !softgpu_is_linkage_stub(pc);
}
