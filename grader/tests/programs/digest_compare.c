/* SPDX-License-Identifier: MIT */
/* The card's digest of an array beside the host's: sizes about a word's, a
 * warp's and the grid's, odd addresses, one array after another.  Exit status 1
 * when they differ. */
#include <stdio.h>
#include <stdlib.h>

#include "grader/runner/device.h"
#include "grader/runner/variant.h"

const bool runner_counts_launches = true; /* device.c asks for it */

enum { MOST = 3000000 };

int main(void)
{
    static const size_t sizes[] = {0, 1, 7, 8, 9, 255, 2048, 2056, 70001, MOST};
    unsigned char *host = malloc(MOST + 8), *d_block = device_alloc(MOST + 8);
    uint64_t want = 42, got = 42;
    int wrong = 0;

    srand(1);
    for (size_t i = 0; host && i < MOST + 8; i++)
        host[i] = (unsigned char)(rand() >> 5);
    if (!host || !d_block || device_copy_to_device(d_block, host, MOST + 8))
        return 2;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t off = 0; off < 8; off += 1 + off) {
            want = digest_update(want, host + off, sizes[i]);
            wrong += device_digest(&got, d_block + off, sizes[i], host) != 0;
            if (want != got)
                printf("%zu bytes, %zu off: %llx, should be %llx\n", sizes[i],
                       off, (unsigned long long)got,
                       (unsigned long long)want);
            wrong += want != got;
            got = want;
        }
    device_free(d_block);
    free(host);
    return wrong > 0;
}
