/* SPDX-License-Identifier: MIT */
/* Lab 16's suite: evaluation, learning, the same bits; the watched cases. */
#include "suite_16.h"

static const struct plan all_kinds = {
    "batchnorm\nconv 5 3x3 pad 1\nbatchnorm\nrelu\nmaxpool 2\ndropout 0.5\n"
    "dense 9\nrelu\ndense\ntrain adamw rate 0.01 decay 0.1\n", {2, 8, 6}, 5};

void trainer_evaluate(void)
{
    static const int some[] = {8, 3, 1, 8};
    struct trial trial;

    suite_case("a net of all kinds");
    trial_begin(&trial, &all_kinds, 8);
    for (size_t i = 0; i < COUNT(some) && !suite_failed(); i++) {
        suite_case("evaluation %zu, %d images, room for 8", i + 1, some[i]);
        trial_draw(&trial, some[i]);
        trial_evaluate(&trial);
    }
    trial_end(&trial);
}

/* Mean loss of the step's images, as evaluation has it. */
static double loss_now(struct trial *trial)
{
    trial->step.d_totals[0] = trial->step.d_totals[1] = 0;
    expect_success(train_evaluate(&trial->step));
    return (double)trial->step.d_totals[0] / trial->step.count;
}

/* Twelve images with any labels are learnt by heart. */
void trainer_learns(void)
{
    static const struct plan plan = {
        "conv 6 3x3\nrelu\nmaxpool 2\ndense 16\nrelu\ndense\n"
        "train adam rate 0.02\n", {1, 8, 8}, 4};
    struct trial trial;
    double first, last;

    suite_case("25 steps of Adam with the same 12 images");
    if (trial_begin(&trial, &plan, 12)) {
        trial_draw(&trial, 12);
        *trial.step.d_rate = 0.02f;
        first = loss_now(&trial);
        for (int i = 0; i < 25 && !suite_failed(); i++)
            expect_success(train_step(&trial.step));
        last = loss_now(&trial);
        expect_that(last < 0.5 * first,
                    "the loss went from %.4f to %.4f only", first, last);
        expect_that(trial.step.d_totals[1] >= 10,
                    "%g of 12 images are chosen rightly",
                    (double)trial.step.d_totals[1]);
    }
    trial_end(&trial);
}

/* Two steps from the same state. */
static void step_twice(struct trial *trial, const unsigned char *before)
{
    memcpy(trial->memory, before, trial->bytes);
    expect_success(train_step(&trial->step));
    expect_success(train_step(&trial->step));
}

/* The same in another order of blocks and threads, and out of a graph, which
 * is how the trainer makes its steps. */
void trainer_again(void)
{
    enum { ORDERS = 3 };
    unsigned char *before, *after;
    struct trial trial;

    suite_case("a net of all kinds");
    if (trial_begin(&trial, &all_kinds, 11)) {
        const size_t kept =
            (size_t)((unsigned char *)trial.step.d_totals - trial.memory) + 8;

        trial_draw(&trial, 11);
        before = suite_bytes(trial.bytes);
        after = suite_bytes(trial.bytes);
        memcpy(before, trial.memory, trial.bytes);
        for (unsigned order = 0; order <= ORDERS && !suite_failed(); order++) {
            suite_case("two steps, order %u", order);
            if (order == ORDERS) {
                suite_case("two steps, captured into graphs");
                suite_captured();
            } else if (order) {
                suite_reorder(order);
            }
            step_twice(&trial, before);
            if (!order)
                memcpy(after, trial.memory, trial.bytes);
            expect_that(suite_failed() || !memcmp(after, trial.memory, kept),
                        "the same arrays gave other bits");
        }
    }
    trial_end(&trial);
}

static void frees(size_t n)
{
    struct trial trial;

    suite_case("%zu images", n);
    if (trial_begin(&trial, &all_kinds, (int)n)) {
        trial_draw(&trial, (int)n);
        for (int i = 0; i < 3; i++)
            expect_success(train_step(&trial.step));
        expect_success(train_evaluate(&trial.step));
    }
    trial_end(&trial);
}

void trainer_frees(void)
{
    suite_frees(frees, 10);
}

/* A small network: what a step launches and moves. */
void trainer_watched(void)
{
    static const struct plan plan = {
        "conv 4 3x3 pad 1\nrelu\nmaxpool 2\ndense 16\nrelu\ndense\n"
        "train momentum rate 0.1 momentum 0.9\n", {1, 8, 8}, 10};
    struct trial trial;

    suite_case("a small network, 8 images");
    if (trial_begin(&trial, &plan, 8)) {
        trial_draw(&trial, 8);
        trial_step(&trial);
    }
    trial_end(&trial);
    expect_cost(COST_LAUNCHES, 1, 1, "launches a step");
    expect_cost(COST_SECTORS, 1000, 1000, "thousand sectors a step");
}

/* The other kinds of layers, an odd number of images. */
void trainer_small(void)
{
    static const struct plan plan = {
        "batchnorm\nrelu\ndropout 0.5\ndense\n"
        "train adamw rate 0.01 decay 0.1 clip 1\n", {2, 4, 3}, 5};
    struct trial trial;

    suite_case("batchnorm, dropout, AdamW; 3 images");
    if (trial_begin(&trial, &plan, 4)) {
        trial_draw(&trial, 3);
        expect_success(train_step(&trial.step));
        expect_success(train_evaluate(&trial.step));
    }
    trial_end(&trial);
}

/* LeNet as it is trained. */
void trainer_timed(void)
{
    static const struct plan plan = {
        "conv 6 5x5 pad 2\nrelu\nmaxpool 2\nconv 16 5x5\nrelu\nmaxpool 2\n"
        "dense 120\nrelu\ndense 84\nrelu\ndense\n"
        "train momentum rate 0.05 momentum 0.9\n", {1, 28, 28}, 10};
    const int count = (int)suite_size(16, 256);
    struct trial trial;

    suite_case("LeNet, %d images", count);
    if (trial_begin(&trial, &plan, count)) {
        trial_draw(&trial, count);
        trial_step(&trial);
    }
    trial_end(&trial);
}
