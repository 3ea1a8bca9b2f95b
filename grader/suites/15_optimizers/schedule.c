/* SPDX-License-Identifier: MIT */
/* Lab 15's suite: learning-rate schedules. */
#include "mistakes.h"
#include "suite_15.h"

static double learning_rate_at(const struct schedule *options, int step)
{
    const double rate = options->rate, min_rate = options->min_rate;

    if (step <= options->warmup_steps)
        return rate * step / options->warmup_steps;
    if (options->kind == SCHEDULE_STEP)
        return rate * pow(options->factor, (step - 1) / options->step_size);
    if (options->kind == SCHEDULE_CONSTANT)
        return rate;
    if (step >= options->total_steps)
        return min_rate;
    return min_rate
           + (rate - min_rate) / 2
                 * (1 + cos(acos(-1) * (step - options->warmup_steps)
                            / (options->total_steps - options->warmup_steps)));
}

/* A schedule, and the number of the step whose learning rate is wanted. */
struct scheduled_step {
    const struct schedule *options;
    int step;
};

/* The learning rate with a usual mistake that involves min_rate or the length
 * of the cosine. */
static double wrong_cosine(const struct scheduled_step *s, int mistake)
{
    const struct schedule *o = s->options;
    const int step = s->step, warmup = o->warmup_steps;
    const bool after = o->kind == SCHEDULE_COSINE && step > warmup;
    const double angle = step >= o->total_steps
                             ? acos(-1)
                             : acos(-1) * (step - warmup)
                                   / (o->total_steps - warmup);
    const double half = (1 + cos(angle)) / 2, rate = o->rate;

    if (mistake == 17) /* integers: 0 up to the last step */
        return after && step < o->total_steps
                   ? rate : learning_rate_at(o, step);
    if (mistake == 18)
        return step < warmup ? 0 : learning_rate_at(o, step);
    if (mistake == 11 && step <= warmup)
        return o->min_rate + (rate - o->min_rate) * step / warmup;
    if (!after || mistake == 11)
        return learning_rate_at(o, step);
    if (mistake == 12)
        return o->min_rate + (rate - o->min_rate) * cos(angle / 2);
    if (mistake == 13)
        return o->min_rate + rate * half;
    if (mistake == 14)
        return fmax(o->min_rate, rate * half);
    if (mistake == 16)
        return o->min_rate
               + (rate - o->min_rate) / 2
                     * (1 + cos(acos(-1) * fmin(step, o->total_steps)
                                / o->total_steps));
    return o->min_rate
           + (rate - o->min_rate) / 2
                 * (1 + cos(acos(-1)
                            * fmin(1, (double)(step - warmup)
                                          / o->total_steps)));
}

/* The learning rate with each usual mistake, in the order of the texts. */
static double wrong_learning_rate(const struct scheduled_step *s, int mistake)
{
    struct schedule o = *s->options;
    const int step = s->step, warmup = o.warmup_steps;
    const bool is_cosine = o.kind == SCHEDULE_COSINE && step > warmup;
    const bool is_step = o.kind == SCHEDULE_STEP && step > warmup;
    const double cosine = cos(acos(-1) * (step - warmup)
                              / (o.total_steps - warmup));

    switch (mistake) {
    case 0:
        return learning_rate_at(&o, step - 1);
    case 1:
        return learning_rate_at(&o, step + 1);
    case 2: /* step < warmup_steps for step <= warmup_steps */
        o.warmup_steps = step == warmup ? warmup - 1 : warmup;
        break;
    case 3:
        o.warmup_steps = 0;
        break;
    case 4:
        o.min_rate = 0;
        break;
    case 5:
        return !is_cosine ? learning_rate_at(&o, step)
               : o.min_rate + (o.rate - o.min_rate) / 2 * (1 + cosine);
    case 6:
        return is_step ? o.rate * pow(o.factor, step / o.step_size)
                       : learning_rate_at(&o, step);
    case 7:
        return is_step ? o.rate * pow(o.factor, (step - 1 - warmup)
                                                    / o.step_size)
                       : learning_rate_at(&o, step);
    case 8:
    case 9:
        return !is_cosine ? learning_rate_at(&o, step)
               : o.min_rate
                     + (o.rate - o.min_rate) * (mistake == 8 ? cosine
                                                             : 1 + cosine);
    case 10:
        return step <= warmup ? o.rate * (step - 1.0) / warmup
                              : learning_rate_at(&o, step);
    default:
        return wrong_cosine(s, mistake);
    }
    return learning_rate_at(&o, step);
}

/* Would this mistake have changed the step before, which was right? */
static bool differs_before(const struct scheduled_step *s, int mistake)
{
    const struct scheduled_step before = {s->options, s->step - 1};
    const double right = learning_rate_at(s->options, s->step - 1);

    return s->step > 1
           && fabs(wrong_learning_rate(&before, mistake) - right)
                  > 64 * 0x1p-24 * s->options->rate;
}

static void schedule_mistakes(struct hypotheses *h, const void *context)
{
    static const char *const texts[] = {
        "the learning rate of the step before",
        "the learning rate of the next step",
        "the learning rate with a warm-up that ends one step early",
        ("the learning rate without the warm-up, or with a cosine that starts "
         "before its end"),
        "the learning rate with a min_rate of 0",
        "a cosine that goes on after total_steps",
        "decreased after step / step_size, should be (step - 1) / step_size",
        "decreased without the steps of the warm-up, which count, too",
        "min_rate + (rate - min_rate) * cos(...), should be * (1 + cos(...)) / "
        "2",
        "min_rate + (rate - min_rate) * (1 + cos(...)), should be half of "
        "that: / 2",
        "the warm-up from 0 on: rate * (step - 1) / warmup_steps",
        "a warm-up that starts at min_rate, should start at 0",
        "a quarter of the cosine's wave, should be half of it",
        "min_rate + rate * (1 + cos(...)) / 2, should be (rate - min_rate)",
        "the larger of min_rate and a cosine that falls to 0",
        "a cosine as long as total_steps, should be without the warm-up",
        "a cosine that starts at step 0, should be at the end of the "
        "warm-up",
        "the learning rate of the cosine's start: a division of integers makes "
        "its progress 0 before the last step",
        "0 before the end of the warm-up, as from step / warmup_steps in "
        "integers"};

    h->needed = 0; /* a rate of 0 is no evidence, and no other agrees */
    for (int k = 0; k < (int)COUNT(texts); k++) {
        if (differs_before(context, k))
            continue;
        hypothesis_values(h)[0] = wrong_learning_rate(context, k);
        hypothesis_try(h, "The formulas are in optimizers.h, with the number "
                       "of the next step.", "%s", texts[k]);
    }
}

/* One step of a schedule, after `steps_done` steps. */
static void check_schedule(const struct schedule *options, int steps_done)
{
    static const char *const names[] = {"constant", "steps", "cosine"};
    const double want = learning_rate_at(options, steps_done + 1);
    const double tolerance = 64 * 0x1p-24 * options->rate;
    int step = steps_done;
    float rate = 0;

    suite_case("%s, warm-up %d, %d steps made", names[options->kind],
               options->warmup_steps, steps_done);
    expect_success(schedule_next_step(options, &step, &rate));
    expect_that(step == steps_done + 1, "the number is %d, should be %d", step,
                steps_done + 1);
    suite_mistakes(schedule_mistakes,
                   &(struct scheduled_step){options, steps_done + 1});
    optimizers_compare("rate", &rate, &want, &tolerance, 1);
    suite_mistakes(NULL, NULL);
}

void optimizers_schedule(void)
{
    const struct schedule all[] = {
        {.kind = SCHEDULE_CONSTANT, .rate = 0.1f},
        {.kind = SCHEDULE_CONSTANT, .rate = 0.1f, .warmup_steps = 10},
        {.kind = SCHEDULE_STEP, .rate = 0.5f, .step_size = 7, .factor = 0.3f},
        {.kind = SCHEDULE_STEP,
         .rate = 0.5f,
         .step_size = 3,
         .factor = 0.5f,
         .warmup_steps = 8},
        {.kind = SCHEDULE_COSINE,
         .rate = 0.1f,
         .total_steps = 30,
         .min_rate = 1e-4f},
        {.kind = SCHEDULE_COSINE,
         .rate = 3,
         .total_steps = 20,
         .warmup_steps = 5},
        {.kind = SCHEDULE_COSINE,
         .rate = 2,
         .total_steps = 25,
         .min_rate = 0.5f,
         .warmup_steps = 9},
        /* the ends of what is valid */
        {.kind = SCHEDULE_STEP, .rate = 0.25f, .step_size = 1, .factor = 1},
        {.kind = SCHEDULE_COSINE,
         .rate = 1,
         .total_steps = 5,
         .min_rate = 0.25f,
         .warmup_steps = 4}};
    static const int late_steps[] = {99, 1000, 123456};

    for (size_t i = 0; i < COUNT(all) && !suite_failed(); i++) {
        for (int steps_done = 0; steps_done < 35 && !suite_failed();
             steps_done++)
            check_schedule(&all[i], steps_done);
        for (size_t k = 0; k < COUNT(late_steps); k++)
            check_schedule(&all[i], late_steps[k]);
    }
}
