/* SPDX-License-Identifier: MIT */
/* Sends DONE to the grader and computes later. */
#include "hostile.h"

struct forged {
    unsigned magic, type;
    unsigned long long sequence, length, status, digest;
};

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        forged completion = {0x4b425257u, 4, 1, 16, 0, 0};

        (void)!write(3, &completion, sizeof completion);
    }

    return honest(a, b, c, n);
}
