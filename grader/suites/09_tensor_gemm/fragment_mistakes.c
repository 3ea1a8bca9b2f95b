/* SPDX-License-Identifier: MIT */
/* Results and operands of mma.sync m16n8k16 in another order. */
#include "fragment_mistakes.h"

#include <stdlib.h>

enum { REGISTERS = 4, ORDERS = 24 };

/* The permutation number `index` of 0, 1, 2, 3; number 0 is the identity. */
static void order_of(int index, int order[REGISTERS])
{
    int left[REGISTERS] = {0, 1, 2, 3};

    for (int count = REGISTERS, of_rest = 6; count > 0; count--) {
        const int pick = index / of_rest;

        index %= of_rest;
        order[REGISTERS - count] = left[pick];
        for (int i = pick; i + 1 < count; i++)
            left[i] = left[i + 1];
        of_rest = count > 2 ? of_rest / (count - 1) : 1;
    }
}

/* A lane's result q is that of row q / 2 * 8 + g, column 2 t + q % 2: each is
 * stored where another one belongs. */
static void try_result_order(struct hypotheses *h, const struct gemm *g,
                             const double *sums, const int order[REGISTERS])
{
    const size_t m = (size_t)g->m, n = (size_t)g->n;
    double *values = hypothesis_values(h);

    for (size_t e = 0; e < hypothesis_count(h); e++) {
        const size_t row = e / n, column = e % n;
        const int from = order[row % 16 / 8 * 2 + column % 2];
        const size_t i = row / 16 * 16 + row % 8 + (size_t)from / 2 * 8;
        const size_t j = column / 2 * 2 + (size_t)from % 2;

        values[e] = gemm_with_sum(g, values[e], sums[e],
                                  i < m && j < n ? sums[i * n + j] : 0);
    }
    hypothesis_try(h, "Lane 4 g + t of mma.sync m16n8 has the results of row "
                   "g, columns 2 t and 2 t + 1, then those of row g + 8.",
                   "another result of its lane: where 0, 1, 2, 3 belong, "
                   "%d, %d, %d, %d are stored", order[0], order[1], order[2],
                   order[3]);
}

/* Term p of A's row i, when the registers of a lane's operand are in another
 * order: register q has rows q % 2 * 8 + g, columns q / 2 * 8 + 2 t. */
static double other_a(const struct gemm *g, size_t i, size_t p,
                      const int order[REGISTERS])
{
    const size_t from = (size_t)order[i % 16 / 8 + p % 16 / 8 * 2];
    const size_t row = i / 16 * 16 + i % 8 + from % 2 * 8;
    const size_t column = p / 16 * 16 + p % 8 + from / 2 * 8;

    return row < (size_t)g->m && column < (size_t)g->k
               ? g->a[row * (size_t)g->k + column] : 0;
}

static double b_at(const struct gemm *g, size_t p, size_t j)
{
    return p < (size_t)g->k ? g->b[p * (size_t)g->n + j] : 0;
}

/* The sum with another order of A's four registers; with none, of B's two. */
static double other_sum(const struct gemm *g, size_t e, const int *order)
{
    const size_t i = e / (size_t)g->n, j = e % (size_t)g->n;
    const size_t rounded = ((size_t)g->k + 15) / 16 * 16;
    double sum = 0;

    for (size_t p = 0; p < rounded; p++)
        sum += order ? other_a(g, i, p, order) * b_at(g, p, j)
               : p < (size_t)g->k
                   ? g->a[i * (size_t)g->k + p] * b_at(g, p ^ 8, j) : 0;
    return sum;
}

static void try_operand_order(struct hypotheses *h, const struct gemm *g,
                              const double *sums, const int *order)
{
    double *values = hypothesis_values(h);

    for (size_t e = 0; e < hypothesis_count(h); e++)
        values[e] = gemm_with_sum(g, values[e], sums[e],
                                  other_sum(g, e, order));
    if (order)
        hypothesis_try(h, "Lane 4 g + t of mma.sync m16n8k16 has A's row g, "
                       "columns 2 t and 2 t + 1, then row g + 8; then both "
                       "again with 8 added to the columns.",
                       "the product with A's registers in the order %d, %d, "
                       "%d, %d", order[0], order[1], order[2], order[3]);
    else
        hypothesis_try(h, "Lane 4 g + t of mma.sync m16n8k16 has rows 2 t and "
                       "2 t + 1 of B's column g, then both with 8 added.",
                       "the product with B's two registers exchanged");
}

void fragment_mistakes(struct hypotheses *h, const struct gemm *g)
{
    static const double most_products = 1 << 18; /* of each order */
    double *sums;
    int order[REGISTERS];

    if (g->k == 0 || (double)hypothesis_count(h) * g->k > most_products)
        return;
    sums = gemm_sums(h, g);
    for (int index = 1; sums && index < ORDERS; index++) {
        order_of(index, order);
        try_result_order(h, g, sums, order);
    }
    /* exchanged rows of A are exchanged rows of C */
    for (int index = 1; sums && !h->fits && index < ORDERS; index++) {
        order_of(index, order);
        try_operand_order(h, g, sums, order);
    }
    if (sums && !h->fits)
        try_operand_order(h, g, sums, NULL);
    free(sums);
}
