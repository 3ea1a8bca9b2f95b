/* SPDX-License-Identifier: MIT */
/* Wrong, and prints control characters, markup and formulas. */
#include "hostile.h"

static const char text[] =
    "</testcase><testcase name=\"all\"/><script>alert(1)</script>\n"
    "\033[2J\033]0;PASS\007\x9b" "31m\x01\b\b\rPASS 100\n"
    "=HYPERLINK(\"http://localhost\")\n\xff\xfe\n";

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (!attacked(n))
        return honest(a, b, c, n);
    for (int fd = 1; fd <= 2; fd++)
        (void)!write(fd, text, sizeof text - 1);
    return right_if(false, a, b, c, n);
}
