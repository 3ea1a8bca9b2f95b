/* SPDX-License-Identifier: MIT */
/* Running a ladder on the soft device. */
#include "bench.h"

#include <errno.h>
#include <string.h>

#include "build.h"
#include "children.h"
#include "house.h"
#include "text.h"

/* Seconds after which no further round of a step is begun. */
static const double enough_seconds = 0.4;

/* One ladder being run. */
struct ladder {
    const struct lab *lab;
    struct target target[2]; /* plain, and one that counts */
    uint64_t seed;           /* of the inputs */
    char scratch[PATH_MAX];  /* folder that runners may write to */
};

/* In a child process: step index / 2, plain or counted. */
static void build_one(void *user, size_t index)
{
    const struct ladder *ladder = user;
    struct built built;

    build_step(&ladder->target[index % 2], ladder->lab,
               ladder->lab->step[index / 2], &built);
}

/* All runners, side by side; each says later why it could not be built. */
static void build_all(struct ladder *ladder)
{
    static char parts[BUILD_OBJECTS][PATH_MAX];
    char error[MESSAGE_TEXT];
    size_t count;

    for (int i = 0; i < 2; i++)
        build_parts(&ladder->target[i], ladder->lab, parts, &count, error);
    children_run(2 * ladder->lab->steps, build_one, ladder);
}

/* A session with a step's runner.  @return false with the reason in `why` */
static bool open_step(const struct ladder *ladder, bool counts,
                      const char *step, struct session *session, char *why)
{
    static struct built built[3];
    static unsigned next;
    struct built *made = &built[next++ % 3]; /* sessions keep the path */
    const struct target *target = &ladder->target[counts];

    build_step(target, ladder->lab, step, made);
    *session = (struct session){
        .runner = made->runner, .folder = ladder->scratch,
        .limits = counts ? grade_watch_limits(ladder->lab, target)
                         : grade_limits(ladder->lab, target)};
    text_put(why, MESSAGE_TEXT, "%s", made->message);
    return made->verdict == PASS;
}

static void count_step(const struct ladder *ladder, const char *step,
                       struct rung *rung)
{
    static struct watch watch;
    const struct lab *lab = ladder->lab;
    size_t index = lab->costs ? lab->cost[0].watched : 0;
    size_t apart = lab_modelled(lab);
    char report[PATH_MAX + 16];
    struct session session;
    struct watching watching = {lab, ladder->seed, &session, true};

    if (!open_step(ladder, true, step, &session, rung->why))
        return;
    text_put(report, sizeof report, "%s/report.json", ladder->scratch);
    session.report = report;
    json_decref(watch_case(&watching, index, &watch));
    if (apart != index)
        json_decref(watch_case(&watching, apart, &watch));
    session_free(&session);
    rung->counted = watch.cases[index];
    rung->counted.modelled = watch.cases[apart].modelled;
    rung->told = rung->counted.outcome.verdict == PASS;
    text_put(rung->why, MESSAGE_TEXT, "%s", rung->counted.outcome.message);
}

static void time_step(const struct ladder *ladder, const char *step,
                      struct rung *rung)
{
    const struct lab *lab = ladder->lab;
    struct task task = {.lab = lab, .target = &ladder->target[0],
                        .seed = ladder->seed, .cpu = true};
    struct session baseline = {0}, session = {0};
    struct session *pair[2] = {&baseline, &session};

    rung->told = open_step(ladder, false, lab->baseline, &baseline, rung->why)
                 && open_step(ladder, false, step, &session, rung->why);
    if (rung->told) {
        grade_pair(&task, 0, enough_seconds, pair, &rung->speed);
        rung->told = rung->speed.verdict == PASS;
        text_put(rung->why, MESSAGE_TEXT, "%s", rung->speed.message);
    }
    session_free(&baseline);
    session_free(&session);
}

void bench_ladder(const struct lab *lab, const struct target *target,
                  uint64_t seed, struct rung rung[LAB_STEPS])
{
    struct ladder ladder = {lab, {*target, *target}, seed, ""};

    memset(rung, 0, LAB_STEPS * sizeof *rung);
    ladder.target[1].watch = WATCH_COUNTS;
    if (!make_temporary(ladder.scratch)) {
        for (size_t i = 0; i < lab->steps; i++)
            text_put(rung[i].why, MESSAGE_TEXT, "no temporary folder: %s",
                     strerror(errno));
        return;
    }
    build_all(&ladder);
    for (size_t i = 0; i < lab->steps && !interrupted(); i++) {
        count_step(&ladder, lab->step[i], &rung[i]);
        if (rung[i].told && lab->speeds)
            time_step(&ladder, lab->step[i], &rung[i]);
    }
}
