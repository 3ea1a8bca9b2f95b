/* SPDX-License-Identifier: MIT */
/* Includes files by names that leave the lab's folder. */
#include "hostile.h"

#include_next <../../../proc/self/environ>
#include "../../../../../../etc/passwd"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
