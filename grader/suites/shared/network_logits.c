/* SPDX-License-Identifier: MIT */
/* The gradient with respect to the logits of lab 13, from the scores. */
#include "network_reference.h"

#include <math.h>

/* That of the softmax whose output the scores would be, not of its logarithm:
 * y (dy - sum(y dy)). */
static double plain_softmax(const struct network_step *s, size_t i)
{
    const size_t classes = (size_t)s->shape.classes;
    const size_t row = i / classes * classes;
    double sum = 0;

    for (size_t c = row; c < row + classes; c++)
        sum += s->scores.value[c] * (double)s->target[c];
    return -s->scores.value[i] * ((double)s->target[i] - sum) / s->shape.n;
}

/* That of the logarithm, dy - exp(y) sum(dy), from the target as y and the
 * scores as dy. */
static double exchanged(const struct network_step *s, size_t i)
{
    const size_t classes = (size_t)s->shape.classes;
    const size_t row = i / classes * classes;
    double sum = 0;

    for (size_t c = row; c < row + classes; c++)
        sum += s->scores.value[c];
    return -(s->scores.value[i] - exp((double)s->target[i]) * sum)
           / s->shape.n;
}

double *network_doubles(const float *from, size_t count)
{
    double *to = suite_doubles(count);

    for (size_t i = 0; i < count; i++)
        to[i] = (double)from[i];
    return to;
}

double network_logit_gradient(const struct network_step *s, size_t i)
{
    return s->mistake == NETWORK_SCORES_AS_GRADIENT ? exchanged(s, i)
           : s->mistake == NETWORK_PLAIN_SOFTMAX
               ? plain_softmax(s, i)
               : (exp(s->scores.value[i]) - (double)s->target[i]) / s->shape.n;
}
