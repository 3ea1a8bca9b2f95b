/* SPDX-License-Identifier: MIT */
/* Sizes, alignments and uses of the built-in types.  nvcc compiles this file
 * too (nvcc -x cu -c), so what it asserts is what CUDA has.                 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector_functions.h>

#include <stddef.h>

#include "check.h"

#define HAS(T, size, align) \
    static_assert(sizeof(T) == (size) && alignof(T) == (align), #T)
#define SMALL(name, n)                                                    \
    HAS(name##1, n, n); HAS(name##2, 2 * n, 2 * n); HAS(name##3, 3 * n, n); \
    HAS(name##4, 4 * n, 4 * n);                                           \
    static_assert(offsetof(name##4, w) == 3 * n, #name)
#define LARGE(name)                                                       \
    HAS(name##1, 8, 8); HAS(name##2, 16, 16); HAS(name##3, 24, 8);        \
    HAS(name##4, 32, 16); HAS(name##4_16a, 32, 16); HAS(name##4_32a, 32, 32)
SMALL(char, 1);
SMALL(uchar, 1);
SMALL(short, 2);
SMALL(ushort, 2);
SMALL(int, 4);
SMALL(uint, 4);
SMALL(float, 4);
LARGE(long);
LARGE(ulong);
LARGE(longlong);
LARGE(ulonglong);
LARGE(double);
HAS(dim3, 12, 4);
HAS(__half, 2, 2);
HAS(__half2, 4, 4);
HAS(__nv_bfloat16, 2, 2);
HAS(__nv_bfloat162, 4, 4);

struct mixed { char c; float4 v; short s; double2 d; };
HAS(mixed, 64, 16);

union view { float4 v; float f[4]; };
static const float4 table[] = {{1, 2, 3, 4}, {5}};

/** How programs make, copy, view and take apart these types. */
static int uses(void)
{
    float4 a = make_float4(1, 2, 3, 4), b = {0}, c = {}, d = table[1];
    view u;
    u.v = a;
    b = a;
    float raw[8] __attribute__((aligned(16))) = {};
    reinterpret_cast<float4 *>(raw)[1] = b;
    auto [x, y, z, w] = a;
    dim3 one, two(2, 3), from(make_uint3(4, 5, 6)), number = 7;
    struct mixed m = {'m', a, 1, make_double2(1, 2)}, n = m;
    half2 h = __floats2half2_rn(1.5f, 2.5f), i = h;
    half scalar = 0.5f, sum = scalar + __low2half(i);
    return u.f[2] == 3 && c.x == 0 && d.x == 5 && d.y == 0 && raw[7] == 4
           && x + y + z + w == 10 && one.x * one.y * one.z == 1 && two.z == 1
           && from.z == 6 && number.y == 1 && n.v.w == 4 && n.d.y == 2
           && __half2float(sum) == 2.0f && sizeof raw == 32;
}

int main(void)
{
    CHECK(uses(), "a value came out wrong");
    return print_counts();
}
