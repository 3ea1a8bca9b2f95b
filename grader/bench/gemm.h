/* SPDX-License-Identifier: MIT */
/** @file
 *  Shared by the GEMM labs on a card: cublasSgemm as the peer, in float32
 *  without TF32, and the sizes.  C is m x n, the inner size is k, row-major.
 */
#ifndef GRADER_BENCH_GEMM_H
#define GRADER_BENCH_GEMM_H

#include <cublas_v2.h>

#include "bench.h"

static void gemm_size(const struct bench_case *c, struct bench_size *s)
{
    s->in[0] = c->m * c->k * sizeof(float);
    s->in[1] = c->k * c->n * sizeof(float);
    s->out = c->m * c->n * sizeof(float);
    s->units = s->peer[0] =
        2.0 * (double)c->m * (double)c->n * (double)c->k;
}

static void gemm_fill(const struct bench_case *, void *d_in, size_t bytes,
                      uint32_t seed)
{
    bench_floats(d_in, bytes, seed, -1, 1);
}

/* Row-major C = A B is column-major C' = B' A'. */
static int gemm_peer(const struct bench_case *c, const struct bench_arrays *a)
{
    static cublasHandle_t handle;
    const float one = 1, zero = 0;
    const int m = (int)c->m, n = (int)c->n, k = (int)c->k;

    if (!handle && (cublasCreate(&handle)
                    || cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH)))
        return 1;
    return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one,
                       (const float *)a->in[1], n, (const float *)a->in[0], k,
                       &zero, (float *)a->out, n);
}

static double gemm_difference(const struct bench_case *c,
                              const struct bench_arrays *got,
                              const struct bench_arrays *answer)
{
    return bench_max_error(got->out, answer->out, c->m * c->n);
}

/** The lab `step` with these cases, compared with cublasSgemm. */
#define GEMM_LAB(cases, step)                                           \
    {cases, "TFLOP/s", 1e-4, gemm_size, gemm_fill, step,                \
     {{"cublasSgemm, no TF32", gemm_peer}}, gemm_difference}

#endif
