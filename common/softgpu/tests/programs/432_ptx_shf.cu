/* SPDX-License-Identifier: MIT */
/* shf: 64 bits shifted, of which one word is the result; the number of bits
 * wraps at 32 or is clamped to it. */
#include "check.h"

#define SHF(name) \
    asm("shf." name ".b32 %0, %1, %2, %3;" \
        : "=r"(out[i++]) : "r"(0x89abcdefu), "r"(0x01234567u), "r"(n))

/* Each form of the instruction. */
__global__ void kernel(unsigned n, unsigned *out)
{
    int i = 0;
    SHF("l.wrap");
    SHF("l.clamp");
    SHF("r.wrap");
    SHF("r.clamp");
}

int main()
{
    unsigned *out = managed<unsigned>(4);
    const unsigned shifts[] = {0, 8, 32, 40};
    for (unsigned n : shifts) {
        kernel<<<1, 1>>>(n, out);
        RUN();
        printf("%2u: %08x %08x %08x %08x\n", n, out[0], out[1], out[2],
               out[3]);
    }
    return 0;
}
