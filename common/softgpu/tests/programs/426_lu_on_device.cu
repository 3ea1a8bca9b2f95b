/* SPDX-License-Identifier: MIT */
/* LU decomposition with pivoting that one thread of a kernel drives: each step
 * waits for the search of its pivot, reads it, and launches the next grids in
 * two streams.  Several matrices are a block each.
 * nvcc refuses this from 12.0 on. */
#include <cmath>

#include "check.h"

enum { N = 24, MATRICES = 3 };

/* The row of the largest element of column k, by a tree in shared memory. */
__global__ void find_pivot(const float *a, int k, int *row)
{
    __shared__ int s_row[32];
    const int i = threadIdx.x;
    s_row[i] = k + i < N ? k + i : k;
    for (int half = 16; half > 0; half /= 2) {
        __syncthreads();
        if (i < half && fabsf(a[s_row[i + half] * N + k])
                            > fabsf(a[s_row[i] * N + k]))
            s_row[i] = s_row[i + half];
    }
    if (i == 0)
        *row = s_row[0];
}

/* Exchange rows j and k. */
__global__ void swap_rows(float *a, int j, int k)
{
    const float x = a[j * N + threadIdx.x];
    a[j * N + threadIdx.x] = a[k * N + threadIdx.x];
    a[k * N + threadIdx.x] = x;
}

/* Column k of L: a thread per row below. */
__global__ void scale(float *a, int k)
{
    const int i = k + 1 + threadIdx.x;
    a[i * N + k] /= a[k * N + k];
}

/* The rest minus L's column times U's row: a block per row. */
__global__ void update(float *a, int k)
{
    const int i = k + 1 + blockIdx.x, j = k + 1 + threadIdx.x;
    a[i * N + j] -= a[i * N + k] * a[k * N + j];
}

/* rows[k] is the row that step k exchanged with row k. */
__global__ void decompose(float *all, int *rows)
{
    float *a = all + blockIdx.x * N * N;
    rows += blockIdx.x * N;
    for (int k = 0; k < N - 1; k++) {
        find_pivot<<<1, 32>>>(a, k, &rows[k]);
        if (cudaDeviceSynchronize() != cudaSuccess)
            return;
        if (rows[k] != k)
            swap_rows<<<1, N>>>(a, rows[k], k);
        scale<<<1, N - 1 - k>>>(a, k);
        update<<<N - 1 - k, N - 1 - k>>>(a, k);
    }
}

/* The element (i, j) of L * U. */
static double product(const float *a, int i, int j)
{
    double sum = 0;
    for (int k = 0; k <= i && k <= j; k++)
        sum += (k == i ? 1.0 : a[i * N + k]) * a[k * N + j];
    return sum;
}

int main()
{
    const int n = MATRICES * N * N;
    float *a = managed<float>(n), before[n];
    int *rows = managed<int>(MATRICES * N), swaps = 0, wrong = 0;
    for (int i = 0; i < n; i++)
        before[i] = a[i] = (float)(i * 7919 % 1009) / 1009 - 0.5f;
    decompose<<<MATRICES, 1>>>(a, rows);
    RUN();
    for (int m = 0; m < MATRICES; m++) {
        float *b = before + m * N * N;
        for (int k = 0; k < N - 1; k++) {
            const int r = rows[m * N + k];
            swaps += r != k;
            for (int j = 0; j < N && r != k; j++)
                std::swap(b[r * N + j], b[k * N + j]);
        }
        for (int i = 0; i < N * N; i++)
            wrong += !(std::fabs(product(a + m * N * N, i / N, i % N) - b[i])
                       < 1e-4);
    }
    printf("%d wrong, rows were %sexchanged\n", wrong, swaps ? "" : "not ");
    return 0;
}
