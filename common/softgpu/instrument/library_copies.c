/* SPDX-License-Identifier: MIT */
/* memcpy, memmove and memset access memory without instrumentation: an
 * instrumented program is linked with --wrap for each, and the tools see what
 * the program's own code, or a header's, copies and fills. */
#include "common/softgpu/core/code_range.h"
#include "on_access.h"

void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__real_memmove(void *to, const void *from, size_t bytes);
void *__real_memset(void *to, int value, size_t bytes);

static void pass_operands(const void *from, const void *to, size_t bytes,
                          uintptr_t pc, uintptr_t frame)
{
    if (!softgpu_is_program_code((const void *)pc))
        return;
    if (from)
        pass_range(from, bytes, ACCESS_LIBRARY, pc, frame);
    pass_range(to, bytes, ACCESS_LIBRARY | ACCESS_WRITE, pc, frame);
}

CALLBACK void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
    pass_operands(from, to, bytes, CALLER_PC, CALLER_FRAME);
    return __real_memcpy(to, from, bytes);
}

CALLBACK void *__wrap_memmove(void *to, const void *from, size_t bytes)
{
    pass_operands(from, to, bytes, CALLER_PC, CALLER_FRAME);
    return __real_memmove(to, from, bytes);
}

CALLBACK void *__wrap_memset(void *to, int value, size_t bytes)
{
    pass_operands(NULL, to, bytes, CALLER_PC, CALLER_FRAME);
    return __real_memset(to, value, bytes);
}
