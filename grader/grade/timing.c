/* SPDX-License-Identifier: MIT */
/* Timing runners in turns. */
#include "timing.h"

#include <string.h>

#include "grader/suite/state.h"
#include "score.h"
#include "common/base/text.h"

enum { CHANNEL_ROUNDS = 2 };

/* A run in progress. */
struct interleaving {
    const struct timed_run *run;
    const struct timing_rules *rules;
    struct timing *timing;
    double overhead; /* seconds of an empty call */
    uint64_t round;  /* counts warm-up rounds, too */
};

/* One call.  @return its seconds, or -1 with the error in timing->outcome */
static double time_call(const struct interleaving *state, enum timed_side side,
                        bool only_overhead)
{
    const struct timed_run *run = state->run;
    const struct suite_test *test = &run->lab->suite->speeds[run->index];
    struct outcome *outcome = &state->timing->outcome;

    test_begin(run->session[side], run->lab, run->seed + state->round,
               test->name, outcome);
    if (only_overhead)
        test_measure_overhead();
    test->run();
    test_end();
    if (outcome->verdict != PASS) {
        state->timing->failed = side;
        return -1;
    }
    return state->rules->use_cpu_time ? suite_state.reply.cpu_seconds
                                      : outcome->seconds;
}

/* The fastest empty call is the overhead of every call. */
static bool measure_overhead(struct interleaving *state)
{
    for (int i = 0; i < CHANNEL_ROUNDS; i++) {
        double seconds = time_call(state, SIDE_BASELINE, true);

        if (seconds < 0)
            return false;
        if (i == 0 || seconds < state->overhead)
            state->overhead = seconds;
    }
    return true;
}

/* The result stays above 5 % of the measurement. */
static double subtract_overhead(const struct interleaving *state,
                                double seconds)
{
    double left = seconds - state->overhead;

    return left > seconds * 0.05 ? left : seconds * 0.05;
}

/* A call of each side.  Their times are stored unless `round` is negative. */
static bool make_round(struct interleaving *state, int round)
{
    state->round++;
    for (int side = 0; side < SIDES; side++) {
        double seconds;

        if (!state->run->session[side])
            continue;
        seconds = time_call(state, (enum timed_side)side, false);
        if (seconds < 0)
            return false;
        if (round >= 0)
            state->timing->seconds[side][round] =
                subtract_overhead(state, seconds);
    }
    return true;
}

/* Look at the card, with our runners on it; the first reason is kept. */
static void check_card(const struct interleaving *state)
{
    char *unfit = state->timing->unfit;
    unsigned own = 0;

    for (int side = 0; side < SIDES; side++)
        own += state->run->session[side] && state->run->session[side]->alive;
    if (state->run->card && !*unfit)
        card_is_unfit(state->run->card, own, unfit);
}

static bool make_rounds(struct interleaving *state)
{
    const struct timing_rules *rules = state->rules;
    double start = clock_seconds();

    do {
        if (!make_round(state, -1))
            return false;
    } while (clock_seconds() - start < rules->warm_up);
    start = clock_seconds();
    for (int round = 0; round < rules->max_rounds; round++) {
        if (round >= rules->min_rounds
            && clock_seconds() - start > rules->seconds)
            break;
        if (!make_round(state, round))
            return false;
        check_card(state);
        state->timing->rounds = round + 1;
    }
    return true;
}

bool time_interleaved(const struct timed_run *run,
                      const struct timing_rules *rules, struct timing *timing)
{
    struct interleaving state = {run, rules, timing, 0, 0};

    memset(timing, 0, sizeof *timing);
    timing->failed = -1;
    return measure_overhead(&state) && make_rounds(&state);
}
