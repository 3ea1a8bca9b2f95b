/* SPDX-License-Identifier: MIT */
/* Video instructions of inline PTX: bytes and halves, sums, saturation. */
#include "check.h"

#define VIDEO(name) \
    asm(name " %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(a), "r"(b), "r"(c))
/** Each instruction once. */
__global__ void kernel(unsigned a, unsigned b, unsigned c, unsigned *out)
{
    int i = 0;
    VIDEO("vabsdiff4.u32.u32.u32");
    VIDEO("vabsdiff4.u32.u32.u32.add");
    VIDEO("vabsdiff4.s32.s32.s32.add");
    VIDEO("vadd4.u32.u32.u32");
    VIDEO("vadd4.u32.u32.u32.sat");
    VIDEO("vsub2.s32.s32.s32.sat");
    VIDEO("vavrg4.u32.u32.u32");
    VIDEO("vmin2.s32.s32.s32");
    VIDEO("vmax4.s32.s32.s32");
    VIDEO("vabsdiff.u32.u32.u32.add");
    VIDEO("vmax.s32.s32.s32.max");
    asm("vsub.s32.u32.u32.sat %0, %1, %2;" : "=r"(out[i++]) : "r"(a), "r"(b));
}

int main()
{
    unsigned *out = managed<unsigned>(12);
    kernel<<<1, 1>>>(0x80ff1020, 0x7f0220f0, 100, out);
    RUN();
    for (int i = 0; i < 12; i++)
        printf("%08x\n", out[i]);
    return 0;
}
