/* SPDX-License-Identifier: MIT */
/* Lab 07 on a card, compared with cublasSgemm. */
#include "gemm.h"
#include "tiled_gemm.h"

static const struct bench_case cases[] = {{"4096^3", 4096, 4096, 4096}, {}};

static int step(const struct bench_case *c, const struct bench_arrays *a)
{
    return tiled_gemm((const float *)a->in[0], (const float *)a->in[1],
                      (float *)a->out, (int)c->m, (int)c->n, (int)c->k);
}

const struct bench_lab bench_lab = GEMM_LAB(cases, step);
