/* SPDX-License-Identifier: MIT */
/* Timing a submission against the lab's baseline.
 *
 * Both runners stay alive and take turns (A B A B ...), so that what disturbs
 * the machine disturbs both.  Every timed call has fresh inputs and its output
 * is checked like a test's.  What the channel itself costs is measured with
 * the baseline's runner by calls that do all but call the lab, and taken off
 * both sides. */
#include <errno.h>
#include <string.h>

#include "build.h"
#include "grade.h"
#include "house.h"
#include "score.h"
#include "suite_state.h"
#include "text.h"

enum { ROUNDS_LEAST = 3, ROUNDS_MOST = 7, CHANNEL_ROUNDS = 2 };

/* Seconds of a grade after which no further round of a timed run is begun. */
static const double grade_seconds = 1.5;
/* Share of the points that the spread of the ratios may be worth. */
static const double share_noise = 0.5;

/* One timed run being measured. */
struct timing {
    const struct task *task;
    const struct suite_test *test;
    double enough;  /* seconds after which no further round is begun */
    double channel; /* seconds of a call that does nothing */
    double times[2][ROUNDS_MOST];
    int rounds;
};

/* One call; returns its seconds, or -1 with the outcome saying why. */
static double time_once(const struct timing *timing, struct session *session,
                        bool only_channel, struct outcome *outcome)
{
    test_begin(session, timing->task->lab, timing->task->seed
               + (uint64_t)timing->rounds + 1, timing->test->name, outcome);
    if (only_channel)
        test_measure_channel();
    timing->test->run();
    test_end();
    if (outcome->verdict != PASS)
        return -1;
    return timing->task->cpu ? suite_state.answer.cpu_seconds
                             : outcome->seconds;
}

/* The cheapest call that does nothing: what every call pays at least. */
static bool time_channel(struct timing *timing, struct session *baseline,
                         struct outcome *outcome)
{
    for (int i = 0; i < CHANNEL_ROUNDS; i++) {
        double seconds = time_once(timing, baseline, true, outcome);

        if (seconds < 0)
            return false;
        if (i == 0 || seconds < timing->channel)
            timing->channel = seconds;
    }
    return true;
}

/* Takes off the channel's share; never all of it. */
static double net(const struct timing *timing, double seconds)
{
    double left = seconds - timing->channel;

    return left > seconds * 0.05 ? left : seconds * 0.05;
}

/* Rounds of A and B.  The first warms up and does not count. */
static int time_rounds(struct timing *timing, struct session *pair[2],
                       struct outcome *outcome)
{
    double start = 0;

    for (int round = -1; round < ROUNDS_MOST; round++) {
        if (round >= ROUNDS_LEAST && clock_seconds() - start > timing->enough)
            break;
        if (round == 0)
            start = clock_seconds();
        for (int side = 0; side < 2; side++) {
            double seconds = time_once(timing, pair[side], false, outcome);

            if (seconds < 0)
                return side;
            if (round >= 0)
                timing->times[side][round] = net(timing, seconds);
        }
        timing->rounds = round + 1;
    }
    return -1;
}

static void conclude(struct timing *timing, struct speed_outcome *speed)
{
    double ratios[ROUNDS_MOST];

    for (int i = 0; i < timing->rounds; i++)
        ratios[i] = timing->times[0][i] / timing->times[1][i];
    speed->rounds = timing->rounds;
    speed->ratio = score_median(ratios, (size_t)timing->rounds);
    speed->spread = (ratios[timing->rounds - 1] - ratios[0]) / speed->ratio;
    speed->baseline = score_median(timing->times[0], (size_t)timing->rounds);
    speed->seconds = score_median(timing->times[1], (size_t)timing->rounds);
}

void grade_pair(const struct task *task, size_t index, double seconds,
                struct session *pair[2], struct speed_outcome *speed)
{
    struct timing timing = {.task = task, .enough = seconds,
                            .test = &task->lab->suite->speeds[index]};
    struct outcome outcome = {0};
    int failed = 0;

    *speed = (struct speed_outcome){.verdict = UNMEASURED};
    if (time_channel(&timing, pair[0], &outcome))
        failed = time_rounds(&timing, pair, &outcome);
    if (failed < 0) {
        speed->verdict = PASS;
        conclude(&timing, speed);
        return;
    }
    if (failed == 1)
        speed->verdict = outcome.verdict;
    text_put(speed->message, MESSAGE_TEXT, "%s%s",
             failed == 0 ? "the baseline failed: " : "", outcome.message);
}

/* Does the noise decide about points?  Then a number would be a guess. */
static bool too_noisy(const struct task *task, size_t i,
                      const struct speed_outcome *speed)
{
    const struct lab_speed *wanted = &task->lab->speed[i];
    enum device_kind device = task->target->kind;
    double low = score_share(speed->ratio * (1 - speed->spread / 2),
                             wanted->target[device]);
    double high = score_share(speed->ratio * (1 + speed->spread / 2),
                              wanted->target[device]);

    return wanted->points[device] > 0 && speed->verdict == PASS
           && high - low > share_noise;
}

/* Measures one timed run; once more when it was inconclusive. */
static void measure_twice(const struct task *task, size_t i,
                          struct session *pair[2],
                          struct speed_outcome *speed)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        grade_pair(task, i, grade_seconds, pair, speed);
        if (!too_noisy(task, i, speed))
            return;
    }
    speed->verdict = UNMEASURED;
    text_put(speed->message, MESSAGE_TEXT,
             "inconclusive twice: ratio %.2f, but spread over %.0f %%",
             speed->ratio, 100 * speed->spread);
}

/* Does lab.ini ask for a timed run on this device? */
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
    struct built built = {.verdict = INTERNAL};

    if (!is_timed(task))
        return;
    if (make_temporary(scratch))
        build_step(task->target, task->lab, task->lab->baseline, &built);
    else
        text_put(built.message, MESSAGE_TEXT, "%s", strerror(errno));
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
            text_put(report->speed[i].message, MESSAGE_TEXT,
                     "the baseline %s cannot be built: %.200s",
                     task->lab->baseline, built.message);
    }
    session_free(&baseline);
}
