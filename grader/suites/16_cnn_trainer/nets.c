/* SPDX-License-Identifier: MIT */
/* Lab 16's suite: one step of networks of several kinds. */
#include "suite_16.h"
#include "suites/gradient.h"

static const int counts[] = {1, 2, 7, 16};

/* Two steps with each of several numbers of images. */
static void try_net(const struct plan *plan, size_t most)
{
    for (size_t i = 0; i < most && !suite_failed(); i++) {
        struct trial trial;

        trial_case(plan, counts[i]);
        trial_begin(&trial, plan, counts[i]);
        for (int step = 0; step < 2 && !suite_failed(); step++) {
            trial_draw(&trial, counts[i]);
            trial_step(&trial);
        }
        trial_end(&trial);
    }
}

static void try_all(const struct plan *plans, size_t many)
{
    for (size_t i = 0; i < many && !suite_failed(); i++)
        try_net(&plans[i], COUNT(counts) - (i > 1));
}

/* Outputs of hundreds, whose exponentials no float holds. */
static void large_outputs(void)
{
    static const struct plan plan = {
        "dense\ntrain sgd rate 0.1\n", {1, 4, 4}, 5};
    struct trial trial;

    suite_case("outputs of some hundreds");
    if (trial_begin(&trial, &plan, 6)) {
        trial_draw(&trial, 6);
        for (size_t i = 0; i < trial.net.parameters; i++) {
            trial.step.d_parameters[i] *= 1000;
            trial.x->parameters[i] = (double)trial.step.d_parameters[i];
        }
        trial_step(&trial);
    }
    trial_end(&trial);
}

void trainer_dense(void)
{
    static const struct plan plans[] = {
        {"dense\ntrain sgd rate 0.1\n", {1, 5, 3}, 3},
        {"dense 7\nrelu\ndense\ntrain sgd rate 0.1\n", {2, 3, 3}, 10},
        {"dense 33\nrelu\ndense 20\nrelu\ndense\ntrain sgd rate 0.1\n",
         {1, 6, 6}, 17}};

    try_all(plans, COUNT(plans));
    large_outputs();
}

void trainer_conv(void)
{
    static const struct plan plans[] = {
        {"conv 3 3x3\nrelu\ndense\ntrain sgd rate 0.1\n", {1, 6, 5}, 4},
        {"conv 4 3x2 stride 2 pad 1\nrelu\nmaxpool 2\ndense\n"
         "train sgd rate 0.1\n", {2, 9, 8}, 5},
        {"conv 5 3x3 pad 1\nmaxpool 3 stride 2\nrelu\nconv 6 3x2 pad 1\nrelu\n"
         "maxpool 2\ndense 9\nrelu\ndense\ntrain sgd rate 0.1\n",
         {3, 9, 10}, 10}};

    try_all(plans, COUNT(plans));
}

/* Whole numbers: many elements of a window are equal. */
void trainer_ties(void)
{
    static const struct plan plan = {
        "conv 3 2x2\nmaxpool 2\ndense\ntrain sgd rate 0.1\n", {1, 9, 9}, 4};
    struct trial trial;
    size_t n;

    suite_case("many equal elements in a window");
    if (trial_begin(&trial, &plan, 6)) {
        const struct layer *conv = &trial.net.layers[0];

        n = 6 * layer_elements(&trial.net.in);
        trial_draw(&trial, 6);
        random_whole(trial.step.d_images, n, 0, 1);
        random_whole(trial.step.d_parameters + conv->weight_at,
                     conv->weights, -1, 1);
        random_whole(trial.step.d_parameters + conv->bias_at, conv->biases,
                     -1, 1);
        for (size_t i = 0; i < n; i++)
            trial.images[i] = (double)trial.step.d_images[i];
        for (size_t i = 0; i < trial.net.parameters; i++)
            trial.x->parameters[i] = (double)trial.step.d_parameters[i];
        trial_step(&trial);
    }
    trial_end(&trial);
}

void trainer_norm(void)
{
    static const struct plan plans[] = {
        {"dense 6\nbatchnorm\nrelu\ndense\ntrain sgd rate 0.1\n",
         {1, 4, 4}, 5},
        {"conv 5 3x3\nbatchnorm\nrelu\nmaxpool 2\ndense 7\nbatchnorm\n"
         "dense\ntrain sgd rate 0.1\n", {2, 8, 7}, 4}};

    for (size_t i = 0; i < COUNT(plans) && !suite_failed(); i++)
        for (int count = 5; count < 14 && !suite_failed(); count += 8) {
            struct trial trial;

            trial_case(&plans[i], count);
            trial_begin(&trial, &plans[i], count);
            for (int step = 0; step < 3 && !suite_failed(); step++) {
                trial_draw(&trial, count);
                trial_step(&trial);
            }
            trial_end(&trial);
        }
}

void trainer_norm_first(void)
{
    static const struct plan plans[] = {
        {"batchnorm\ndense\ntrain sgd rate 0.1\n", {3, 3, 3}, 4},
        {"batchnorm\nconv 4 3x3\nrelu\ndense\ntrain sgd rate 0.1\n",
         {5, 6, 6}, 4},
        {"relu\nmaxpool 2\ndense\ntrain sgd rate 0.1\n", {2, 6, 6}, 4}};

    for (size_t i = 0; i < COUNT(plans) && !suite_failed(); i++) {
        struct trial trial;

        trial_case(&plans[i], 9);
        if (trial_begin(&trial, &plans[i], 9)) {
            trial_draw(&trial, 9);
            trial_step(&trial);
        }
        trial_end(&trial);
    }
}

/* Room for 12 images, and fewer of them. */
void trainer_partial(void)
{
    static const struct plan plan = {
        "conv 4 3x3 pad 1\nbatchnorm\nrelu\nmaxpool 2\ndense 8\nrelu\ndense\n"
        "train momentum rate 0.1 momentum 0.9\n", {1, 8, 8}, 6};
    static const int some[] = {12, 5, 3, 12, 2};
    struct trial trial;

    suite_case("room for 12 images");
    trial_begin(&trial, &plan, 12);
    for (size_t i = 0; i < COUNT(some) && !suite_failed(); i++) {
        suite_case("%d images, room for 12, step %zu", some[i], i + 1);
        trial_draw(&trial, some[i]);
        trial_step(&trial);
    }
    trial_end(&trial);
}

static double loss_at(const double *at, const void *context)
{
    const struct trial *trial = context;

    memcpy(trial->x->parameters, at, trial->net.parameters * sizeof *at);
    return reference_loss(trial->x, trial->images, trial->step.d_labels,
                          trial->step.count);
}

/* The gradient is the loss's slope, whatever formula gave it. */
void trainer_differences(void)
{
    static const struct plan plans[] = {
        {"dense 6\nbatchnorm\ndense\ntrain sgd rate 0.1\n", {1, 3, 4}, 3},
        {"conv 3 3x3 pad 1\nbatchnorm\ndense\ntrain sgd rate 0.1\n",
         {2, 4, 4}, 3}};

    for (size_t i = 0; i < COUNT(plans) && !suite_failed(); i++) {
        struct trial trial;
        double *at;

        trial_case(&plans[i], 8);
        if (trial_begin(&trial, &plans[i], 8)) {
            trial_draw(&trial, 8);
            at = suite_doubles(trial.net.parameters);
            memcpy(at, trial.x->parameters,
                   trial.net.parameters * sizeof *at);
            expect_success(train_step(&trial.step));
            expect_gradient(&(struct gradient){
                .name = "gradients", .loss = loss_at, .context = &trial,
                .at = at, .got = trial.step.d_gradients,
                .n = trial.net.parameters, .steps = 256});
        }
        trial_end(&trial);
    }
}
