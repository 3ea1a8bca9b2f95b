/* SPDX-License-Identifier: MIT */
/* With NDEBUG an assert has no effect. */
#define NDEBUG
#include "check.h"
#include <cassert>

/* Its assertion would fail. */
__global__ void wrong(int *out)
{
    assert(threadIdx.x == 99);
    *out = 5;
}

int main()
{
    int *out = managed<int>(1);
    wrong<<<1, 1>>>(out);
    RUN();
    printf("%d\n", *out);
    return 0;
}
