/* SPDX-License-Identifier: MIT */
/* Has ten thousand kernels. */
#include "hostile.h"

#define KERNEL(name) __global__ void name(int *x) { *x = __COUNTER__; }
#define K10(p) KERNEL(p##0) KERNEL(p##1) KERNEL(p##2) KERNEL(p##3) \
    KERNEL(p##4) KERNEL(p##5) KERNEL(p##6) KERNEL(p##7) KERNEL(p##8) \
    KERNEL(p##9)
#define K100(p) K10(p##0) K10(p##1) K10(p##2) K10(p##3) K10(p##4) K10(p##5) \
    K10(p##6) K10(p##7) K10(p##8) K10(p##9)
#define K1000(p) K100(p##0) K100(p##1) K100(p##2) K100(p##3) K100(p##4) \
    K100(p##5) K100(p##6) K100(p##7) K100(p##8) K100(p##9)

K1000(a) K1000(b) K1000(c) K1000(d) K1000(e)
K1000(f) K1000(g) K1000(h) K1000(i) K1000(j)

RIGHT_IF(false)
