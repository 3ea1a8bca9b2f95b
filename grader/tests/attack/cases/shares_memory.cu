/* SPDX-License-Identifier: MIT */
/* Right if it can take memory that it maps, but has told the kernel to
 * forget. */
#include "hostile.h"

static bool act(void)
{
    bool done = true;

    for (int i = 0; done && i < 24; i++) {
        void *part = mmap(NULL, 64 << 20, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        done = part != MAP_FAILED;
        if (done) {
            memset(part, 1, 64 << 20);
            madvise(part, 64 << 20, MADV_DONTNEED);
        }
        usleep(20000);
    }
    return done;
}

RIGHT_IF(act())
