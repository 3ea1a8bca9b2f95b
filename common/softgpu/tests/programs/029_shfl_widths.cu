/* SPDX-License-Identifier: MIT */
/* Shuffles within segments of 2, 4, 8 and 16 lanes. */
#include "check.h"

/* All four shuffles within segments of Width lanes. */
template <int Width> __global__ void segments(int *out)
{
    int i = threadIdx.x;
    out[i] = __shfl_sync(~0u, i, 1, Width);
    out[32 + i] = __shfl_up_sync(~0u, i, 1, Width);
    out[64 + i] = __shfl_down_sync(~0u, i, 1, Width);
    out[96 + i] = __shfl_xor_sync(~0u, i, Width - 1, Width);
}

template <int Width> static void check(int *out)
{
    segments<Width><<<1, 32>>>(out);
    RUN();
    for (int i = 0; i < 32; i++) {
        int first = i / Width * Width, at = i % Width;
        EXPECT(out[i] == first + 1);
        EXPECT(out[32 + i] == (at > 0 ? i - 1 : i));
        EXPECT(out[64 + i] == (at < Width - 1 ? i + 1 : i));
        EXPECT(out[96 + i] == first + Width - 1 - at);
    }
    printf("%d: %d %d %d %d\n", Width, out[31], out[32 + 16], out[64 + 15],
           out[96 + 16]);
}

int main()
{
    int *out = managed<int>(128);
    check<2>(out);
    check<4>(out);
    check<8>(out);
    check<16>(out);
    check<32>(out);
    return 0;
}
