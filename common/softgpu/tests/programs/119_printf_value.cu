/* SPDX-License-Identifier: MIT */
/* printf() in a kernel returns how many arguments it was given. */
#include "check.h"

__host__ __device__ int tell(int a) { return printf("<%d>\n", a); }

/* Uses printf's value in a store, a variable and a condition. */
__global__ void count(int *out)
{
    out[0] = printf("none\n");
    int two = printf("%d %s\n", 12345, "words");
    out[1] = two;
    if (printf("%c%c%c\n", 'a', 'b', 'c') == 3)
        out[2] = tell(7);
    printf("not asked %d\n", 1);
}

int main()
{
    int *out = managed<int>(3);
    count<<<1, 1>>>(out);
    RUN();
    const int bytes = tell(1234);
    printf("%d %d %d %d\n", out[0], out[1], out[2], bytes);
    return 0;
}
