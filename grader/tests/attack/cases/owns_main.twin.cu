/* SPDX-License-Identifier: MIT */
/* Has a function called main, of another scope. */
#include "hostile.h"

namespace own
{
static int main(void)
{
    return 0;
}
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return own::main() + honest(a, b, c, n);
}
