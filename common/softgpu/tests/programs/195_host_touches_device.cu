/* SPDX-License-Identifier: MIT */
// exit: 139
// plain: the sanitizer has its own exit status
/* The host may not access device memory: the program crashes, as with a GPU. */
#include "check.h"

int main()
{
    int *d;
    OK(cudaMalloc(&d, 16));
    printf("before\n");
    fflush(stdout);
    *(volatile int *)d = 1;
    printf("not reached\n");
    return 0;
}
