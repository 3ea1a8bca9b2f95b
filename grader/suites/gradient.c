/* SPDX-License-Identifier: MIT */
/* A backward's values held against differences of the forward. */
#include "gradient.h"

#include <math.h>
#include <string.h>

#include "suite.h"

/* L(x + off) - L(x - off), in element i. */
static double difference(const struct gradient *g, double *at, size_t i,
                         double off)
{
    double more, less;

    at[i] = g->at[i] + off;
    more = g->loss(at, g->context);
    at[i] = g->at[i] - off;
    less = g->loss(at, g->context);
    at[i] = g->at[i];
    return more - less;
}

void expect_gradient(const struct gradient *g)
{
    const double h = 1e-3;
    double *at = suite_doubles(g->n), *want = suite_doubles(g->n);
    double *scale = suite_doubles(g->n), most = 0;

    if (suite_failed())
        return;
    memcpy(at, g->at, g->n * sizeof *at);
    for (size_t i = 0; i < g->n; i++) {
        want[i] = (8 * difference(g, at, i, h) - difference(g, at, i, 2 * h))
                  / (12 * h);
        most = fmax(most, fabs(want[i]));
    }
    for (size_t i = 0; i < g->n; i++)
        scale[i] = most + 1e-4;
    expect_elements(&(struct expected){
        .name = g->name, .got = g->got, .want = want, .type = FLOAT32,
        .size = {g->n}, .steps = g->steps, .scale = scale});
}
