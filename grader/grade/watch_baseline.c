/* SPDX-License-Identifier: MIT */
/* Counters of the ladder's first step, for comparison.  They depend on no
 * submission: they are counted once, and kept beside the step's runner. */
#include <string.h>

#include "common/base/file_time.h"
#include "common/base/json_file.h"
#include "common/base/json_member.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "grade.h"
#include "grader/build/build.h"

enum { BASELINE_SEED = 1 }; /* the same inputs for each submission */

/* The counts of one case. */
static void copy_counts(struct watched_case *to,
                        const struct watched_case *from)
{
    to->modeled_baseline = from->modeled;
    for (int i = 0; i < METRICS; i++)
        if (from->counter[i].has_unit)
            to->counter[i].baseline = from->counter[i].value;
}

/* Counts change with the step, with the suite, which is a part of this program,
 * and with the card that is described. */
static bool is_current(const char *path, const char *runner)
{
    char program[PATH_MAX];
    const double made = file_mtime(path);

    text_format(program, sizeof program, "%s/warpbook", program_root());
    return made > file_mtime(runner) && made > file_mtime(program);
}

static bool read_counts(const char *path, const struct task *task,
                        struct watched_case *watched)
{
    json_t *kept = json_load_file(path, 0, NULL);
    const json_t *counts = json_object_get(kept, "counts");
    const bool is_right = json_is_object(counts)
                          && !strcmp(member_text(kept, "model", ""),
                                     task->target->model);

    for (int i = 0; is_right && i < METRICS; i++)
        watched->counter[i].baseline =
            member_number(counts, metric_name((enum metric)i));
    if (is_right)
        watched->modeled_baseline = member_number(kept, "modeled");
    json_decref(kept);
    return is_right;
}

/* A folder that cannot be written to costs time, no more. */
static void keep_counts(const char *path, const struct task *task,
                        const struct watched_case *watched)
{
    json_t *counts = json_object();
    json_t *kept = json_pack("{ss sf so}", "model", task->target->model,
                             "modeled", watched->modeled_baseline, "counts",
                             counts);

    for (int i = 0; i < METRICS; i++)
        if (watched->counter[i].baseline > 0)
            json_object_set_new(counts, metric_name((enum metric)i),
                                json_real(watched->counter[i].baseline));
    (void)write_json(path, kept, JSON_INDENT(1));
    json_decref(kept);
}

void grade_watch_baseline(const struct task *task, struct watch *watch)
{
    static struct watch baseline;
    struct target target = *task->target;
    struct task same_inputs = *task;
    const size_t index = task->lab->budget[0].watched;
    struct watched_case *watched = &watch->cases[index];
    struct build_result built;
    char path[PATH_MAX];

    target.watch = WATCH_FINDINGS | WATCH_COUNTS;
    build_ladder_step(&target, task->lab, task->lab->baseline, &built);
    if (built.verdict != PASS)
        return;
    text_format(path, sizeof path, "%.4000s.counts-%zu", built.runner, index);
    if (is_current(path, built.runner) && read_counts(path, task, watched))
        return;
    memset(&baseline, 0, sizeof baseline);
    same_inputs.seed = BASELINE_SEED;
    if (!grade_watch_run(&same_inputs, built.runner, (int)index, &baseline))
        return;
    copy_counts(watched, &baseline.cases[index]);
    if (baseline.cases[index].outcome.verdict == PASS && !interrupted())
        keep_counts(path, task, watched);
}
