/* SPDX-License-Identifier: MIT */
/* Lab 16's suite: dropout.  Dense layers with the identity matrix make the
 * dropped elements visible in the output. */
#include "grader/suite/hypothesis.h"
#include "suite_16.h"

enum { SIDE = 16, IMAGES = 64, ALL = SIDE * IMAGES };
static const double drop_probability = 0.3;

/* Creates a network whose dense layers are the identity. */
static void create_identity_net(struct fixture *fixture, const char *text)
{
    const struct net_config net_config = {text, {SIDE, 1, 1}, SIDE};
    struct step *step = &fixture->step;

    suite_case("%s", "dropout 0.3");
    if (!fixture_create(fixture, &net_config, IMAGES))
        return;
    for (int i = 0; i < fixture->net.count; i++) {
        const struct layer *layer = &fixture->net.layers[i];
        float *weights = step->d_parameters + layer->weight_offset;

        for (size_t j = 0; j < layer->weights; j++)
            weights[j] = j % (SIDE + 1) == 0;
        for (size_t j = 0; j < layer->biases; j++)
            step->d_parameters[layer->bias_offset + j] = 0;
    }
    step->count = IMAGES;
    *step->d_learning_rate = 0; /* parameters stay unchanged */
    random_floats(step->d_images, ALL, 1, 2);
    for (int i = 0; i < IMAGES; i++)
        step->d_labels[i] = (unsigned char)(i % SIDE);
}

/* The fraction of zeros; all other elements must be x / (1 - p)^times. */
static double zero_rate(const struct fixture *fixture, int times)
{
    const double factor = pow(1 / (1 - drop_probability), times);
    double *want = suite_doubles(ALL), *tolerance = suite_doubles(ALL),
           none = 0;
    const float *out;

    if (suite_failed())
        return 0;
    out = fixture->step.d_out[fixture->net.count - 1];
    for (size_t i = 0; i < ALL; i++) {
        want[i] = out[i] ? (double)fixture->step.d_images[i] * factor : 0;
        tolerance[i] = want[i] * 0x1p-20;
        none += !out[i];
    }
    trainer_compare("d_out[last]", out, want, tolerance, ALL);
    return none / ALL;
}

static void expect_rate(double rate, double wanted, const char *what)
{
    expect_that(fabs(rate - wanted)
                < 5 * sqrt(wanted * (1 - wanted) / ALL),
                "%s: %.3f, should be near %.3f", what, rate, wanted);
}

/* The fraction of elements that are 0 in one output only. */
static double mismatch_rate(const float *a, const float *b)
{
    double sum = 0;

    for (size_t i = 0; i < ALL; i++)
        sum += !a[i] != !b[i];
    return sum / ALL;
}

void trainer_dropout(void)
{
    const double expected_mismatch =
        2 * drop_probability * (1 - drop_probability);
    const size_t bytes = ALL * sizeof(float);
    float *previous = suite_floats(ALL), *out;
    struct fixture fixture;

    create_identity_net(&fixture, "dropout 0.3\ndense\ntrain sgd rate 0.1\n");
    out = fixture.step.d_out[1];
    for (int i = 0; i < 3 && !suite_failed(); i++) {
        suite_case("dropout 0.3, step %d", i + 1);
        expect_success(train_step(&fixture.step));
        expect_rate(zero_rate(&fixture, 1), drop_probability,
                    "the share dropped");
        if (i && !suite_failed())
            expect_rate(mismatch_rate(previous, out), expected_mismatch,
                        "what another step drops");
        if (!suite_failed())
            memcpy(previous, out, bytes);
    }
    if (!suite_failed()) {
        suite_case("dropout 0.3, step 3 once more");
        *fixture.step.d_step = 2;
        expect_success(train_step(&fixture.step));
        expect_that(suite_failed() || !memcmp(previous, out, bytes),
                    "the same seed and step drop other numbers");
        for (int half = 0; half < 2 && !suite_failed(); half++) {
            suite_case("dropout 0.3, another seed%s",
                       half ? ", in its upper half" : "");
            *fixture.step.d_step = 2;
            fixture.step.seed ^= half ? (uint64_t)1 << 40 : 1;
            expect_success(train_step(&fixture.step));
            if (!suite_failed())
                expect_rate(mismatch_rate(previous, out), expected_mismatch,
                            "what another seed drops");
            memcpy(previous, out, bytes);
        }
        suite_case("dropout 0.3, evaluation");
        expect_success(train_evaluate(&fixture.step));
        expect_that(suite_failed()
                    || !memcmp(fixture.step.d_images, out, bytes),
                    "an evaluation should drop nothing");
    }
    fixture_free(&fixture);
    create_identity_net(
        &fixture, "dropout 0.3\ndropout 0.3\ndense\ntrain sgd rate 0.1\n");
    suite_case("dropout 0.3 twice");
    expect_success(train_step(&fixture.step));
    expect_rate(zero_rate(&fixture, 2), 1 - pow(1 - drop_probability, 2),
                "the share that two layers drop");
    fixture_free(&fixture);
}

/* The gradients of the outputs, without what dropout does to them: its mask and
 * its factor, or the factor alone. */
struct undropped {
    double all[SIDE], unscaled[SIDE];
};

static void dropout_mistakes(struct hypotheses *h, const void *context)
{
    const struct undropped *sums = context;

    memcpy(hypothesis_values(h), sums->all, sizeof sums->all);
    hypothesis_try(h, "Backward, too, the dropped elements are 0 and the "
                   "others have a factor: dropout_backward() is called, with "
                   "the probability and the seed of its own layer (another "
                   "layer's probability is 0: it drops nothing).",
                   "the gradient without the backward pass of the dropout");
    memcpy(hypothesis_values(h), sums->unscaled, sizeof sums->unscaled);
    hypothesis_try(h, "The factor 1 / (1 - P) belongs to the gradient, too.",
                   "the gradient of the elements that are kept, not divided "
                   "by 1 - P");
}

/* A hint where the backward pass wrote gradients of dropout's input, and
 * dropped other elements there than the forward pass. */
static const char *other_elements_hint(const struct fixture *fixture)
{
    const float *out = fixture->step.d_out[1];
    const float *grad = fixture->step.d_out_grad[0];
    size_t zeros = 0, lost = 0;

    for (size_t i = 0; i < ALL; i++) {
        zeros += grad[i] == 0;
        lost += out[i] != 0 && grad[i] == 0;
    }
    return lost > ALL / 20 && zeros < ALL / 2
               ? "d_out_grad[0] shows that the backward pass drops about as "
                 "many elements as the forward pass, but other ones: its seed, "
                 "step number or element number differs."
               : NULL;
}

/* Dropped elements get no gradient, the others a scaled one. */
void trainer_dropout_backward(void)
{
    double want[SIDE] = {0}, tolerance[SIDE];
    struct undropped undropped = {{0}, {0}};
    struct fixture fixture;
    const float *out;

    create_identity_net(&fixture,
                        "dense 16\ndropout 0.3\ndense\ntrain sgd rate 0.1\n");
    suite_case("dropout 0.3 between two dense layers");
    expect_success(train_step(&fixture.step));
    expect_rate(zero_rate(&fixture, 1), drop_probability, "the share dropped");
    out = fixture.step.d_out[2];
    for (size_t n = 0; n < IMAGES && !suite_failed(); n++) {
        double max_logit = 0, sum = 0;

        /* not fmax(): gcc 12 for aarch64 fails when it vectorizes that */
        for (size_t j = 0; j < SIDE; j++)
            if ((double)out[n * SIDE + j] > max_logit)
                max_logit = (double)out[n * SIDE + j];
        for (size_t j = 0; j < SIDE; j++)
            sum += exp((double)out[n * SIDE + j] - max_logit);
        for (size_t j = 0; j < SIDE; j++) {
            const double g = (exp((double)out[n * SIDE + j] - max_logit) / sum
                              - (j == fixture.step.d_labels[n])) / IMAGES;

            undropped.all[j] += g;
            undropped.unscaled[j] += out[n * SIDE + j] ? g : 0;
        }
    }
    for (size_t j = 0; j < SIDE; j++)
        want[j] = undropped.unscaled[j] / (1 - drop_probability);
    suite_mistakes(dropout_mistakes, &undropped);
    for (size_t j = 0; j < SIDE; j++)
        tolerance[j] = 0x1p-16;
    if (!suite_failed())
        trainer_compare("the gradient of the first layer's bias",
                        fixture.step.d_gradients
                        + fixture.net.layers[0].bias_offset,
                        want, tolerance, SIDE);
    if (suite_says("the gradient of the first layer's bias"))
        suite_hint(other_elements_hint(&fixture));
    suite_mistakes(NULL, NULL);
    fixture_free(&fixture);
}
