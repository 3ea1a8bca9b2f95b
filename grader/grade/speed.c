/* SPDX-License-Identifier: MIT */
/* Timing a submission against the lab's baseline.
 *
 * Both runners stay alive and are timed alternately (A B A B ...), so that
 * other load on the machine affects both.  Every timed call has fresh inputs,
 * and its output is checked like a test's.  The overhead of the channel is
 * measured with empty calls of the baseline's runner and subtracted from
 * both. */
#include <errno.h>
#include <string.h>

#include "grader/build/build.h"
#include "grade.h"
#include "common/base/paths.h"
#include "score.h"
#include "grader/suite/state.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"

enum { MIN_ROUNDS = 3, MAX_ROUNDS = 7, CHANNEL_ROUNDS = 2 };

/* Seconds after which no further round of a timed run starts. */
static const double rounds_seconds = 1.5;
/* Fraction of the points that the spread of the ratios may decide. */
static const double max_noise = 0.5;

/* State of one timed run. */
struct timing {
    const struct task *task;
    const struct suite_test *test;
    double seconds_limit;  /* after which no further round starts */
    double overhead; /* seconds of an empty call */
    double times[2][MAX_ROUNDS];
    int rounds;
};

/* One call.  @return its seconds, or -1 with the error in `outcome` */
static double time_call(const struct timing *timing, struct session *session,
                        bool only_overhead, struct outcome *outcome)
{
    test_begin(session, timing->task->lab, timing->task->seed
               + (uint64_t)timing->rounds + 1, timing->test->name, outcome);
    if (only_overhead)
        test_measure_overhead();
    timing->test->run();
    test_end();
    if (outcome->verdict != PASS)
        return -1;
    return timing->task->use_cpu_time ? suite_state.reply.cpu_seconds
                             : outcome->seconds;
}

/* The fastest empty call is the overhead of every call. */
static bool measure_overhead(struct timing *timing, struct session *baseline,
                             struct outcome *outcome)
{
    for (int i = 0; i < CHANNEL_ROUNDS; i++) {
        double seconds = time_call(timing, baseline, true, outcome);

        if (seconds < 0)
            return false;
        if (i == 0 || seconds < timing->overhead)
            timing->overhead = seconds;
    }
    return true;
}

/* The result stays above 5 % of the measurement. */
static double subtract_overhead(const struct timing *timing, double seconds)
{
    double left = seconds - timing->overhead;

    return left > seconds * 0.05 ? left : seconds * 0.05;
}

/* Rounds of A and B after a warm-up.  @return the side that failed, or -1 */
static int time_rounds(struct timing *timing, struct session *pair[2],
                       struct outcome *outcome)
{
    double start = 0;

    for (int round = -1; round < MAX_ROUNDS; round++) {
        if (round >= MIN_ROUNDS
            && clock_seconds() - start > timing->seconds_limit)
            break;
        if (round == 0)
            start = clock_seconds();
        for (int side = 0; side < 2; side++) {
            double seconds = time_call(timing, pair[side], false, outcome);

            if (seconds < 0)
                return side;
            if (round >= 0)
                timing->times[side][round] = subtract_overhead(timing, seconds);
        }
        timing->rounds = round + 1;
    }
    return -1;
}

static void summarize_rounds(struct timing *timing, struct speed_outcome *speed)
{
    double ratios[MAX_ROUNDS];

    for (int i = 0; i < timing->rounds; i++)
        ratios[i] = timing->times[0][i] / timing->times[1][i];
    speed->rounds = timing->rounds;
    speed->ratio = score_median(ratios, (size_t)timing->rounds);
    speed->spread = (ratios[timing->rounds - 1] - ratios[0]) / speed->ratio;
    speed->baseline = score_median(timing->times[0], (size_t)timing->rounds);
    speed->seconds = score_median(timing->times[1], (size_t)timing->rounds);
}

void time_pair(const struct task *task, size_t index, double seconds,
               struct session *pair[2], struct speed_outcome *speed)
{
    struct timing timing = {.task = task, .seconds_limit = seconds,
                            .test = &task->lab->suite->speeds[index]};
    struct outcome outcome = {0};
    int failed = 0;

    *speed = (struct speed_outcome){.verdict = UNMEASURED};
    if (measure_overhead(&timing, pair[0], &outcome))
        failed = time_rounds(&timing, pair, &outcome);
    if (failed < 0) {
        speed->verdict = PASS;
        summarize_rounds(&timing, speed);
        return;
    }
    if (failed == 1)
        speed->verdict = outcome.verdict;
    text_format(speed->message, MESSAGE_SIZE, "%s%s",
                failed == 0 ? "the baseline failed: " : "", outcome.message);
}

/* Does the noise decide about too many points? */
static bool is_inconclusive(const struct task *task, size_t i,
                            const struct speed_outcome *speed)
{
    const struct lab_speed *wanted = &task->lab->speed[i];
    enum device_kind device = task->target->kind;
    double low = score_fraction(speed->ratio * (1 - speed->spread / 2),
                                wanted->target[device]);
    double high = score_fraction(speed->ratio * (1 + speed->spread / 2),
                                 wanted->target[device]);

    return wanted->points[device] > 0 && speed->verdict == PASS
           && high - low > max_noise;
}

/* Measure one timed run, and again when the result is inconclusive. */
static void measure_twice(const struct task *task, size_t i,
                          struct session *pair[2],
                          struct speed_outcome *speed)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        time_pair(task, i, rounds_seconds, pair, speed);
        if (!is_inconclusive(task, i, speed))
            return;
    }
    speed->verdict = UNMEASURED;
    text_format(speed->message, MESSAGE_SIZE,
                "inconclusive twice: ratio %.2f, but spread over %.0f %%",
                speed->ratio, 100 * speed->spread);
}

/* Do the settings have a timed run for this device? */
static bool is_timed(const struct task *task)
{
    for (size_t i = 0; i < task->lab->speeds; i++)
        if (task->lab->speed[i].target[task->target->kind] > 0)
            return true;
    return false;
}

void grade_speed(const struct task *task, struct session *session,
                 struct report *report)
{
    char scratch[PATH_MAX];
    struct session baseline;
    struct session *pair[2] = {&baseline, session};
    struct build_result built = {.verdict = INTERNAL};

    if (!is_timed(task))
        return;
    if (temp_dir_create(scratch))
        build_ladder_step(task->target, task->lab, task->lab->baseline, &built);
    else
        text_format(built.message, MESSAGE_SIZE, "%s", strerror(errno));
    report->timed = true;
    baseline = (struct session){.runner = built.runner, .folder = scratch,
                                .limits = session->limits,
                                .gpu = session->gpu};
    for (size_t i = 0; i < task->lab->speeds && !interrupted(); i++) {
        report->speed[i].verdict = UNMEASURED;
        if (task->lab->speed[i].target[task->target->kind] <= 0)
            continue;
        if (built.verdict == PASS)
            measure_twice(task, i, pair, &report->speed[i]);
        else
            text_format(report->speed[i].message, MESSAGE_SIZE,
                        "the baseline %s cannot be built: %.200s",
                        task->lab->baseline, built.message);
    }
    session_free(&baseline);
}
