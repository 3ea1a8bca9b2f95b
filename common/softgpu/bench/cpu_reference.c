/* SPDX-License-Identifier: MIT */
/* The kernels in plain C, with OpenMP over the outer loop. */
#include <string.h>

#include "bench.h"

void plain_vector_add(const struct bench_data *w)
{
    const float *a = w->a, *b = w->b;
    float *c = w->out;
#pragma omp parallel for
    for (int i = 0; i < VECTOR_N; i++)
        c[i] = a[i] + b[i];
}

static void gemm(const struct bench_data *w, int n)
{
    const float *a = w->a, *b = w->b;
    float *c = w->out;
#pragma omp parallel for
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[row * n + k] * b[k * n + column];
            c[row * n + column] = sum;
        }
}

void plain_gemm_naive(const struct bench_data *w)
{
    gemm(w, GEMM_N);
}

void plain_gemm_tiled(const struct bench_data *w)
{
    gemm(w, GEMM_N);
}

void plain_gemm_blocked(const struct bench_data *w)
{
    gemm(w, BLOCKED_N);
}

void plain_reduce_tree(const struct bench_data *w)
{
    const float *a = w->a;
    float *out = w->out;
#pragma omp parallel for
    for (int block = 0; block < VECTOR_N / BLOCK; block++) {
        float sum = 0;
        for (int i = 0; i < BLOCK; i++)
            sum += a[block * BLOCK + i];
        out[block] = sum;
    }
}

void plain_reduce_shuffle(const struct bench_data *w)
{
    plain_reduce_tree(w);
}

/* One pixel; outside the image is 0. */
static float pixel(const float *in, const float *filter, int row, int column)
{
    float sum = 0;
    for (int i = 0; i < TAPS; i++)
        for (int j = 0; j < TAPS; j++) {
            const int y = row + i - TAPS / 2, x = column + j - TAPS / 2;
            if (y >= 0 && y < IMAGE_N && x >= 0 && x < IMAGE_N)
                sum += filter[i * TAPS + j] * in[y * IMAGE_N + x];
        }
    return sum;
}

void plain_convolution(const struct bench_data *w)
{
    const float *in = w->a, *filter = w->b;
    float *out = w->out;
#pragma omp parallel for
    for (int row = 0; row < IMAGE_N; row++)
        for (int column = 0; column < IMAGE_N; column++)
            out[row * IMAGE_N + column] = pixel(in, filter, row, column);
}

void plain_histogram(const struct bench_data *w)
{
    unsigned counts[BINS] = {0};
    const unsigned char *bytes = w->bytes;
#pragma omp parallel for reduction(+ : counts)
    for (int i = 0; i < VECTOR_N; i++)
        counts[bytes[i]]++;
    for (int i = 0; i < BINS; i++)
        w->out[i] = (float)counts[i];
}

void plain_barrier(const struct bench_data *w)
{
    for (int i = 0; i < BARRIER_BLOCKS * BLOCK; i++)
        w->out[i] = BARRIERS;
}
