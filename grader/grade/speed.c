/* SPDX-License-Identifier: MIT */
/* Comparing a file with the baseline and the reference: is the measurement fit,
 * and which step of the ladder does it reach? */
#include "speed.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "score.h"
#include "common/base/text.h"

const struct timing_rules card_rules = {
    .min_rounds = 5, .max_rounds = 15, .warm_up = 0.2, .seconds = 1.5,
    .attempts = 3, .pause = 2, .max_drift = 0.03, .max_noise = 0.2,
    .max_width = 0.05};

/* Ratios of two sides, sorted.  @return their median */
static double sort_ratios(const struct timing *timing, enum timed_side side,
                          double ratios[MAX_ROUNDS])
{
    for (int i = 0; i < timing->rounds; i++)
        ratios[i] = timing->seconds[SIDE_BASELINE][i]
                    / timing->seconds[side][i];
    return score_median(ratios, (size_t)timing->rounds);
}

void summarize_times(struct timing *timing, struct speed_outcome *speed)
{
    const size_t rounds = (size_t)timing->rounds;
    double ratios[MAX_ROUNDS];

    if (timing->seconds[SIDE_REFERENCE][0] > 0)
        speed->reference_ratio = sort_ratios(timing, SIDE_REFERENCE, ratios);
    speed->ratio = sort_ratios(timing, SIDE_FILE, ratios);
    speed->rounds = timing->rounds;
    speed->spread = (ratios[rounds - 1] - ratios[0]) / speed->ratio;
    score_interval(ratios, rounds, &speed->low, &speed->high);
    speed->baseline = score_median(timing->seconds[SIDE_BASELINE], rounds);
    speed->seconds = score_median(timing->seconds[SIDE_FILE], rounds);
    speed->reference = score_median(timing->seconds[SIDE_REFERENCE], rounds);
}

/* The stored ladder, unless baseline or reference have changed. */
static bool find_ladder(const struct speed_task *task,
                        struct speed_outcome *speed,
                        struct calibrated_run *ladder)
{
    const struct timed_run *run = &task->run;

    return task->calibration
           && calibration_find(task->calibration, run->lab, run->index, ladder,
                               speed->note)
           && !calibration_has_drifted(ladder, run->lab, speed->baseline,
                                       speed->reference,
                                       task->rules->max_drift, speed->note);
}

/* Name the step that was reached.  @return false when the interval contains a
 * threshold */
static bool find_step(const struct speed_task *task,
                      struct speed_outcome *speed)
{
    const size_t steps = task->run.lab->steps;
    struct calibrated_run ladder;
    size_t straddled;

    speed->step_known = find_ladder(task, speed, &ladder);
    if (!speed->step_known)
        return true;
    speed->step = score_steps(ladder.ratio, steps, speed->ratio);
    straddled = score_straddled(ladder.ratio, steps, speed->low, speed->high);
    if (!straddled)
        return true;
    text_format(speed->message, MESSAGE_SIZE, "the speedup lies between %.3g "
                "and %.3g; step %zu of %zu needs %.3g", speed->low,
                speed->high, straddled, steps,
                score_threshold(ladder.ratio, straddled - 1));
    return false;
}

/* Does the noise decide about few points, or is a ladder's step known well
 * enough? */
static bool is_precise(const struct speed_task *task,
                       struct speed_outcome *speed)
{
    const double noise = score_fraction(speed->high, speed->target)
                         - score_fraction(speed->low, speed->target);

    if (task->is_graded ? noise <= task->rules->max_noise
        : speed->high - speed->low <= task->rules->max_width * speed->ratio)
        return true;
    text_format(speed->message, MESSAGE_SIZE, "the rounds differ: the speedup "
                "lies between %.3g and %.3g", speed->low, speed->high);
    return false;
}

/* Is the measurement of all sides fit to be used?  Else `message` says why. */
static bool is_fit(const struct speed_task *task, const struct timing *timing,
                   double drift, struct speed_outcome *speed)
{
    if (*timing->unfit) {
        text_format(speed->message, MESSAGE_SIZE, "%s", timing->unfit);
        return false;
    }
    if (!(fabs(drift) <= task->rules->max_drift)) {
        text_format(speed->message, MESSAGE_SIZE, "the baseline's own time "
                    "changed by %.1f %% during the run", 100 * fabs(drift));
        return false;
    }
    return find_step(task, speed) && is_precise(task, speed);
}

/* One measurement.  @return true when its verdict is final */
static bool measure_once(const struct speed_task *task,
                         const struct timing_rules *rules,
                         struct speed_outcome *speed)
{
    static struct timing timing;
    const int attempts = speed->attempts + 1;
    double drift;

    *speed = (struct speed_outcome){.verdict = UNMEASURED,
                                    .attempts = attempts};
    if (!time_interleaved(&task->run, rules, &timing)) {
        const bool own = timing.failed == SIDE_FILE;

        if (own)
            speed->verdict = timing.outcome.verdict;
        text_format(speed->message, MESSAGE_SIZE, "%s%s",
                    own ? "" : timing.failed == SIDE_BASELINE
                        ? "the baseline failed: " : "the reference failed: ",
                    timing.outcome.message);
        return own;
    }
    drift = score_drift(timing.seconds[SIDE_BASELINE], (size_t)timing.rounds);
    summarize_times(&timing, speed);
    speed->target = task->target > 0 ? task->target
                                     : reference_share * speed->reference_ratio;
    if (!is_fit(task, &timing, drift, speed))
        return false;
    speed->verdict = PASS;
    return true;
}

static void pause_for(double seconds)
{
    struct timespec time = {(time_t)seconds,
                            (long)(fmod(seconds, 1) * 1e9)};

    nanosleep(&time, NULL); /* a signal ends it early */
}

static int doubled(int rounds)
{
    return 2 * rounds < MAX_ROUNDS ? 2 * rounds : MAX_ROUNDS;
}

void measure_speed(const struct speed_task *task, struct speed_outcome *speed)
{
    struct timing_rules rules = *task->rules;
    size_t length;

    *speed = (struct speed_outcome){0};
    while (!measure_once(task, &rules, speed)) {
        if (speed->attempts >= rules.attempts || interrupted()) {
            length = strlen(speed->message);
            text_format(speed->message + length, MESSAGE_SIZE - length,
                        " (measured %d times)", speed->attempts);
            return;
        }
        pause_for(rules.pause);
        rules.min_rounds = doubled(rules.min_rounds);
        rules.max_rounds = doubled(rules.max_rounds);
    }
}

bool measure_ladder(const struct speed_task *task, struct session *steps[],
                    struct session *reference, struct calibrated_run *run,
                    char *reason)
{
    const struct lab *lab = task->run.lab;
    double baseline[LAB_MAX_STEPS], references[LAB_MAX_STEPS];
    struct speed_task step = *task;
    const time_t now = time(NULL);

    *run = (struct calibrated_run){0};
    strftime(run->date, sizeof run->date, "%Y-%m-%d", gmtime(&now));
    step.run.session[SIDE_REFERENCE] = reference;
    step.calibration = NULL;
    step.is_graded = false;
    for (size_t i = 0; i < lab->steps; i++) {
        struct speed_outcome speed;

        step.run.session[SIDE_FILE] = steps[i];
        measure_speed(&step, &speed);
        session_kill(steps[i]); /* one runner less on the card */
        if (speed.verdict != PASS) {
            text_format(reason, MESSAGE_SIZE, "%s: %s: %.900s", lab->step[i],
                        verdict_name(speed.verdict), speed.message);
            return false;
        }
        run->ratio[i] = speed.ratio;
        baseline[i] = speed.baseline;
        references[i] = speed.reference;
    }
    run->baseline = score_median(baseline, lab->steps);
    run->reference = score_median(references, lab->steps);
    return true;
}
