/* SPDX-License-Identifier: MIT */
/* Usual mistakes with alpha, beta and the old C of a matrix product. */
#include <math.h>

#include "gemm_mistakes.h"
#include "gemm_terms.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* alpha or beta in an int: without its fraction. */
static void try_whole_factors(struct hypotheses *h, const struct gemm *g,
                              const double *sums)
{
    static const char *const names[] = {"alpha", "beta"};

    for (size_t k = 0; k < COUNT(names); k++) {
        const float factor = k ? g->beta : g->alpha, whole = truncf(factor);
        double *values = hypothesis_values(h);

        if (factor == whole || whole == 0) /* 0: it may be left out */
            continue;
        for (size_t e = 0; e < hypothesis_count(h); e++) {
            const double product = (double)g->alpha * sums[e];
            const double part = k ? values[e] - product : product;

            values[e] += part / (double)factor * (double)(whole - factor);
        }
        hypothesis_try(h, "alpha and beta are floats wherever they are kept or "
                       "passed on: an int loses the fraction.",
                       "that with %g in place of %s = %g: is it kept in an "
                       "integer?", (double)whole, names[k], (double)factor);
    }
}

/* Nothing was launched, so that a factor in a kernel is not to blame. */
static bool is_without_launch(const struct hypotheses *h)
{
    const struct facts *f = h->evidence->facts;

    return f && f->counted && f->launches == 0 && f->graph_launches == 0;
}

/* C is what it was before the call.
 * sums: NULL: there are no terms */
static void try_old_c(struct hypotheses *h, const struct gemm *g,
                      const double *sums)
{
    double *values = hypothesis_values(h);

    for (size_t e = 0; g->beta != 0 && e < hypothesis_count(h); e++)
        values[e] = (values[e] - (sums ? (double)g->alpha * sums[e] : 0))
                    / (double)g->beta;
    hypothesis_try(h, "Does the function return before the launch, as for "
                   "alpha = 0 or k = 0? C must become beta C then, too: only "
                   "without elements of C there is nothing to do.",
                   "the old C: the call launched no kernel, and C stayed as "
                   "it was");
}

/* alpha and beta in other places; the rest of the expected value is beta
 * C. */
static void try_factors(struct hypotheses *h, const struct gemm *g,
                        const double *sums)
{
    static const char hint[] = "alpha multiplies the sum A B, beta the old C: "
                               "once each, in every path that stores.";
    static const char *const texts[] = {
        "A B + beta C: alpha is missing",
        "alpha^2 A B + beta C: alpha is multiplied twice",
        "alpha A B: beta C is not added", "alpha A B + C: beta is missing",
        "alpha (A B + beta C)", "beta (alpha A B + C)", "A B alone",
        "beta C alone: A B is not added",
        "alpha A B + beta^2 C: beta is multiplied twice",
        "beta A B + alpha C: alpha and beta are exchanged"};
    enum { WITHOUT_C = 2, LOST_BETA = 3 }; /* places for alpha alone; which */

    try_whole_factors(h, g, sums);
    for (size_t k = 0; k < (g->beta == 0 ? WITHOUT_C : COUNT(texts)); k++) {
        double *values = hypothesis_values(h);

        for (size_t e = 0; e < hypothesis_count(h); e++) {
            const double product = (double)g->alpha * sums[e];
            const double beta_c = g->beta == 0 ? 0 : values[e] - product;
            const double results[] = {
                sums[e] + beta_c, (double)g->alpha * product + beta_c, product,
                product + beta_c / (double)g->beta,
                product + (double)g->alpha * beta_c,
                (double)g->beta * product + beta_c, sums[e], beta_c,
                product + (double)g->beta * beta_c,
                (double)g->beta * sums[e]
                    + (double)g->alpha * (beta_c / (double)g->beta)};

            values[e] = results[k];
        }
        hypothesis_try(h, hint, "%s", k == LOST_BETA && g->alpha == 0
                       ? "the old C: nothing was stored, or beta is missing"
                       : texts[k]);
    }
}

/* With alpha = 0 no term is left but beta C: calls before this one, whose alpha
 * was another, had it. */
static void try_cleared_c(struct hypotheses *h, const struct gemm *g)
{
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    if (g->alpha != 0 || g->beta == 0)
        return;
    for (size_t e = 0; e < hypothesis_count(h); e++)
        values[e] = hypothesis_zero(h, e);
    h->needed = 4;
    hypothesis_try(h, "With alpha = 0 the result is beta C: a branch for it "
                   "still multiplies C by beta.",
                   "0, not beta C: is C cleared, or beta left out, where alpha "
                   "is 0?");
    h->needed = needed;
}

/* What was in C before is multiplied by a beta of 0: NaN where it was none, or
 * infinite.  These few say it, if no other element is wrong. */
static void try_reading_c(struct hypotheses *h, const struct gemm *g)
{
    const unsigned char *before = h->evidence->poison;
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    if (!before || g->beta != 0)
        return;
    for (size_t e = 0; e < hypothesis_count(h); e++)
        values[e] += 0 * element_value(before, FLOAT32, e);
    h->needed = 2;
    hypothesis_try(h, "Without beta C, or with beta = 0, C is not read: 0 "
                   "times an infinity or a NaN is NaN.",
                   "NaN: what was in C before was multiplied by 0 and added");
    h->needed = needed;
}

/* The sum of pieces of so many terms, each of which multiplies what is in C by
 * beta. */
static void try_beta_in_pieces(struct hypotheses *h, const struct gemm *g,
                               const double *sums, size_t piece)
{
    const double alpha = (double)g->alpha, beta = (double)g->beta;
    double *values = hypothesis_values(h);

    for (size_t e = 0; e < hypothesis_count(h); e++) {
        double c = (values[e] - alpha * sums[e]) / beta;

        for (size_t p = 0; p < (size_t)g->k; p++) {
            c = p % piece ? c : beta * c;
            c += alpha * gemm_product(g, e / g->n, e % g->n, p);
        }
        values[e] = c;
    }
    hypothesis_try(h, "Only the first of several launches, or of several "
                   "loops, multiplies C by beta; later ones add to it.",
                   "what pieces of %zu terms give, each of which multiplies C "
                   "by beta", piece);
}

/* An element of C that is multiplied by beta in place of (i, j). */
struct other_c {
    const char *text;
    size_t row, column; /* factors of i and j in its index */
};

/* Where another thread may have stored its result already, that is used: the
 * element is what it was, or what it is now. */
static void try_other_c(struct hypotheses *h, const struct gemm *g,
                        const double *sums, const struct other_c *other)
{
    const double alpha = (double)g->alpha, beta = (double)g->beta;
    const double *want = h->evidence->expected->want;
    double *values = hypothesis_values(h);

    for (size_t e = 0; e < hypothesis_count(h); e++) {
        const double product = alpha * sums[e];
        const double got = evidence_got(h->evidence, e) - product;
        const size_t at = e / g->n * other->row + e % g->n * other->column;
        double was, is;

        if (at >= hypothesis_count(h)) {
            values[e] = HYPOTHESIS_ANY;
            continue;
        }
        was = want[at] - alpha * sums[at];
        is = beta * evidence_got(h->evidence, at);
        values[e] = product + (fabs(got - is) < fabs(got - was) ? is : was);
    }
    hypothesis_try(h, "beta multiplies C[i][j], at i * n + j, where the result "
                   "is stored; any other element may have its result already.",
                   "%s", other->text);
}

static void try_other_cs(struct hypotheses *h, const struct gemm *g,
                         const double *sums)
{
    const size_t m = (size_t)g->m, n = (size_t)g->n, k = (size_t)g->k;
    const struct other_c list[] = {
        {"alpha A B + beta C, with C read at j * m + i", 1, m},
        {"alpha A B + beta C, with C read at j * n + i", 1, n},
        {"alpha A B + beta C, with C read at i * m + j", m, 1},
        {"alpha A B + beta C, with C read at i * k + j", k, 1}};

    for (size_t i = 0; i < COUNT(list); i++)
        if (list[i].row != n && (i != 1 || m != n))
            try_other_c(h, g, sums, &list[i]);
}

void gemm_factor_mistakes(struct hypotheses *h, const struct gemm *g,
                          const double *sums)
{
    try_cleared_c(h, g);
    if (is_without_launch(h)) {
        try_old_c(h, g, sums);
        return;
    }
    if (!h->fits)
        try_factors(h, g, sums);
    try_reading_c(h, g);
    if (g->beta == 0)
        return;
    for (size_t piece = 8; piece < (size_t)g->k; piece *= 2)
        try_beta_in_pieces(h, g, sums, piece);
    if (!h->fits)
        try_other_cs(h, g, sums);
}

/* Was a term added to an element that is right? */
static bool has_right_sum(const struct hypotheses *h, const struct gemm *g,
                          const double *sums)
{
    const struct evidence *e = h->evidence;

    for (size_t i = 0; i < hypothesis_count(h); i++)
        if (!e->comparison->wrong_mask[i] && isfinite(sums[i])
            && fabs((double)g->alpha * sums[i])
                   > 2 * element_tolerance(e->expected, i))
            return true;
    return false;
}

void gemm_no_term(struct hypotheses *h, const struct gemm *g,
                  const double *sums)
{
    enum { WIDEST_TILE = 64 };
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    if (g->k >= WIDEST_TILE || has_right_sum(h, g, sums))
        return;
    for (size_t e = 0; e < hypothesis_count(h); e++)
        values[e] = isfinite(sums[e]) ? values[e] - (double)g->alpha * sums[e]
                                      : HYPOTHESIS_ANY;
    h->needed = 2;
    h->is_vague = true;
    hypothesis_try(h, "Are terms added where k is larger? Then a loop over the "
                   "tiles of k has no iteration where k is less than a tile: "
                   "round k / TILE up, and let the rest of the last tile be "
                   "0.",
                   "%s: none of the %d terms was added",
                   g->beta == 0 ? "0" : "beta C", g->k);
    h->is_vague = false;
    h->needed = needed;
}

void gemm_empty_sum(struct hypotheses *h, const struct gemm *g)
{
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    if (g->k == 0 && g->beta != 0 && is_without_launch(h))
        try_old_c(h, g, NULL);
    if (g->k != 0 || g->beta != 0)
        return;
    for (size_t e = 0; e < hypothesis_count(h); e++)
        if (h->evidence->comparison->wrong_mask[e])
            values[e] = evidence_got(h->evidence, e);
    h->needed = -1;
    h->is_vague = true; /* a finding says where it comes from */
    hypothesis_try(h, "A variable has no value before it is set, and k may be "
                   "0: set each sum to 0 before the loop over the terms, which "
                   "has no iteration then. cudaMemset() counts bytes.",
                   "the sum of no term, which should be 0: is it set to 0 "
                   "first, and is no term added?");
    h->is_vague = false;
    h->needed = needed;
}
