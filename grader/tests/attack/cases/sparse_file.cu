/* SPDX-License-Identifier: MIT */
/* Makes a file of a tebibyte that takes no space. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        const int fd = open("sparse", O_CREAT | O_RDWR, 0600);

        if (ftruncate(fd, (off_t)1 << 40) == 0)
            fsync(fd);
        close(fd);
    }
    return honest(a, b, c, n);
}
