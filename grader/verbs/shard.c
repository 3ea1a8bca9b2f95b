/* SPDX-License-Identifier: MIT */
/* warpbook shard: one task of an array of warpbook autograde --slurm. */
#include <stdio.h>

#include "boxes.h"
#include "common.h"
#include "common/base/process.h"
#include "grader/autograde/batch.h"
#include "grader/autograde/cluster.h"
#include "grader/autograde/settings.h"

/* Prepare a batch as autograde does, from the results folder alone. */
static bool open_batch(struct store *store, const struct cluster_task *task,
                       struct course *course, struct batch *batch,
                       struct failure *failure)
{
    struct roster roster = {0};
    bool ok;

    *batch = (struct batch){.store = store, .course = course};
    ok = settings_load(store, &(struct given){0}, course, &roster, failure)
         && target_find(task->device, &batch->target, failure->text)
         && batch_secret(batch, NULL, failure);
    roster_free(&roster);
    return ok;
}

static int grade_shard(struct store *store, const struct cluster_task *task)
{
    static struct course course;
    static struct batch batch;
    struct failure failure;

    if (!boxes_open(&(struct options){.tier = task->tier}, true))
        return EXIT_GRADER_ERROR;
    if (!open_batch(store, task, &course, &batch, &failure)
        || !cluster_task_run(task, &batch, &failure))
        return report_error(EXIT_GRADER_ERROR, "%s", failure.text);
    printf("%zu graded, %zu had a result already, %zu not graded\n",
           batch.graded, batch.present, batch.failed);
    return batch.failed ? EXIT_GRADER_ERROR : EXIT_FULL;
}

static int shard(const struct options *options)
{
    struct cluster_task task;
    struct store store;
    struct failure failure;
    int code;

    if (!store_open(options->words[0], STORE_READ, &store, &failure))
        return report_error(EXIT_USAGE, "%s", failure.text);
    if (cluster_task_open(&store, options->words[1], &task, &failure)) {
        code = grade_shard(&store, &task);
        cluster_task_close(&task);
    } else {
        code = report_error(EXIT_USAGE, "%s", failure.text);
    }
    store_close(&store);
    return code;
}

const struct verb verb_shard = {
    "shard", "RESULTS RUN", "grade one task's part; started by Slurm",
    "One task of the array that warpbook autograde --slurm submits. Slurm's "
    "environment names the task.",
    "", 2, 2, shard};
