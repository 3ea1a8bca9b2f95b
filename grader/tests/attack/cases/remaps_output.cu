/* SPDX-License-Identifier: MIT */
/* Replaces the pages of the output by those of a file that is then cut. */
#include "hostile.h"

#include <sys/syscall.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const int error = honest(a, b, c, n);

    if (attacked(n)) {
        char *at = (char *)(((uintptr_t)c + 4095) & ~4095ul);
        const int fd = (int)syscall(SYS_memfd_create, "", 0);

        if (ftruncate(fd, 1 << 20) == 0)
            mmap(at, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                 fd, 0);
        if (ftruncate(fd, 0))
            return error;
    }
    return error;
}
