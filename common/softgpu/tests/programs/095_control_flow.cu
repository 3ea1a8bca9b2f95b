/* SPDX-License-Identifier: MIT */
/* goto, switch with fall-through, do-while and nested breaks in a kernel. */
#include "check.h"

/* Counts which of its branches were taken. */
__global__ void flow(int *out)
{
    int i = threadIdx.x, x = 0, rounds = 0;
again:
    switch (i % 4) {
    case 0:
        x += 1;
    case 1:
        x += 10;
        break;
    case 2:
        x += 100;
        if (x > 150)
            goto done;
        break;
    default:
        x += 1000;
    }
    if (++rounds < 3)
        goto again;
done:
    for (int a = 0; a < 5; a++) {
        for (int b = 0;; b++) {
            if (b == a)
                continue;
            if (b > 2)
                break;
            x++;
        }
    }
    do
        x--;
    while (x % 7);
    out[i] = x;
}

int main()
{
    int *out = managed<int>(8);
    flow<<<1, 8>>>(out);
    RUN();
    for (int i = 0; i < 8; i++)
        printf("%d ", out[i]);
    printf("\n");
    return 0;
}
