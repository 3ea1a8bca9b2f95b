/* SPDX-License-Identifier: MIT */
/* The terms of a matrix product's sums. */
#include "gemm_response.h"

static size_t product_terms(const void *context, size_t out,
                            struct response_term *term)
{
    const struct gemm *g = context;
    const size_t n = (size_t)g->n, k = (size_t)g->k;

    for (size_t p = 0; p < k; p++)
        term[p] = (struct response_term){.in = out / n * k + p,
                                         .by = p * n + out % n, .at = {p}};
    return k;
}

/* beta * C is no part of it: C is 0 in the calls, so it is known to be right
 * or the failed call is not explained. */
struct response gemm_response(const struct gemm *g)
{
    const size_t m = (size_t)g->m, n = (size_t)g->n, k = (size_t)g->k;
    const unsigned most = g->encode ? g->most_exact : 0;

    return (struct response){
        .in = {"A", g->a, g->argument_a ? g->argument_a : g->a, {m, k},
               g->encode, sizeof(uint16_t), most},
        .by = {"B", g->b, g->argument_b ? g->argument_b : g->b, {k, n},
               g->encode, sizeof(uint16_t), most},
        .factor = g->alpha, .index = {"k"}, .length = {k},
        .terms = product_terms, .context = g};
}
