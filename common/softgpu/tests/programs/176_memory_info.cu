/* SPDX-License-Identifier: MIT */
/* Free memory shrinks and grows with what is allocated. */
#include "check.h"

int main()
{
    size_t before, during, after, all;
    char *d;
    OK(cudaFree(nullptr));
    OK(cudaMemGetInfo(&before, &all));
    OK(cudaMalloc(&d, 64 << 20));
    OK(cudaMemGetInfo(&during, &all));
    OK(cudaFree(d));
    OK(cudaMemGetInfo(&after, &all));
    EXPECT(before <= all && during + (64 << 20) <= before);
    EXPECT(after >= during + (64 << 20));
    printf("ok\n");
    return 0;
}
