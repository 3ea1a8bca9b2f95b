/* SPDX-License-Identifier: MIT */
/** @file
 *  Code ranges of the program and of the runtime.
 */
#define _GNU_SOURCE
#include "code_range.h"

#include <link.h>
#include <stddef.h>

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

bool softgpu_is_program_code(const void *pc)
{
    const uintptr_t at = (uintptr_t)pc;
    return __start_softgpu_text && at >= segment.begin && at < segment.end
           && !softgpu_is_runtime_code(pc);
}
