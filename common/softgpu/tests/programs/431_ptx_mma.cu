/* SPDX-License-Identifier: MIT */
/* Inline PTX: mma.sync of each shape and type, and ldmatrix.  A kernel spreads
 * row-major matrices over the lanes as the PTX ISA says, one formula for each
 * operand, and the host multiplies the same matrices. */
#include "check.h"

#include <cstring>

/** Registers of one lane: elements that are in them, in order. */
struct fragment {
    unsigned a[4], b[2], c[4];
};

/* Bits of small integers as f16, bf16, tf32, s8. */
__device__ unsigned as_f16(int x)
{
    unsigned r, sign = x < 0 ? 0x8000u : 0, n = x < 0 ? -x : x, e = 0;
    while (n >> (e + 1))
        e++;
    r = n ? (e + 15) << 10 | (n << 10 >> e & 0x3ff) : 0;
    return sign | r;
}
/* The value of the low 16 bits, which PTX takes out of the register. */
__device__ float from_f16(unsigned bits)
{
    unsigned short low, high;
    unsigned again;
    asm("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(bits));
    asm("mov.b32 %0, {%1, %2};" : "=r"(again) : "h"(low), "h"(high));
    if (again != bits)
        return -1;
    /* exponent and fraction; without an exponent the fraction alone */
    const int e = low >> 10 & 31, m = low & 0x3ff;
    const float size = e ? ldexpf((float)(m | 0x400), e - 25)
                         : ldexpf((float)m, -24);
    return low & 0x8000 ? -size : size;
}
__device__ unsigned as_bits(float x)
{
    return __float_as_uint(x);
}
/* bf16 is the upper half of a float. */
__device__ unsigned as_bf16(int x) { return as_bits((float)x) >> 16; }

/** Element (i, j) of a and b: small integers, of which all sums are exact. */
__host__ __device__ int left(int i, int j) { return (i * 7 + j * 3) % 11 - 5; }
__host__ __device__ int right(int i, int j) { return (i * 5 + j) % 13 - 6; }

/** Register r of a's fragment by the tables of the PTX ISA.  Odd registers are
 *  eight rows below; from register 2 on, the second half of the columns.  A
 *  register has neighbors along k: two of 16 bits, four of 8 bits. */
__device__ unsigned pack_a(int kind, int r)
{
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    const int row = g + 8 * (r & 1);
    if (kind == 0 || kind == 1) { /* f16, bf16 */
        const int column = 2 * t + 8 * (r >> 1);
        const unsigned lo = kind ? as_bf16(left(row, column))
                                 : as_f16(left(row, column));
        const unsigned hi = kind ? as_bf16(left(row, column + 1))
                                 : as_f16(left(row, column + 1));
        return lo | hi << 16;
    }
    /* one float a register */
    if (kind == 2) /* tf32: low bits that the product ignores */
        return as_bits((float)left(row, t + 4 * (r >> 1))) | 0x1234u % 0x2000u;
    unsigned word = 0; /* s8 */
    for (int e = 0; e < 4; e++)
        word |= (left(row, 4 * t + e + 16 * (r >> 1)) & 0xffu) << 8 * e;
    return word;
}
/** Register r of b's fragment: a column, rows along k; register 1 has the
 *  second half of the rows. */
__device__ unsigned pack_b(int kind, int r)
{
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    if (kind == 0 || kind == 1) {
        const int row = 2 * t + 8 * r;
        const unsigned lo = kind ? as_bf16(right(row, g))
                                 : as_f16(right(row, g));
        const unsigned hi = kind ? as_bf16(right(row + 1, g))
                                 : as_f16(right(row + 1, g));
        return lo | hi << 16;
    }
    /* tf32, then s8 */
    if (kind == 2)
        return as_bits((float)right(t + 4 * r, g));
    unsigned word = 0;
    for (int e = 0; e < 4; e++)
        word |= (right(4 * t + e + 16 * r, g) & 0xffu) << 8 * e;
    return word;
}

/* d = a b + c with four registers of a: the type of the sums is a
 * constraint. */
#define MMA4(shape, types, d, a, b, c, reg)                                    \
    asm volatile("mma.sync.aligned." shape ".row.col." types                   \
                 " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"  \
                 : "=" reg(d[0]), "=" reg(d[1]), "=" reg(d[2]), "=" reg(d[3])  \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),      \
                   "r"(b[1]), reg(c[0]), reg(c[1]), reg(c[2]), reg(c[3]))
/* d += a b with two registers of a. */
#define MMA2(shape, types, d, a, b)                                            \
    asm volatile("mma.sync.aligned." shape ".row.col." types                   \
                 " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"               \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])              \
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]))

/** One warp: out (16 x 8) = left right + 100 i + j, so a sum that is added to
 *  the wrong element shows.  `which` is the line of the table in main(). */
__global__ void products(int which, float *out)
{
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    /* types of a and b for each product: f16, bf16, tf32, s8 */
    const int kinds[] = { 0, 0, 1, 1, 2, 2, 3, 3, 0 };
    fragment f;
    float d[4];
    int n[4];
    /* registers 0 and 1 of c are row g, 2 and 3 row g + 8 */
    for (int r = 0; r < 4; r++) {
        f.a[r] = pack_a(kinds[which], r);
        f.b[r % 2] = pack_b(kinds[which], r % 2);
        n[r] = 100 * (g + 8 * (r >> 1)) + 2 * t + (r & 1);
        d[r] = (float)n[r];
    }
    if (which == 0)
        MMA2("m16n8k8", "f32.f16.f16.f32", d, f.a, f.b);
    else if (which == 1)
        MMA4("m16n8k16", "f32.f16.f16.f32", d, f.a, f.b, d, "f");
    else if (which == 2)
        MMA2("m16n8k8", "f32.bf16.bf16.f32", d, f.a, f.b);
    else if (which == 3)
        MMA4("m16n8k16", "f32.bf16.bf16.f32", d, f.a, f.b, d, "f");
    else if (which == 4)
        MMA2("m16n8k4", "f32.tf32.tf32.f32", d, f.a, f.b);
    else if (which == 5)
        MMA4("m16n8k8", "f32.tf32.tf32.f32", d, f.a, f.b, d, "f");
    else if (which == 6)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32"
                     " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                     : "+r"(n[0]), "+r"(n[1]), "+r"(n[2]), "+r"(n[3])
                     : "r"(f.a[0]), "r"(f.a[1]), "r"(f.b[0]));
    else if (which == 7)
        MMA4("m16n8k32", "s32.s8.s8.s32", n, f.a, f.b, n, "r");
    else { /* sums of f16, two to a register */
        unsigned h[2] = { as_f16(n[0]) | as_f16(n[1]) << 16,
                          as_f16(n[2]) | as_f16(n[3]) << 16 };
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
                     "{%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                     : "+r"(h[0]), "+r"(h[1])
                     : "r"(f.a[0]), "r"(f.a[1]), "r"(f.a[2]), "r"(f.a[3]),
                       "r"(f.b[0]), "r"(f.b[1]));
        for (int i = 0; i < 4; i++)
            d[i] = from_f16(h[i / 2] >> 16 * (i % 2));
    }
    /* each lane stores its four sums */
    for (int r = 0; r < 4; r++)
        out[(g + 8 * (r >> 1)) * 8 + 2 * t + (r & 1)] =
            which == 6 || which == 7 ? (float)n[r] : d[r];
}

/** One warp: each lane's registers of 8 x 8 matrices of 16-bit numbers, in
 *  which element j of row i of all 32 rows is 8 i + j.  Each lane passes the
 *  address of its row; with fewer than four matrices the later addresses are
 *  ignored. */
__global__ void matrices(unsigned *out)
{
    __shared__ __align__(16) unsigned short s[32][8];
    for (int j = 0; j < 8; j++)
        s[threadIdx.x][j] = (unsigned short)(threadIdx.x * 8 + j);
    __syncwarp();
    const unsigned at = (unsigned)__cvta_generic_to_shared(s[threadIdx.x]);
    unsigned r[8];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%0,%1}, "
                 "[%2];" : "=r"(r[4]), "=r"(r[5]) : "r"(at));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(r[6]) : "r"(at));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1+0];"
                 : "=r"(r[7]) : "r"(at));
    for (int i = 0; i < 8; i++)
        out[8 * threadIdx.x + i] = r[i];
}

/** One warp, f64: an 8 x 4 by a 4 x 8 matrix. */
__global__ void doubles(double *out)
{
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    double d[2] = { 0.5, 0.25 };
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
                 "{%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"((double)left(g, t)), "d"((double)right(t, g)));
    out[8 * g + 2 * t] = d[0];
    out[8 * g + 2 * t + 1] = d[1];
}

int main()
{
    /* k of each product */
    static const int depth[] = { 8, 16, 8, 16, 4, 8, 16, 32, 16 };
    float *out = managed<float>(128);
    for (int which = 0; which < 9; which++) {
        int wrong = 0;
        products<<<1, 32>>>(which, out);
        RUN();
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 8; j++) {
                int sum = 100 * i + j;
                for (int k = 0; k < depth[which]; k++)
                    sum += left(i, k) * right(k, j);
                wrong += out[8 * i + j] != (float)sum;
            }
        printf("product %d: %d wrong\n", which, wrong);
    }
    /* three lanes: two rows of each matrix, then the same transposed */
    unsigned *r = managed<unsigned>(256);
    matrices<<<1, 32>>>(r);
    RUN();
    for (int lane = 5; lane < 32; lane += 13)
        for (int i = 0; i < 8; i++)
            printf("%u,%u%s", r[8 * lane + i] & 0xffff, r[8 * lane + i] >> 16,
                   i < 7 ? " " : "\n");
    /* sums of doubles */
    double *d = managed<double>(64);
    int wrong = 0;
    doubles<<<1, 32>>>(d);
    RUN();
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            double sum = j % 2 ? 0.25 : 0.5;
            for (int k = 0; k < 4; k++)
                sum += left(i, k) * right(k, j);
            wrong += d[8 * i + j] != sum;
        }
    printf("f64: %d wrong\n", wrong);
    return 0;
}
