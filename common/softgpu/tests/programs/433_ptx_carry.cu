/* SPDX-License-Identifier: MIT */
/* The carry flag of inline PTX: chains within a statement and from one to the
 * next, of sums, differences and products. */
#include "check.h"

#include <cstdint>

/* out = a + b, a - b, of four words, in statements of their own. */
__global__ void sums(const unsigned *a, const unsigned *b, unsigned *out)
{
    asm volatile("add.cc.u32 %0, %1, %2;"
                 : "=r"(out[0])
                 : "r"(a[0]), "r"(b[0]));
    for (int i = 1; i < 3; i++)
        asm volatile("addc.cc.u32 %0, %1, %2;"
                     : "=r"(out[i]) : "r"(a[i]), "r"(b[i]));
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(out[3]) : "r"(a[3]), "r"(b[3]));
    asm("sub.cc.u32 %0, %4, %8;\n\t"
        "subc.cc.u32 %1, %5, %9;\n\t"
        "subc.cc.u32 %2, %6, %10;\n\t"
        "subc.u32 %3, %7, %11;"
        : "=r"(out[4]), "=r"(out[5]), "=r"(out[6]), "=r"(out[7])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
          "r"(b[2]), "r"(b[3]));
}

/* The product of two numbers of 64 bits, in four words. */
__device__ void multiply(const unsigned *a, const unsigned *b, unsigned *out)
{
    asm("{\n\t"
        "mul.lo.u32 %0, %4, %6;\n\t"
        "mul.hi.u32 %1, %4, %6;\n\t"
        "mad.lo.cc.u32 %1, %4, %7, %1;\n\t"
        "madc.hi.u32 %2, %4, %7, 0;\n\t"
        "mad.lo.cc.u32 %1, %5, %6, %1;\n\t"
        "madc.hi.cc.u32 %2, %5, %6, %2;\n\t"
        "madc.hi.u32 %3, %5, %7, 0;\n\t"
        "mad.lo.cc.u32 %2, %5, %7, %2;\n\t"
        "addc.u32 %3, %3, 0;\n\t"
        "}"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
}
/** 64-bit products by chains of carries. */
__global__ void products(const unsigned *a, const unsigned *b, unsigned *out)
{
    multiply(a, b, out);
}

/* 128 bits as two words of 64. */
__global__ void wide(const uint64_t *a, const uint64_t *b, uint64_t *out)
{
    asm("add.cc.u64 %0, %2, %4; addc.u64 %1, %3, %5;"
        : "=l"(out[0]), "=l"(out[1])
        : "l"(a[0]), "l"(a[1]), "l"(b[0]), "l"(b[1]));
}

static void print(const char *what, const unsigned *x)
{
    printf("%s %08x%08x%08x%08x\n", what, x[3], x[2], x[1], x[0]);
}

int main()
{
    unsigned *x = managed<unsigned>(16);
    const unsigned a[] = { 0xffffffff, 0xffffffff, 0x89abcdef, 0x01234567 };
    const unsigned b[] = { 2, 0, 0x76543210, 0xfedcba98 };
    for (int i = 0; i < 4; i++) {
        x[i] = a[i];
        x[4 + i] = b[i];
    }
    sums<<<1, 1>>>(x, x + 4, x + 8);
    RUN();
    print("sum", x + 8);
    print("difference", x + 12);
    products<<<1, 1>>>(x, x + 2, x + 8);
    RUN();
    print("product", x + 8);
    wide<<<1, 1>>>((uint64_t *)x, (uint64_t *)(x + 4), (uint64_t *)(x + 8));
    RUN();
    print("wide sum", x + 8);
    return 0;
}
