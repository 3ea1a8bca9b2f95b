/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 12 in the running statistics of batch normalization. */
#include "mistakes.h"

static void try_weights(struct hypotheses *h, const struct norm_inputs *in,
                        const double *old, const double *batch)
{
    static const char hint[] =
        "running = (1 - momentum) * running + momentum * batch.";
    static const char *const texts[] = {
        ("momentum * running + (1 - momentum) * batch: the weights are "
         "exchanged"),
        "the batch's value alone", "running + momentum * batch",
        "the value before the call, which was not updated"};
    const double momentum = in->norm->momentum;

    for (size_t k = 0; k < COUNT(texts); k++) {
        double *values = hypothesis_values(h);

        for (size_t c = 0; c < hypothesis_count(h); c++)
            values[c] = k == 0 ? momentum * old[c] + (1 - momentum) * batch[c]
                        : k == 1 ? batch[c]
                        : k == 2 ? old[c] + momentum * batch[c]
                                 : old[c];
        hypothesis_try(h, hint, "%s", texts[k]);
    }
}

/* Moved towards the batch once by each of some threads. */
static void try_several_updates(struct hypotheses *h,
                                const struct norm_inputs *in,
                                const double *old, const double *batch)
{
    enum { MOST = 1024 };

    for (int times = 2; times <= MOST && !h->fits; times *= 2) {
        const double left = pow(1 - (double)in->norm->momentum, times);
        double *values = hypothesis_values(h);

        for (size_t c = 0; c < hypothesis_count(h); c++)
            values[c] = batch[c] + left * (old[c] - batch[c]);
        hypothesis_try(h, "One thread of all that work on a channel updates "
                       "its running statistics: with several warps, rank 0 of "
                       "a warp is several threads.",
                       "updated %d times in one call: by how many threads?",
                       times);
    }
}

/* The divisor counts other elements than those of a channel: var is the mean
 * of the squares, unless that is divided by them, too. */
static void try_other_counts(struct hypotheses *h,
                             const struct norm_inputs *in)
{
    const struct layer_shape *s = in->shape;
    const size_t channels = hypothesis_count(h);
    const struct {
        double count;
        const char *text;
    } others[] = {{(double)s->h * s->w, "h * w"},
                  {s->n, "n"},
                  {(double)s->n * s->c, "n * c"},
                  {(double)s->n * s->c * s->h * s->w, "n * c * h * w"}};

    for (size_t k = 0; k < COUNT(others); k++) {
        const double count = others[k].count;
        double *values = hypothesis_values(h);

        if (count == in->m)
            continue;
        for (size_t c = 0; c < channels; c++) {
            const double old = in->running[channels + c];
            const double unbiased =
                count > 1 ? in->var[c] * count / (count - 1) : 0;

            values[c] = old + in->norm->momentum * (unbiased - old);
        }
        hypothesis_try(h, "m counts the elements of a channel, n * h * w: the "
                       "running variance gets var * m / (m - 1).",
                       count > 1
                           ? "updated with var * k / (k - 1) for k = %s, "
                             "should be n * h * w"
                           : "updated with 0, as if only %s = 1 elements "
                             "were counted, should be n * h * w",
                       others[k].text);
    }
}

void layers_running_mean_mistakes(struct hypotheses *h, const void *context)
{
    const struct norm_inputs *in = context;

    try_weights(h, in, in->running, in->mean);
    try_several_updates(h, in, in->running, in->mean);
}

void layers_running_var_mistakes(struct hypotheses *h, const void *context)
{
    const struct norm_inputs *in = context;
    const size_t channels = hypothesis_count(h);
    double *unbiased = suite_doubles(channels);
    double *values = hypothesis_values(h);

    for (size_t c = 0; c < channels; c++) {
        const double old = in->running[channels + c];

        values[c] = old + in->norm->momentum * (in->var[c] - old);
        unbiased[c] = in->m > 1 ? in->var[c] * in->m / (in->m - 1) : 0;
    }
    hypothesis_try(h, "The running variance uses the unbiased variance of the "
                   "batch, divided by m - 1.",
                   "updated with the variance divided by m, should be m - 1");
    try_other_counts(h, in);
    try_weights(h, in, in->running + channels, unbiased);
    try_several_updates(h, in, in->running + channels, unbiased);
}
