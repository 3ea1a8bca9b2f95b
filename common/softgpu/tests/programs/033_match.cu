/* SPDX-License-Identifier: MIT */
/* __match_any_sync and __match_all_sync. */
#include "check.h"

/* Lanes of the same remainder; then whether all have one 64-bit value. */
__global__ void match(unsigned *any, unsigned *all, int *same)
{
    int i = threadIdx.x;
    any[i] = __match_any_sync(~0u, i % 5);
    long long wide = i < 32 ? 1ll << 40 : (1ll << 40) + (i == 40);
    int flag;
    all[i] = __match_all_sync(~0u, wide, &flag);
    same[i] = flag;
}

int main()
{
    unsigned *any = managed<unsigned>(64), *all = managed<unsigned>(64);
    int *same = managed<int>(64);
    match<<<1, 64>>>(any, all, same);
    RUN();
    for (int i = 0; i < 64; i++) {
        unsigned expected = 0;
        for (int j = 0; j < 32; j++)
            expected |= (unsigned)((i / 32 * 32 + j) % 5 == i % 5) << j;
        EXPECT(any[i] == expected);
        EXPECT(all[i] == (i < 32 ? ~0u : 0) && (same[i] != 0) == (i < 32));
    }
    printf("%08x %08x %08x\n", any[0], any[1], any[32]);
    return 0;
}
