/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 10 with the factors of a separable filter. */
#include "filter_mistake.h"

/* Factors in the wrong order, or one of the two passes alone. */
static void try_factors(struct hypotheses *h, const struct convolution_case *c)
{
    static const char order[] = "The factors of the rows come first, then "
                                "those of the columns.";
    static const char passes[] = "Each pass reads what the other one wrote.";
    enum { MAX = CONVOLUTION_MAX_FILTER_SIDE };
    const int rows = c->shape.rows, columns = c->shape.columns;
    float weights[5][MAX * MAX] = {{0}};
    const struct convolution_mistake list[] = {
        {"the sum with the factors of rows and columns exchanged", order,
         .filter = weights[0]},
        {"the sum over a column only, with the factors of the rows", passes,
         .filter = weights[1]},
        {"the sum over a row only, with the factors of the columns", passes,
         .filter = weights[2]},
        {"the sum with the factors of the rows in both passes", order,
         .filter = weights[3]},
        {"the sum with b[u] at factors[columns + u], not at factors[rows + u]",
         "The factors b[u] of the columns begin behind the `rows` factors "
         "a[v].", .filter = weights[4]}};

    for (int i = 0; i < rows * columns; i++) {
        const int u = i % columns, v = i / columns;

        weights[0][i] = c->factors[u] * c->factors[columns + v];
        weights[1][i] = u == columns / 2 ? c->factors[v] : 0;
        weights[2][i] = v == rows / 2 ? c->factors[rows + u] : 0;
        weights[3][i] = c->factors[v] * c->factors[u];
        weights[4][i] = /* what lies behind the factors is 0 */
            u < rows ? c->factors[v] * c->factors[columns + u] : 0;
    }
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        convolution_try(h, c, &list[k]);
}

/* The pass over rows with as many terms as the filter has rows, and the other
 * one with as many as it has columns; what lies behind the factors is 0. */
static void try_pass_lengths(struct hypotheses *h,
                             const struct convolution_case *c)
{
    enum { MAX = CONVOLUTION_MAX_FILTER_SIDE };
    const int rows = c->shape.rows, columns = c->shape.columns;
    float weights[MAX * MAX] = {0};
    struct convolution_case swapped = *c;
    const struct convolution_mistake mistake = {
        "the sum of a pass over rows with `rows` terms and of one over columns "
        "with `columns` terms", "A window is `columns` wide: the pass over a "
        "row has as many terms.", .filter = weights};

    swapped.shape.rows = columns;
    swapped.shape.columns = rows;
    for (int i = 0; rows != columns && i < rows * columns; i++) {
        const int u = i % rows, v = i / rows;

        if (u < columns && v < rows)
            weights[i] = c->factors[v] * c->factors[rows + u];
    }
    if (rows != columns)
        convolution_try(h, &swapped, &mistake);
}

/* A filter that is the product of these factors: columns' behind rows'. */
static void try_product(struct hypotheses *h, const struct convolution_case *c,
                        const float *factors, const char *text)
{
    enum { MAX = CONVOLUTION_MAX_FILTER_SIDE };
    const int rows = c->shape.rows, columns = c->shape.columns;
    float weights[MAX * MAX] = {0};
    const struct convolution_mistake mistake = {
        text, "Does each call copy its own factors, and its own filter?",
        .filter = weights};

    for (int i = 0; i < rows * columns; i++)
        weights[i] = factors[i / columns] * factors[rows + i % columns];
    convolution_try(h, c, &mistake);
}

void convolution_earlier_factors(struct hypotheses *h,
                                 const struct convolution_case *c)
{
    if (c->first_factors)
        try_product(h, c, c->first_factors,
                    "the sum with the factors, or the weights, of the first "
                    "call");
    if (c->factors_before && c->factors_before != c->first_factors)
        try_product(h, c, c->factors_before,
                    "the sum with the factors, or the weights, of the call "
                    "before");
}

void convolution_factor_mistakes(struct hypotheses *h,
                                 const struct convolution_case *c)
{
    try_factors(h, c);
    try_pass_lengths(h, c);
}
