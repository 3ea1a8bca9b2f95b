/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 16 in outputs, totals and statistics. */
#include "mistakes.h"

#include <stdio.h>

#include "common/net/reference_layers.h"

/* The last outputs of a network that differs in one layer: its biases are 0, or
 * the layer itself copies its input.  The reference computes them from the
 * same parameters and images.
 * layer: its index; less than 0: the biases of all layers
 * Returns false without memory. */
static bool other_outputs(struct hypotheses *h, const struct fixture *f,
                          int layer, bool biases)
{
    struct network net = f->net;
    float *parameters = suite_floats(net.parameters);
    double *values = hypothesis_values(h);
    struct reference *x;

    for (size_t i = 0; i < net.parameters; i++)
        parameters[i] = (float)f->x->parameters[i];
    for (int i = 0; i < net.count; i++)
        for (size_t k = 0; biases && (layer < 0 || layer == i)
                           && k < net.layers[i].biases; k++)
            parameters[net.layers[i].bias_offset + k] = 0;
    if (!biases)
        net.layers[layer].kind = LAYER_DROPOUT; /* copies */
    x = reference_make(&net, f->step.count, parameters);
    if (!x)
        return false;
    reference_loss(x, f->images, f->step.d_labels, f->step.count);
    memcpy(values, x->out[net.count - 1],
           hypothesis_count(h) * sizeof *values);
    reference_free(x);
    return true;
}

/* The bias of one output for all, or that of the image's number. */
static void try_other_biases(struct hypotheses *h, const struct fixture *f)
{
    const struct layer *last = &f->net.layers[f->net.count - 1];
    const double *bias = f->x->parameters + last->bias_offset;
    const size_t classes = (size_t)f->net.classes;
    static const char hint[] = "The bias of an output is that of its column: "
                               "output j of each image gets biases[j].";

    if (last->biases != classes)
        return;
    for (int by_image = 0; by_image < 1 + (f->step.count > 1); by_image++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++)
            values[i] += bias[by_image ? i / classes % classes : 0]
                         - bias[i % classes];
        hypothesis_try(h, hint, "%s", by_image
                           ? "the output with the bias of its image's number"
                           : "the output with the bias of output 0");
    }
}

/* Each layer with biases, or that can be forgotten, is left out in turn; then
 * all biases together. */
void trainer_output_mistakes(struct hypotheses *h, const void *context)
{
    const struct fixture *f = context;
    const struct network *net = &f->net;

    for (int i = 0; i < net->count; i++) {
        const struct layer *layer = &net->layers[i];

        if (layer->biases && layer->kind != LAYER_BATCHNORM
            && other_outputs(h, f, i, true))
            hypothesis_try(h, "A convolution and a dense layer end with their "
                           "biases.", "the output without the biases of the "
                           "layer %s", layer->name);
        if ((layer->kind == LAYER_RELU || layer->kind == LAYER_BATCHNORM)
            && other_outputs(h, f, i, false))
            hypothesis_try(h, "Each layer of the network has its turn.",
                           "the output without the layer %s", layer->name);
    }
    try_other_biases(h, f);
    if (other_outputs(h, f, -1, true))
        hypothesis_try(h, "A convolution and a dense layer end with their "
                       "biases.", "the output without all biases");
}

/* Batch normalization of an evaluation with another mean or variance. */
void trainer_evaluation_mistakes(struct hypotheses *h, const void *context)
{
    static const struct {
        const char *text, *hint;
    } list[EVALUATIONS] = {
        [EVALUATION_OF_BATCH] = {
            "normalized with the mean and variance of its own images",
            "An evaluation normalizes with d_running_stats, means first."},
        [EVALUATION_OUTSIDE_ROOT] = {
            "normalized with epsilon outside of the square root",
            "1 / sqrt(variance + 1e-5), in an evaluation too."},
        [EVALUATION_EPSILON_OF_1E_3] = {
            "normalized with an epsilon of 1e-3",
            "1 / sqrt(variance + 1e-5), in an evaluation too."}};
    const struct fixture *f = context;
    const int last = f->net.count - 1;

    for (int k = EVALUATION_RIGHT + 1; k < EVALUATIONS; k++) {
        double *values = hypothesis_values(h);

        fixture_forward(f, (enum evaluation)k);
        memcpy(values, f->x->out[last], hypothesis_count(h) * sizeof *values);
        fixture_forward(f, EVALUATION_RIGHT);
        hypothesis_try(h, list[k].hint, "%s", list[k].text);
    }
}

/* Add the loss and the correct prediction of the first images to the totals. */
static void add_images(double *totals, const struct fixture *f, int images)
{
    const int classes = f->net.classes;

    for (int i = 0; i < images; i++) {
        const double *out = f->x->out[f->net.count - 1] + (size_t)i * classes;
        const int label = f->step.d_labels[i];
        double sum = 0, most = out[0];

        for (int j = 1; j < classes; j++)
            most = fmax(most, out[j]);
        for (int j = 0; j < classes; j++)
            sum += exp(out[j] - most);
        totals[0] += log(sum) + most - out[label];
        totals[1] += f->step.d_predicted[i] == label;
    }
}

/* A block has as many threads, and each one adds one image. */
static void try_one_block(struct hypotheses *h, const struct totals_made *t)
{
    for (int threads = 32; threads < t->count && threads <= 1024;
         threads *= 2) {
        double *values = hypothesis_values(h);

        values[0] = (double)t->before[0];
        values[1] = (double)t->before[1];
        add_images(values, t->fixture, threads);
        hypothesis_try(h, "The totals are sums over all images: a block with "
                       "fewer threads loops over them.",
                       "that of the first %d images alone", threads);
    }
}

/* The two totals, loss and correct predictions, with the same mistake in both:
 * a total that is right fits every one of them that keeps it. */
void trainer_total_mistakes(struct hypotheses *h, const void *context)
{
    static const char hint[] = "d_totals is increased by the sum of the losses "
                               "and by the number of correct predictions.";
    const struct totals_made *t = context;
    /* as `texts` say them, one for each */
    const double loss[] = {(double)t->before[0], t->loss,
                           t->before[0] + t->loss / t->count,
                           t->before[0] + 2 * t->loss, t->before[0]};
    const double correct[] = {t->before[1] + t->correct, t->correct,
                              t->before[1] + t->correct,
                              t->before[1] + 2 * t->correct, t->before[1]};
    static const char *const texts[] = {
        "that of before the step, without its losses",
        "that of this step alone, without what was there before",
        "increased by the mean of the losses, not by their sum",
        "increased twice",
        "that of before the step"};

    for (size_t k = 0; k < COUNT(texts); k++) {
        double *values = hypothesis_values(h);

        values[0] = loss[k];
        values[1] = correct[k];
        hypothesis_try(h, hint, "%s", texts[k]);
    }
    try_one_block(h, t);
}

/* The means of a layer where its variances belong, or the reverse. */
static void try_other_half(struct hypotheses *h,
                           const struct statistics_made *s)
{
    const double *want = h->evidence->expected->want;
    const struct network *net = s->net;

    for (int half = 0; half < 2; half++) {
        double *values = hypothesis_values(h);

        for (int i = 0; i < net->count; i++) {
            const size_t c = net->layers[i].weights;
            const size_t at = step_running_stats_offset(net, i);

            for (size_t k = 0; net->layers[i].kind == LAYER_BATCHNORM && k < c;
                 k++)
                values[at + (half ? 0 : c) + k] =
                    want[at + (half ? c : 0) + k];
        }
        hypothesis_try(h, "The running statistics of a layer are the means of "
                       "all channels, then their variances.", "%s",
                       half ? "the running variance, where the mean belongs"
                            : "the running mean, where the variance belongs");
    }
}

/* Running statistics with another weight of the batch, or with the variance
 * that normalizes, which is divided by m, not by m - 1. */
void trainer_statistics_mistakes(struct hypotheses *h, const void *context)
{
    const struct statistics_made *s = context;
    static const struct {
        double weight; /* of the batch */
        bool biased;
        const char *text;
    } list[] = {{0.1, true, "that of the biased variance, divided by m"},
                {0.9, false, "that with a weight of 0.9 for the batch"},
                {0.01, false, "that with a weight of 0.01 for the batch"},
                {1, false, "that of the batch alone"},
                {0, false, "that of before the step"}};

    for (size_t k = 0; k < COUNT(list); k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++)
            values[i] = (1 - list[k].weight) * s->before[i]
                        + list[k].weight * s->batch[i]
                          * (list[k].biased ? 1 : s->biased[i]);
        hypothesis_try(h, "The running statistics become 0.9 of what they are "
                       "and 0.1 of the batch's mean and unbiased variance.",
                       "%s", list[k].text);
    }
    try_other_half(h, s);
}

/* Where a kernel with another index looks for class j of image i. */
static size_t misread(int kind, const struct step *step, int classes, int i,
                      int j)
{
    return (size_t)(kind == 0   ? j * step->count + i
                    : kind == 1 ? j
                                : i * classes + j);
}

/* Are these the predictions of a search whose maximum starts at 0? */
static bool starts_at_zero(const struct step *step, const double *out)
{
    const int classes = step->net->classes;

    for (int i = 0; i < step->count; i++) {
        double maximum = 0;
        int best = 0;

        for (int j = 0; j < classes; j++)
            if (out[i * classes + j] > maximum) {
                maximum = out[i * classes + j];
                best = j;
            }
        if (best != step->d_predicted[i])
            return false;
    }
    return true;
}

/* Are these the predictions of a search that starts at the class of the image
 * `distance` before? */
static bool starts_at_former(const struct step *step, const double *out,
                             int distance)
{
    const int classes = step->net->classes;

    for (int i = 0; i < step->count; i++) {
        int best = i < distance ? 0 : step->d_predicted[i - distance];

        for (int j = 0; j < classes; j++)
            if (out[i * classes + j] > out[i * classes + best])
                best = j;
        if (best != step->d_predicted[i])
            return false;
    }
    return true;
}

/* Predictions that are wrong only where outputs are equal: a thread that goes
 * through images has a distance of the threads. */
static const char *why_of_equal(const struct step *step, const double *out)
{
    static char text[160];

    for (int distance = 1; distance <= 1024 && distance < step->count;
         distance *= 2)
        if (starts_at_former(step, out, distance)) {
            snprintf(text, sizeof text, ": of equal outputs the one of the "
                     "class of image i - %d is taken: does the search for "
                     "image i start at 0?", distance);
            return text;
        }
    return ": the first of equal outputs";
}

/* No class: bytes that nothing stored, or stored as another type. */
static bool is_no_class(const struct step *step)
{
    for (int i = 0; i < step->count; i++)
        if (step->d_predicted[i] >= step->net->classes)
            return true;
    return false;
}

const char *trainer_why_predicted(const struct step *step, const double *out,
                                  bool training, int image, int argmax)
{
    static const char *const texts[] = {
        ": outputs read as [classes][images]; row i has the classes of image i",
        ": that of image 0, for all images",
        ": the class with the smallest output"};
    const int classes = step->net->classes;

    if (is_no_class(step))
        return training
                   ? ": there is no such class; is a byte stored for each "
                     "image, in training, too?"
                   : ": there is no such class; is a byte stored for each "
                     "image, in an evaluation, too?";
    if (step->d_predicted[image] > argmax
        && out[image * classes + step->d_predicted[image]]
               == out[image * classes + argmax])
        return why_of_equal(step, out);
    for (int kind = step->count > 1 ? 0 : 2; kind < 3; kind++) {
        const double sign = kind == 2 ? -1 : 1;
        int fits = 0;

        for (int i = 0; i < step->count; i++) {
            int best = 0;

            for (int j = 1; j < classes; j++)
                if (sign * out[misread(kind, step, classes, i, j)]
                    > sign * out[misread(kind, step, classes, i, best)])
                    best = j;
            fits += best == step->d_predicted[i];
        }
        if (fits == step->count)
            return texts[kind];
    }
    return starts_at_zero(step, out)
               ? ": all outputs are below 0, and the search for the largest "
                 "one starts at 0" : "";
}
