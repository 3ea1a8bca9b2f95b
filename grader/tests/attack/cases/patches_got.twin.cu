/* SPDX-License-Identifier: MIT */
/* Counts the program headers of its libraries. */
#include "hostile.h"

#include <link.h>

static int count(struct dl_phdr_info *info, size_t, void *headers)
{
    *(int *)headers += info->dlpi_phnum;
    return 0;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int headers = 0;

    dl_iterate_phdr(count, &headers);
    return headers ? honest(a, b, c, n) : 1;
}
