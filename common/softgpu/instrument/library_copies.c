/* SPDX-License-Identifier: MIT */
/* memcpy, memset, memcmp, strlen and the like access memory without
 * instrumentation: an instrumented program is linked with --wrap for each, and
 * the tools see what the program's own code, or a header's, copies, fills and
 * compares. */
#include <string.h>

#include "common/softgpu/core/code_range.h"
#include "on_access.h"

void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__real_memmove(void *to, const void *from, size_t bytes);
void *__real_memset(void *to, int value, size_t bytes);
int __real_memcmp(const void *a, const void *b, size_t bytes);
size_t __real_strlen(const char *text);
int __real_strcmp(const char *a, const char *b);
int __real_strncmp(const char *a, const char *b, size_t most);

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

/* --- functions that only load --------------------------------------------- */

static void pass_load(const void *from, size_t bytes, uintptr_t pc,
                      uintptr_t frame)
{
    if (bytes && softgpu_is_program_code((const void *)pc))
        pass_range(from, bytes, ACCESS_LIBRARY, pc, frame);
}

/* What a comparison of texts by the program loads of each: up to the first
 * difference, or the end of both. */
static size_t compared_bytes(const char *a, const char *b, size_t most,
                             uintptr_t pc)
{
    size_t n = 0;

    if (!softgpu_is_program_code((const void *)pc))
        return 0;
    while (n < most && a[n] && a[n] == b[n])
        n++;
    return n < most ? n + 1 : most;
}

CALLBACK int __wrap_memcmp(const void *a, const void *b, size_t bytes)
{
    pass_load(a, bytes, CALLER_PC, CALLER_FRAME);
    pass_load(b, bytes, CALLER_PC, CALLER_FRAME);
    return __real_memcmp(a, b, bytes);
}

CALLBACK size_t __wrap_strlen(const char *text)
{
    const size_t length = __real_strlen(text);

    pass_load(text, length + 1, CALLER_PC, CALLER_FRAME);
    return length;
}

CALLBACK int __wrap_strcmp(const char *a, const char *b)
{
    const size_t bytes = compared_bytes(a, b, SIZE_MAX, CALLER_PC);

    pass_load(a, bytes, CALLER_PC, CALLER_FRAME);
    pass_load(b, bytes, CALLER_PC, CALLER_FRAME);
    return __real_strcmp(a, b);
}

CALLBACK int __wrap_strncmp(const char *a, const char *b, size_t most)
{
    const size_t bytes = compared_bytes(a, b, most, CALLER_PC);

    pass_load(a, bytes, CALLER_PC, CALLER_FRAME);
    pass_load(b, bytes, CALLER_PC, CALLER_FRAME);
    return __real_strncmp(a, b, most);
}
