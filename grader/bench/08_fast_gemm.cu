/* SPDX-License-Identifier: MIT */
/* Lab 08 on a card, compared with cublasSgemm. */
#include "fast_gemm.h"
#include "gemm.h"

static const struct bench_case cases[] = {
    {"4096^3", 4096, 4096, 4096}, {"8192^3", 8192, 8192, 8192},
    {"4095 x 4097 x 4093", 4095, 4097, 4093}, {}};

static int step(const struct bench_case *c, const struct bench_arrays *a)
{
    return fast_gemm((const float *)a->in[0], (const float *)a->in[1],
                     (float *)a->out, (int)c->m, (int)c->n, (int)c->k, 1, 0);
}

const struct bench_lab bench_lab = GEMM_LAB(cases, step);
