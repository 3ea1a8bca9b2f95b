/* SPDX-License-Identifier: MIT */
/* Running a ladder on the soft device. */
#include "ladder.h"

#include <errno.h>
#include <string.h>

#include "grader/build/build.h"
#include "common/base/process_pool.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"

/* A bench shows the spread instead of measuring again. */
static const struct timing_rules bench_rules = {
    .min_rounds = 3, .max_rounds = 7, .seconds = 0.4, .use_cpu_time = true};

/* A ladder being measured. */
struct ladder {
    const struct lab *lab;
    struct target target[2]; /* plain, and instrumented */
    uint64_t seed;           /* of the inputs */
    char scratch[PATH_MAX];  /* folder that the runners may write to */
};

/* In a child process: build step index / 2, plain or instrumented. */
static void build_one(void *user, size_t index)
{
    const struct ladder *ladder = user;
    struct build_result built;

    build_ladder_step(&ladder->target[index % 2], ladder->lab,
                      ladder->lab->step[index / 2], &built);
}

/* Build all runners in parallel; open_step() reports errors. */
static void build_all(struct ladder *ladder)
{
    char error[MESSAGE_SIZE];

    for (int i = 0; i < 2; i++)
        build_shared(&ladder->target[i], ladder->lab, error);
    process_pool_run(2 * ladder->lab->steps, build_one, ladder);
}

/* Open a session with a step's runner.
 *  @return false with the error in `reason` */
static bool open_step(const struct ladder *ladder, bool counts,
                      const char *step, struct session *session, char *reason)
{
    static struct build_result built[3];
    static unsigned next;
    struct build_result *made = &built[next++ % 3]; /* sessions keep the path */
    const struct target *target = &ladder->target[counts];

    build_ladder_step(target, ladder->lab, step, made);
    *session = (struct session){
        .runner = made->runner, .folder = ladder->scratch,
        .limits = counts ? grade_watch_limits(ladder->lab, target)
                         : grade_limits(ladder->lab, target)};
    text_format(reason, MESSAGE_SIZE, "%s", made->message);
    return made->verdict == PASS;
}

/* Run the counted case and the modeled case under the profiler. */
static void count_step(const struct ladder *ladder, const char *step,
                       struct step_result *step_result)
{
    static struct watch watch;
    const struct lab *lab = ladder->lab;
    size_t index = lab->budgets ? lab->budget[0].watched : 0;
    size_t model_case = lab_model_case(lab);
    char report[PATH_MAX + 16];
    struct session session;
    struct watch_run watch_run = {lab, ladder->seed, &session, true};

    if (!open_step(ladder, true, step, &session, step_result->reason))
        return;
    text_format(report, sizeof report, "%s/report.json", ladder->scratch);
    session.report = report;
    json_decref(watch_case(&watch_run, index, &watch));
    if (model_case != index)
        json_decref(watch_case(&watch_run, model_case, &watch));
    session_free(&session);
    step_result->counted = watch.cases[index];
    step_result->counted.modeled = watch.cases[model_case].modeled;
    step_result->is_measured = step_result->counted.outcome.verdict == PASS;
    text_format(step_result->reason, MESSAGE_SIZE, "%s",
                step_result->counted.outcome.message);
}

/* Time a step in turns with the baseline, both in runners of their own. */
static void time_step(const struct ladder *ladder, const char *step,
                      struct step_result *step_result)
{
    static struct timing timing;
    const struct lab *lab = ladder->lab;
    struct session baseline = {0}, session = {0};
    const struct timed_run run = {.lab = lab, .seed = ladder->seed,
                                  .session = {&baseline, &session, NULL}};

    step_result->is_measured =
        open_step(ladder, false, lab->baseline, &baseline, step_result->reason)
        && open_step(ladder, false, step, &session, step_result->reason);
    if (step_result->is_measured) {
        step_result->is_measured =
            time_interleaved(&run, &bench_rules, &timing);
        if (step_result->is_measured)
            summarize_times(&timing, &step_result->speed);
        text_format(step_result->reason, MESSAGE_SIZE, "%s",
                    timing.outcome.message);
    }
    session_free(&baseline);
    session_free(&session);
}

void bench_ladder(const struct lab *lab, const struct target *target,
                  uint64_t seed, struct step_result step_result[LAB_MAX_STEPS])
{
    struct ladder ladder = {lab, {*target, *target}, seed, ""};

    memset(step_result, 0, LAB_MAX_STEPS * sizeof *step_result);
    ladder.target[1].watch = WATCH_COUNTS;
    if (!temp_dir_create(ladder.scratch)) {
        for (size_t i = 0; i < lab->steps; i++)
            text_format(step_result[i].reason, MESSAGE_SIZE,
                        "no temporary folder: %s", strerror(errno));
        return;
    }
    build_all(&ladder);
    for (size_t i = 0; i < lab->steps && !interrupted(); i++) {
        count_step(&ladder, lab->step[i], &step_result[i]);
        if (step_result[i].is_measured && lab->speeds)
            time_step(&ladder, lab->step[i], &step_result[i]);
    }
}
