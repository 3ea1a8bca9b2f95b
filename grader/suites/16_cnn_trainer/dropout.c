/* SPDX-License-Identifier: MIT */
/* Lab 16's suite: dropout, by what it drops: dense layers of the unit matrix
 * let it be seen from outside. */
#include "suite_16.h"

enum { SIDE = 16, IMAGES = 64, ALL = SIDE * IMAGES };
static const double dropped = 0.3;

/* Dense layers put out what comes in. */
static void begin(struct trial *trial, const char *text)
{
    const struct plan plan = {text, {SIDE, 1, 1}, SIDE};
    struct step *step = &trial->step;

    suite_case("%s", "dropout 0.3");
    if (!trial_begin(trial, &plan, IMAGES))
        return;
    for (int i = 0; i < trial->net.count; i++) {
        const struct layer *layer = &trial->net.layers[i];
        float *weights = step->d_parameters + layer->weight_at;

        for (size_t j = 0; j < layer->weights; j++)
            weights[j] = j % (SIDE + 1) == 0;
        for (size_t j = 0; j < layer->biases; j++)
            step->d_parameters[layer->bias_at + j] = 0;
    }
    step->count = IMAGES;
    *step->d_rate = 0; /* they stay as they are */
    random_floats(step->d_images, ALL, 1, 2);
    for (int i = 0; i < IMAGES; i++)
        step->d_labels[i] = (unsigned char)(i % SIDE);
}

/* The share of zeros; all others are x / (1 - P)^times. */
static double zeros(const struct trial *trial, int times)
{
    const double factor = pow(1 / (1 - dropped), times);
    double *want = suite_doubles(ALL), *slack = suite_doubles(ALL), none = 0;
    const float *out;

    if (suite_failed())
        return 0;
    out = trial->step.d_out[trial->net.count - 1];
    for (size_t i = 0; i < ALL; i++) {
        want[i] = out[i] ? (double)trial->step.d_images[i] * factor : 0;
        slack[i] = want[i] * 0x1p-20;
        none += !out[i];
    }
    trainer_expect("d_out[last]", out, want, slack, ALL);
    return none / ALL;
}

static void expect_share(double share, double wanted, const char *what)
{
    expect_that(fabs(share - wanted)
                    < 5 * sqrt(wanted * (1 - wanted) / ALL),
                "%s: %.3f, should be near %.3f", what, share, wanted);
}

/* In how many places two outputs differ by being 0. */
static double differ(const float *a, const float *b)
{
    double sum = 0;

    for (size_t i = 0; i < ALL; i++)
        sum += !a[i] != !b[i];
    return sum / ALL;
}

void trainer_dropout(void)
{
    const double both = 2 * dropped * (1 - dropped);
    const size_t bytes = ALL * sizeof(float);
    float *kept = suite_floats(ALL), *out;
    struct trial trial;

    begin(&trial, "dropout 0.3\ndense\ntrain sgd rate 0.1\n");
    out = trial.step.d_out[1];
    for (int i = 0; i < 3 && !suite_failed(); i++) {
        suite_case("dropout 0.3, step %d", i + 1);
        expect_success(train_step(&trial.step));
        expect_share(zeros(&trial, 1), dropped, "the share dropped");
        if (i && !suite_failed())
            expect_share(differ(kept, out), both, "what another step drops");
        if (!suite_failed())
            memcpy(kept, out, bytes);
    }
    if (!suite_failed()) {
        suite_case("dropout 0.3, step 3 once more");
        *trial.step.d_step = 2;
        expect_success(train_step(&trial.step));
        expect_that(suite_failed() || !memcmp(kept, out, bytes),
                    "the same seed and step drop other numbers");
        suite_case("dropout 0.3, another seed");
        *trial.step.d_step = 2;
        trial.step.seed++;
        expect_success(train_step(&trial.step));
        if (!suite_failed())
            expect_share(differ(kept, out), both, "what another seed drops");
        suite_case("dropout 0.3, evaluation");
        expect_success(train_evaluate(&trial.step));
        expect_that(suite_failed()
                        || !memcmp(trial.step.d_images, out, bytes),
                    "an evaluation should drop nothing");
    }
    trial_end(&trial);
    begin(&trial, "dropout 0.3\ndropout 0.3\ndense\ntrain sgd rate 0.1\n");
    suite_case("dropout 0.3 twice");
    expect_success(train_step(&trial.step));
    expect_share(zeros(&trial, 2), 1 - pow(1 - dropped, 2),
                 "the share that two layers drop");
    trial_end(&trial);
}

/* What was dropped gets no gradient, what was kept gets it larger. */
void trainer_dropout_back(void)
{
    double want[SIDE] = {0}, slack[SIDE];
    struct trial trial;
    const float *out;

    begin(&trial, "dense 16\ndropout 0.3\ndense\ntrain sgd rate 0.1\n");
    suite_case("dropout 0.3 between two dense layers");
    expect_success(train_step(&trial.step));
    expect_share(zeros(&trial, 1), dropped, "the share dropped");
    out = trial.step.d_out[2];
    for (size_t n = 0; n < IMAGES && !suite_failed(); n++) {
        double most = 0, sum = 0;

        for (size_t j = 0; j < SIDE; j++)
            most = fmax(most, (double)out[n * SIDE + j]);
        for (size_t j = 0; j < SIDE; j++)
            sum += exp((double)out[n * SIDE + j] - most);
        for (size_t j = 0; j < SIDE; j++)
            if (out[n * SIDE + j])
                want[j] += (exp((double)out[n * SIDE + j] - most) / sum
                            - (j == trial.step.d_labels[n]))
                           / IMAGES / (1 - dropped);
    }
    for (size_t j = 0; j < SIDE; j++)
        slack[j] = 0x1p-16;
    if (!suite_failed())
        trainer_expect("the first layer's gradient by its bias",
                       trial.step.d_gradients
                           + trial.net.layers[0].bias_at,
                       want, slack, SIDE);
    trial_end(&trial);
}
