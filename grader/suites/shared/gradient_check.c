/* SPDX-License-Identifier: MIT */
/* Gradients compared with finite differences (a gradient check). */
#include "gradient_check.h"

#include <math.h>
#include <string.h>

#include "grader/suite/suite.h"

/* L(x + offset) - L(x - offset), where only element i changes. */
static double central_difference(const struct gradient *g, double *point,
                                 size_t i, double offset)
{
    double loss_plus, loss_minus;

    point[i] = g->point[i] + offset;
    loss_plus = g->loss(point, g->context);
    point[i] = g->point[i] - offset;
    loss_minus = g->loss(point, g->context);
    point[i] = g->point[i];
    return loss_plus - loss_minus;
}

/* Compares the output of n elements from `first` on. */
static void compare_part(const struct gradient *g, const char *name,
                         size_t first, size_t n, const double *want,
                         const double *scale)
{
    if (n)
        expect_elements(&(struct expected){
            .name = name, .got = g->got + first, .want = want + first,
            .type = FLOAT32, .size = {n}, .steps = g->steps,
            .scale = scale + first, .is_vague = true});
}

void expect_gradient(const struct gradient *g)
{
    const double h = 1e-3;
    double *point = suite_doubles(g->n), *want = suite_doubles(g->n);
    double *scale = suite_doubles(g->n), largest = 0;

    if (suite_failed())
        return;
    memcpy(point, g->point, g->n * sizeof *point);
    for (size_t i = 0; i < g->n; i++) {
        want[i] = (8 * central_difference(g, point, i, h)
                   - central_difference(g, point, i, 2 * h))
                  / (12 * h);
        largest = fmax(largest, fabs(want[i]));
    }
    for (size_t i = 0; i < g->n; i++)
        scale[i] = largest + 1e-4;
    compare_part(g, g->name, 0, g->n - g->next[0].n - g->next[1].n, want,
                 scale);
    compare_part(g, g->next[0].name, g->n - g->next[0].n - g->next[1].n,
                 g->next[0].n, want, scale);
    compare_part(g, g->next[1].name, g->n - g->next[1].n, g->next[1].n, want,
                 scale);
}
