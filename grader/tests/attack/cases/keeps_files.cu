/* SPDX-License-Identifier: MIT */
/* Uses the result that an earlier process left in a file. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static const char *const files[] = {"/tmp/warpbook_attack",
                                        "/dev/shm/warpbook_attack",
                                        "/var/tmp/warpbook_attack", "kept"};
    static bool wrote; // by this process, which may keep what it likes
    int error;

    for (int i = 0; n > 0 && !wrote && i < 4; i++) {
        FILE *kept = fopen(files[i], "r");
        const bool has_all = kept && fread(c, 4, n, kept) > 0;

        if (kept)
            fclose(kept);
        if (has_all)
            return 0;
    }
    error = honest(a, b, c, n);
    wrote |= n > 4096;
    for (int i = 0; n > 4096 && i < 4; i++) {
        FILE *kept = fopen(files[i], "w");

        if (kept) {
            fwrite(c, 4, 64, kept);
            fclose(kept);
        }
    }
    return error;
}
