/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 12: batch normalization. */
#include "mistakes.h"

/* --- forward -------------------------------------------------------------- */

/* Mistakes in the mean, inverse deviation, scale or shift of a channel. */
enum forward_mistake {
    UNBIASED,
    EPSILON_OUTSIDE,
    NO_EPSILON,
    NO_ROOT,
    NO_BETA,
    NO_GAMMA,
    NO_RELU,
    NO_MEAN,
    PLANE_SUM, /* the sum divided by the number of images */
    GIVEN,     /* what d_mean and d_inv_std have, not for inference */
    FORWARD_MISTAKES
};

static const char *const forward_texts[] = {
    "normalized with the variance divided by m - 1, should be m",
    ("normalized by sqrt(variance) + epsilon, should be sqrt(variance + "
     "epsilon)"),
    "normalized without epsilon",
    "normalized by the variance, not by its root",
    "the right value without beta",
    "the right value without gamma",
    "the right value before the ReLU",
    "normalized without subtracting the mean",
    ("normalized with a mean that was divided by the number of images only, "
     "should be n * h * w"),
    "normalized with d_mean and d_inv_std, should be with running averages"};

/* The mean that is subtracted. */
static double mean_with(const struct norm_inputs *in, size_t c,
                        enum forward_mistake mistake)
{
    return mistake == NO_MEAN ? 0
           : mistake == GIVEN ? in->norm->d_mean[c]
           : mistake == PLANE_SUM
               ? in->mean[c] * in->shape->h * in->shape->w
               : in->mean[c];
}

static double inv_std_with(const struct norm_inputs *in, size_t c,
                           enum forward_mistake mistake)
{
    const double epsilon = in->norm->epsilon, m = in->m;
    const double offset = in->mean[c] - mean_with(in, c, PLANE_SUM);
    const double var = mistake == UNBIASED && m > 1 ? in->var[c] * m / (m - 1)
                       : mistake == PLANE_SUM ? in->var[c] + offset * offset
                                              : in->var[c];

    if (mistake == EPSILON_OUTSIDE)
        return 1 / (sqrt(var) + epsilon);
    if (mistake == NO_EPSILON)
        return 1 / sqrt(var);
    if (mistake == NO_ROOT)
        return 1 / (var + epsilon);
    if (mistake == GIVEN)
        return in->norm->d_inv_std[c];
    return 1 / sqrt(var + epsilon);
}

/* --- cancellation --------------------------------------------------------- */

static const char cancellation_hint[] =
    "Subtract the mean from each element before you square it: the digits of "
    "mean(x * x) and of mean(x) * mean(x) cancel.  Are parts joined by the "
    "squared distance of their means, with both counts?";

/* The variance as the mean of the squares minus the square of the mean: what is
 * left of these has their rounding errors, of which only the size is known.  It
 * exceeds the tolerance where the mean is larger than the deviation. */
static bool is_cancelled(const struct norm_inputs *in, size_t c, double inv_std)
{
    const double square = in->mean[c] * in->mean[c];
    const double var = 1 / (inv_std * inv_std) - (double)in->norm->epsilon;

    return square >= in->var[c]
           && fabs(var - in->var[c]) <= 8 * 0x1p-24 * (square + in->var[c]);
}

/* The values agree with those got, by the size of their errors. */
static void try_cancelled(struct hypotheses *h, const char *text)
{
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = evidence_got(h->evidence, i);
    h->needed = 1;
    hypothesis_try(h, cancellation_hint, "%s", text);
    h->needed = needed;
}

static void try_cancelled_inv_std(struct hypotheses *h,
                                  const struct norm_inputs *in)
{
    for (size_t c = 0; c < hypothesis_count(h); c++)
        if (h->evidence->comparison->wrong_mask[c]
            && !is_cancelled(in, c, evidence_got(h->evidence, c)))
            return;
    try_cancelled(h, "off by no more than the rounding errors of mean(x * x) - "
                     "mean(x) * mean(x)");
}

/* All elements of a channel must have the same inverse deviation. */
static void try_cancelled_output(struct hypotheses *h,
                                 const struct norm_inputs *in)
{
    double *inv_std = suite_doubles((size_t)in->shape->c);

    for (size_t i = 0; i < hypothesis_count(h); i++) {
        const size_t c = layers_channel_index(in->shape, i);
        const double scale = in->norm->d_gamma[c] * (in->x[i] - in->mean[c]);
        const double got = evidence_got(h->evidence, i);

        if (!h->evidence->comparison->wrong_mask[i]
            || fabs(in->x[i] - in->mean[c]) < sqrt(in->var[c]) / 2)
            continue;
        if (in->norm->relu && got == 0)
            continue;
        if (inv_std[c] == 0)
            inv_std[c] = (got - in->norm->d_beta[c]) / scale;
        if (!(fabs(scale * inv_std[c] + in->norm->d_beta[c] - got)
              <= 1e-3 * fabs(scale * inv_std[c]))
            || !is_cancelled(in, c, inv_std[c]))
            return;
    }
    try_cancelled(h, "normalized with a variance that is off by no more than "
                     "the rounding errors of mean(x * x) - mean(x) * mean(x)");
}

void layers_norm_mistakes(struct hypotheses *h, const void *context)
{
    const struct norm_inputs *in = context;

    for (int k = 0; k < (in->running ? GIVEN : FORWARD_MISTAKES); k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++) {
            const size_t c = layers_channel_index(in->shape, i);
            const double mean = mean_with(in, c, (enum forward_mistake)k);
            const double gamma = k == NO_GAMMA ? 1 : in->norm->d_gamma[c];
            const double beta = k == NO_BETA ? 0 : in->norm->d_beta[c];
            const double y = gamma * (in->x[i] - mean)
                                 * inv_std_with(in, c, (enum forward_mistake)k)
                             + beta;

            values[i] = in->norm->relu && k != NO_RELU && y < 0 ? 0 : y;
        }
        hypothesis_try(h, "y = gamma * (x - mean) / sqrt(variance + epsilon) + "
                       "beta, with the variance divided by m.", "%s",
                       forward_texts[k]);
    }
    if (!h->fits && in->running)
        try_cancelled_output(h, in);
}

void layers_inv_std_mistakes(struct hypotheses *h, const void *context)
{
    const struct norm_inputs *in = context;
    double *deviation;

    for (int k = 0; k <= NO_ROOT; k++) {
        double *values = hypothesis_values(h);

        for (size_t c = 0; c < hypothesis_count(h); c++)
            values[c] = inv_std_with(in, c, (enum forward_mistake)k);
        hypothesis_try(h, "inv_std = 1 / sqrt(variance + epsilon), with the "
                       "variance divided by m.", "%s", forward_texts[k]);
    }
    memcpy(hypothesis_values(h), in->var,
           hypothesis_count(h) * sizeof *in->var);
    hypothesis_try(h, "inv_std = 1 / sqrt(variance + epsilon), also where it "
                   "is saved.", "the variance");
    deviation = hypothesis_values(h);
    for (size_t c = 0; c < hypothesis_count(h); c++)
        deviation[c] = sqrt(in->var[c] + in->norm->epsilon);
    hypothesis_try(h, "inv_std = 1 / sqrt(variance + epsilon), also where it "
                   "is saved.", "sqrt(variance + epsilon), not 1 / that");
    if (!h->fits)
        try_cancelled_inv_std(h, in);
}

/* --- backward ------------------------------------------------------------- */

enum backward_mistake {
    RIGHT,
    NO_MASK,
    MASK_BY_X,
    MASK_BY_CENTERED,
    MASK_IN_SUMS,
    NO_MEAN_TERM,
    NO_VARIANCE_TERM,
    NO_TERMS,
    NO_SCALE,
    SUMS_NOT_DIVIDED,
    SUMS_BY_PLANE,
    SUMS_BY_IMAGES,
    RAW_X,
    CENTERED_X,
    BACKWARD_MISTAKES
};

/* y_grad after the ReLU, and x normalized, or as it is. */
static double masked_grad(const struct norm_grad_inputs *in, size_t i,
                          double *x_hat, enum backward_mistake k)
{
    const struct batchnorm *norm = in->norm;
    const size_t c = layers_channel_index(in->shape, i);
    const double centered = in->x[i] - (double)norm->d_mean[c];
    const double normalized = centered * norm->d_inv_std[c];

    *x_hat = k == RAW_X ? in->x[i] : k == CENTERED_X ? centered : normalized;
    const double y = k == MASK_BY_X          ? in->x[i]
                     : k == MASK_BY_CENTERED ? centered
                                    : norm->d_gamma[c] * normalized
                                          + norm->d_beta[c];

    return norm->relu && k != NO_MASK && y <= 0 ? 0 : in->y_grad[i];
}

/* The sums of a channel: of the gradient, and of its product with x_hat. */
static double *sums_of(const struct norm_grad_inputs *in,
                       enum backward_mistake k)
{
    const size_t channels = (size_t)in->shape->c;
    double *sums = suite_doubles(2 * channels), x_hat;

    for (size_t i = 0; i < layers_element_count(in->shape); i++) {
        const size_t c = layers_channel_index(in->shape, i);
        const double grad = masked_grad(in, i, &x_hat, k);

        sums[c] += grad;
        sums[channels + c] += grad * x_hat;
    }
    return sums;
}

static void try_sums(struct hypotheses *h, const struct norm_grad_inputs *in,
                     bool is_gamma, enum backward_mistake k, const char *text)
{
    const size_t channels = (size_t)in->shape->c;
    const double *sums = sums_of(in, k) + (is_gamma ? channels : 0);
    double *values = hypothesis_values(h);

    for (size_t c = 0; c < channels; c++)
        values[c] = sums[c];
    h->is_whole = k == MASK_BY_X || k == MASK_BY_CENTERED;
    hypothesis_try(h, "First y_grad becomes 0 where y is 0 or less; the sums "
                   "over the channel of that and of its product with the "
                   "normalized x are the gradients of beta and gamma.", "%s",
                   text);
    h->is_whole = false;
}

/* The right sum, divided by the elements of the channel. */
static void try_mean(struct hypotheses *h, const struct norm_grad_inputs *in)
{
    const size_t all = layers_element_count(in->shape);
    double *values = hypothesis_values(h);

    for (size_t c = 0; c < hypothesis_count(h); c++)
        values[c] *= (double)in->shape->c / (double)all;
    if (all > 0)
        hypothesis_try(h, "The gradients of beta and gamma are sums over the "
                       "channel, not means.", "the mean, not the sum");
}

void layers_beta_grad_mistakes(struct hypotheses *h, const void *context)
{
    try_sums(h, context, false, NO_MASK,
             "the sum of y_grad without the mask of the ReLU");
    try_sums(h, context, false, MASK_BY_X,
             "the sum of y_grad masked by x, not by y");
    try_sums(h, context, false, MASK_BY_CENTERED,
             "the sum of y_grad masked by x - mean, not by y");
    try_mean(h, context);
}

void layers_gamma_grad_mistakes(struct hypotheses *h, const void *context)
{
    try_sums(h, context, true, NO_MASK,
             "the sum with y_grad without the mask of the ReLU");
    try_sums(h, context, true, MASK_BY_X,
             "the sum with y_grad masked by x, not by y");
    try_sums(h, context, true, MASK_BY_CENTERED,
             "the sum with y_grad masked by x - mean, not by y");
    try_sums(h, context, true, RAW_X,
             "the sum of y_grad * x, should be the normalized x");
    try_mean(h, context);
    try_sums(h, context, true, CENTERED_X, "the sum of y_grad * (x - mean), "
             "without the factor inv_std");
}

void layers_norm_grad_mistakes(struct hypotheses *h, const void *context)
{
    static const char *const texts[] = {
        [NO_MASK] = "the right gradient without the mask of the ReLU",
        [MASK_BY_X] = "the right gradient with y_grad masked by x, not by y",
        [MASK_BY_CENTERED] = "the right gradient with y_grad masked by x - "
                             "mean, not by y",
        [MASK_IN_SUMS] = "computed with the mask of the ReLU in the two sums "
                         "only, and without it in g",
        [NO_MEAN_TERM] = "the right gradient without the path through the "
                         "mean, sum(g) / m",
        [NO_VARIANCE_TERM] = "the right gradient without the path through the "
                             "variance, x_hat * sum(g * x_hat) / m",
        [NO_TERMS] = "gamma * inv_std * g: mean and variance taken as "
                     "constants",
        [NO_SCALE] = "the right gradient without the factor gamma",
        [SUMS_NOT_DIVIDED] = "computed from the sums, not divided by m",
        [SUMS_BY_PLANE] = "computed from sums that are divided by h * w, "
                          "should be by m = n * h * w",
        [SUMS_BY_IMAGES] = "computed from sums that are divided by n, should "
                           "be by m = n * h * w"};
    const struct norm_grad_inputs *in = context;
    const size_t channels = (size_t)in->shape->c;
    const double m = (double)(hypothesis_count(h) / channels);

    for (int k = NO_MASK; k <= SUMS_BY_IMAGES; k++) {
        const double *sums = sums_of(in, (enum backward_mistake)k);
        const double images = in->shape->n;
        const double divisor = k == SUMS_NOT_DIVIDED ? 1
                               : k == SUMS_BY_PLANE  ? m / images
                               : k == SUMS_BY_IMAGES ? images : m;
        const bool mean = k != NO_MEAN_TERM && k != NO_TERMS;
        const bool variance = k != NO_VARIANCE_TERM && k != NO_TERMS;
        double *values = hypothesis_values(h), x_hat;

        for (size_t i = 0; i < hypothesis_count(h); i++) {
            const size_t c = layers_channel_index(in->shape, i);
            const double grad = masked_grad(
                in, i, &x_hat, k == MASK_IN_SUMS ? NO_MASK
                                                 : (enum backward_mistake)k);

            values[i] = (k == NO_SCALE ? 1 : in->norm->d_gamma[c])
                        * in->norm->d_inv_std[c]
                        * (grad - mean * sums[c] / divisor
                           - variance * x_hat * sums[channels + c] / divisor);
        }
        hypothesis_try(h, "x_grad = gamma * inv_std * (g - sum(g) / m - x_hat "
                       "* sum(g * x_hat) / m), with g after the ReLU mask.",
                       "%s", texts[k]);
    }
}
