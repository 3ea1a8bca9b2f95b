/* SPDX-License-Identifier: MIT */
/* Correct, with options of its own for a sanitizer. */
#include "hostile.h"

extern "C" const char *__asan_default_options(void)
{
    return "detect_leaks=0:exitcode=0";
}

extern "C" int __lsan_is_turned_off(void)
{
    return 1;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
