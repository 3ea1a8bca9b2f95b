/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 13 in the loss: its factor, and how many terms it
 * has. */
#include "mistakes.h"

#include "grader/suite/suite.h"

/* Kept: was the loss of a single image right, and not 0? */
static float *single_is_right(void)
{
    static const char key;

    return suite_kept_floats(&key, 1);
}

void layer_keep_loss(const struct network_step *s)
{
    if (!suite_failed() && s->shape.n == 1 && s->loss.value[0] != 0)
        *single_is_right() = 1;
}

/* 0 is evidence enough: that of a factor, or of terms whose targets are 0. */
static void try_no_loss(struct hypotheses *h, const struct network_step *s)
{
    const double needed = h->needed;
    const bool has_right = *single_is_right() != 0;

    if (s->shape.n == 1 && s->target[0] != 0)
        return; /* the first term alone is not 0, nor is -1 / n */
    hypothesis_values(h)[0] = 0;
    h->needed = -1;
    hypothesis_try(h, s->shape.n == 1
                          ? "The product has n * classes terms."
                          : "Write -1.0f / n. And the product has n * classes "
                            "terms.",
                   s->shape.n == 1
                       ? "the sum of no term, or of the first ones alone, "
                         "whose targets are 0"
                   : has_right
                       ? "0, though right for a single image: is -1 / n a "
                         "division of integers, which gives 0?"
                       : "0: with integers the factor -1 / n is 0; or it is "
                         "the sum of no term, or of some whose targets are 0");
    h->needed = needed;
}

void layer_loss_mistakes(struct hypotheses *h, const void *context)
{
    const struct network_step *s = context;
    const size_t classes = (size_t)s->shape.classes;
    double *values = hypothesis_values(h);

    values[0] *= s->shape.n;
    hypothesis_try(h, "The loss is the mean: the factor is -1 / n.",
                   "the sum over the images, not their mean");
    values = hypothesis_values(h);
    values[0] /= (double)classes;
    hypothesis_try(h, "The mean is over the images: the factor is -1 / n.",
                   "the loss divided by the number of classes, too");
    for (int k = 0; k < 2; k++) {
        const size_t terms = k ? (size_t)s->shape.n : classes;

        values = hypothesis_values(h);
        values[0] = 0;
        for (size_t i = 0; i < terms && i < s->scores.count; i++)
            values[0] -= (double)s->target[i] * s->scores.value[i]
                         / s->shape.n;
        if (k == 0 || terms != classes)
            hypothesis_try(h, "The product has n * classes terms.",
                           k ? "the sum of the first n terms alone"
                             : "the first image's part alone");
    }
    if (evidence_got(h->evidence, 0) == 0)
        try_no_loss(h, s);
    values = hypothesis_values(h);
    values[0] = -values[0];
    hypothesis_try(h, "The loss is -1 / n times the sum.",
                   "the loss with the other sign");
}
