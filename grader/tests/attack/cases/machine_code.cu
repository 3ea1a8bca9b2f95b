/* SPDX-License-Identifier: MIT */
/* Has machine code in place of source. */
#include "hostile.h"

__asm__(".text\nanswer_code:\n.byte 0x31, 0xc0, 0xc3\n");
extern "C" int answer(void) __asm__("answer_code");

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return answer() + honest(a, b, c, n);
}
