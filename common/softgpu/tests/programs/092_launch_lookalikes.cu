/* SPDX-License-Identifier: MIT */
/* Launch-like text in strings, characters and comments is left alone. */
#include "check.h"

#define TEXT(...) #__VA_ARGS__

__global__ void k(int *a) { *a += 1; } // k<<<1, 1>>>(a);

int main()
{
    int *a = managed<int>(1);
    const char *s = "k<<<1, 1>>>(a); __global__ __shared__ \"<<<";
    /* k<<<1, 1>>>(a); */
    k<<<1, 1>>>(a); // k<<<2, 2>>>(a)
    RUN();
    puts(s);
    puts(R"(raw "k<<<1, 1>>>" __device__)");
    puts(TEXT(k<<<1, 1>>>(a)));
    int shifted = 256 >> 2 >> 1, c = '<' + '>';
    bool less = 1 < 2 << 3;
    printf("%d %d %d %d\n", *a, shifted, c, less);
    return 0;
}
