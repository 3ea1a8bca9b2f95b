/* SPDX-License-Identifier: MIT */
/* malloc, free, new and delete in a kernel; a second kernel reads the data. */
#include "check.h"

struct item {
    int value;
    __device__ explicit item(int v) : value(v) {}
};

/* Allocates an object and a row for each thread, and scratch memory. */
__global__ void make(item **items, int **rows)
{
    int i = threadIdx.x;
    items[i] = new item(100 + i);
    rows[i] = (int *)malloc(8 * sizeof(int));
    for (int k = 0; k < 8; k++)
        rows[i][k] = i * k;
    char *scratch = new char[64];
    memset(scratch, i, 64);
    items[i]->value += scratch[63];
    delete[] scratch;
}

/* Reads the object and the row, and frees both. */
__global__ void use(item **items, int **rows, int *out)
{
    int i = threadIdx.x;
    out[i] = items[i]->value * 1000 + rows[i][7];
    delete items[i];
    free(rows[i]);
}

int main()
{
    item **items = managed<item *>(32);
    int **rows = managed<int *>(32), *out = managed<int>(32);
    make<<<1, 32>>>(items, rows);
    use<<<1, 32>>>(items, rows, out);
    RUN();
    for (int i = 0; i < 32; i++)
        EXPECT(out[i] == (100 + 2 * i) * 1000 + 7 * i);
    printf("%d %d\n", out[0], out[31]);
    return 0;
}
