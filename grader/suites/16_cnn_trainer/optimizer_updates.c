/* SPDX-License-Identifier: MIT */
/* Lab 16's suite: several steps with each optimizer. */
#include "suite_16.h"

/* Make all biases positive: of images near 0 the biases alone decide what a
 * ReLU passes, and where it passes nothing, all gradients are 0. */
static void make_biases_positive(struct fixture *fixture)
{
    for (int k = 0; k < fixture->net.count; k++) {
        const struct layer *layer = &fixture->net.layers[k];

        for (size_t i = 0; i < layer->biases; i++) {
            const size_t at = layer->bias_offset + i;

            fixture->step.d_parameters[at] =
                fabsf(fixture->step.d_parameters[at]) + 0.1f;
            fixture->x->parameters[at] =
                (double)fixture->step.d_parameters[at];
        }
    }
}

/* Steps with images of magnitudes up to `largest`. */
static void check_updates(const char *text, int steps, double largest)
{
    const struct net_config net_config = {text, {1, 4, 4}, 5};
    struct fixture fixture;

    suite_case("\"%s\"", strstr(text, "train"));
    if (fixture_create(&fixture, &net_config, 7) && largest < 1)
        make_biases_positive(&fixture);
    fixture.largest_pixel = largest;
    for (int step = 1; step <= steps && !suite_failed(); step++) {
        suite_case("%.60s, step %d%s", strstr(text, "train"), step,
                   largest < 1 ? ", images of 1e-6" : "");
        *fixture.step.d_learning_rate = 0.02f * (float)step;
        fixture_randomize_inputs(&fixture, 7);
        fixture_check_step(&fixture, CHECK_UPDATE);
    }
    fixture_free(&fixture);
}

#define NET "conv 3 2x2\nrelu\ndense\ntrain "

void trainer_update(void)
{
    static const char *const texts[] = {
        NET "sgd rate 0.1",
        NET "sgd rate 0.1 decay 0.1",
        NET "momentum rate 0.1 momentum 0.9",
        NET "nesterov rate 0.1 momentum 0.8 decay 0.05",
        NET "adam rate 0.1",
        NET "adam rate 0.1 decay 0.2",
        NET "adamw rate 0.1 decay 0.2"};

    for (size_t i = 0; i < COUNT(texts) && !suite_failed(); i++)
        check_updates(texts[i], 4, 1);
    /* gradients of the convolution of some 1e-8: Adam's epsilon decides */
    check_updates(NET "adam rate 0.1", 3, 1e-6);
    check_updates(NET "adamw rate 0.1 decay 0.2", 3, 1e-6);
}

/* Clipping limits below and above the norm of the gradients. */
void trainer_clip(void)
{
    static const char *const texts[] = {
        NET "sgd rate 0.1 clip 0.05",
        NET "sgd rate 0.1 clip 1000",
        NET "momentum rate 0.1 momentum 0.9 decay 0.1 clip 0.1",
        NET "adamw rate 0.1 decay 0.2 clip 0.02"};

    for (size_t i = 0; i < COUNT(texts) && !suite_failed(); i++)
        check_updates(texts[i], 3, 1);
}
