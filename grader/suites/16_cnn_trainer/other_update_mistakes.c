/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 16 in an update that no wrong formula explains: another
 * learning rate, array or step number. */
#include "mistakes.h"

/* Another learning rate: all parameters have moved by the same multiple of what
 * they should.  The one that should move most tells it. */
static void try_rate(struct hypotheses *h, const struct update_made *u)
{
    const double *want = h->evidence->expected->want;
    double *values = hypothesis_values(h), ratio;
    size_t most = 0;

    for (size_t i = 1; i < hypothesis_count(h); i++)
        if (fabs(want[i] - u->before[i]) > fabs(want[most] - u->before[most]))
            most = i;
    ratio = (evidence_got(h->evidence, most) - u->before[most])
            / (want[most] - u->before[most]);
    if (!(ratio > 0))
        return; /* or NaN: no parameter should move */
    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = u->before[i] + ratio * (want[i] - u->before[i]);
    hypothesis_try(h, "The optimizer gets d_learning_rate, whose value changes "
                   "from step to step: nothing keeps a copy.",
                   "the update with a learning rate of %.3g, not %.3g",
                   ratio * u->learning_rate, u->learning_rate);
}

/* The velocity, in the array that is for second moments. */
static void try_other_array(struct hypotheses *h, const struct update_made *u)
{
    const double *want = h->evidence->expected->want;
    double *values = hypothesis_values(h);
    bool is_there = u->output == 1
                    && u->fixture->net.training.optimizer < OPTIMIZER_ADAM;

    for (size_t i = 0; i < hypothesis_count(h); i++) {
        values[i] = u->before[u->fixture->net.parameters + i];
        is_there &= fabs((double)u->fixture->step.d_moment2[i] - want[i])
                    <= 1e-4 * fabs(want[i]);
    }
    if (is_there)
        hypothesis_try(h, "d_moment1 has the velocity, or Adam's first moment; "
                       "d_moment2 has Adam's second moment alone.",
                       "that of before the step: d_moment2 has the velocity");
}

/* NaN in all parameters and in no moment after Adam's first step: m / (1 -
 * beta1^0) is infinite, and so is the root below it. */
static void try_step_zero(struct hypotheses *h, const struct update_made *u)
{
    const struct step *step = &u->fixture->step;
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    if (u->output != 0 || *step->d_step > 1
        || u->fixture->net.training.optimizer < OPTIMIZER_ADAM)
        return;
    for (size_t i = 0; i < hypothesis_count(h); i++) {
        if (!isnan(evidence_got(h->evidence, i))
            || !isfinite(step->d_moment1[i]) || !isfinite(step->d_moment2[i]))
            return;
        values[i] = NAN;
    }
    h->needed = -1;
    hypothesis_try(h, "*d_step is incremented first: the optimizer, as dropout "
                   "before it, gets the number of this step, from 1.",
                   "NaN, as infinity divided by infinity: with a step number "
                   "of 0 the bias correction 1 - beta^0 is 0");
    h->needed = needed;
}

/* NaN in all parameters whose second moment is negative, and in no other. */
static void try_negative_root(struct hypotheses *h, const struct update_made *u)
{
    const double needed = h->needed;
    const float *second = u->fixture->step.d_moment2;
    double *values = hypothesis_values(h);
    bool any = false;

    if (u->output != 0 || u->fixture->net.training.optimizer < OPTIMIZER_ADAM)
        return;
    for (size_t i = 0; i < hypothesis_count(h); i++) {
        if (isnan(evidence_got(h->evidence, i)) != (second[i] < 0))
            return;
        values[i] = second[i] < 0 ? NAN : HYPOTHESIS_ANY;
        any |= second[i] < 0;
    }
    if (!any)
        return;
    h->needed = -1;
    hypothesis_try(h, "The second moment is a mean of squares: beta2 * v + "
                   "(1 - beta2) * g * g is never negative.",
                   "NaN where d_moment2 is negative, as its square root, or "
                   "computed from a wrong one");
    h->needed = needed;
}

void trainer_other_update_mistakes(struct hypotheses *h,
                                   const struct update_made *u)
{
    if (u->output == 0)
        try_rate(h, u);
    if (!h->fits)
        try_other_array(h, u);
    if (!h->fits)
        try_step_zero(h, u);
    if (!h->fits)
        try_negative_root(h, u);
}
