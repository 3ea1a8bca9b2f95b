/* SPDX-License-Identifier: MIT */
/* Correct, and prints the same. */
#include "hostile.h"

static const char text[] =
    "</testcase><testcase name=\"all\"/><script>alert(1)</script>\n"
    "\033[2J\033]0;FAIL\007\x9b" "31m\x01\b\b\rFAIL 0\n";

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        (void)!write(1, text, sizeof text - 1);
    return honest(a, b, c, n);
}
