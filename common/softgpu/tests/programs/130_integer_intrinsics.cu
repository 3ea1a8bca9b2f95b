/* SPDX-License-Identifier: MIT */
/* Bit counting, reversal, byte permutation, high products, dot products. */
#include "check.h"

/* Each element is one function's result. */
__global__ void bits(unsigned *u, int *s, unsigned long long *l)
{
    u[0] = __popc(0xf0f0f0f1);
    u[1] = __brev(0x00000003);
    u[2] = __byte_perm(0x33221100, 0x77665544, 0x5140);
    u[3] = __umulhi(0x80000000u, 6u);
    u[4] = __funnelshift_l(0x12345678, 0x9abcdef0, 8);
    u[5] = __funnelshift_r(0x12345678, 0x9abcdef0, 8);
    u[6] = __usad(3u, 10u, 100u);
    u[7] = __vadd4(0x01ff0203, 0x01020304);
    s[0] = __clz(1 << 20);
    s[1] = __clz(0);
    s[2] = __ffs(0x50);
    s[3] = __ffs(0);
    s[4] = __mulhi(-4, 1 << 30);
    s[5] = __dp4a(0x01fe03fc, 0x01010102, 1000);
    s[6] = __clzll(1ll << 40);
    s[7] = __ffsll(1ll << 33);
    s[8] = __popcll(~0ull >> 3);
    s[9] = __sad(-5, 5, 1);
    s[10] = __mul24(1000, -1000);
    s[11] = __hadd(7, 8) + 100 * __rhadd(7, 8);
    l[0] = __brevll(1);
    l[1] = __umul64hi(1ull << 63, 1ull << 3);
}

int main()
{
    unsigned *u = managed<unsigned>(8);
    int *s = managed<int>(12);
    unsigned long long *l = managed<unsigned long long>(2);
    bits<<<1, 1>>>(u, s, l);
    RUN();
    for (int i = 0; i < 8; i++)
        printf("%x ", u[i]);
    printf("\n");
    for (int i = 0; i < 12; i++)
        printf("%d ", s[i]);
    printf("\n%llx %llx\n", l[0], l[1]);
    return 0;
}
