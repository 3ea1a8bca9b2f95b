/* SPDX-License-Identifier: MIT */
/* A row of floats that is rounded to half and back keeps the rounded values,
 * also where the compiler vectorizes over the row. */
#include "check.h"

#include <cuda_fp16.h>

struct row {
    float x[8];
};

/* A thread rounds one row. */
__global__ void round_rows(const row *in, row *out)
{
    row r = in[threadIdx.x];
    for (int i = 0; i < 8; i++)
        r.x[i] = __half2float(__float2half(r.x[i]));
    out[threadIdx.x] = r;
}

int main()
{
    row *rows;
    OK(cudaMallocManaged(&rows, 64 * sizeof *rows));
    float *in = rows->x, *out = rows[32].x;
    for (int i = 0; i < 256; i++)
        in[i] = 1 + i * 1e-4f;
    round_rows<<<1, 32>>>(rows, rows + 32);
    OK(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < 256; i++) {
        const float steps = (in[i] - 1) * 1024; /* of half, in [1, 2) */
        wrong += out[i] != 1 + roundf(steps) / 1024;
    }
    printf("%d wrong\n", wrong);
    OK(cudaFree(rows));
}
