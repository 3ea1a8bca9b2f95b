/* SPDX-License-Identifier: MIT */
/* One task of an array: what it may grade, and its report. */
#include "cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/json_member.h"
#include "common/base/process.h"
#include "common/base/random.h"
#include "common/base/text.h"
#include "shard.h"

/* A store in the run's folder. */
static struct store run_store(const struct cluster_task *task)
{
    struct store store = {.folder = task->folder, .lock = -1};

    text_format(store.path, sizeof store.path, "%s", task->run);
    return store;
}

/* Write a text once, into `store`; is it what the file says then?  Several
 * tasks may write at once: each under a name of its own first. */
static bool agrees(const struct cluster_task *task, const struct store *store,
                   const char *name, const char *text, char said[160])
{
    const struct store run = run_store(task);
    char temp[STORE_NAME], *there;
    size_t length = 0;
    bool ok = store_has(store, name);

    if (!ok) {
        text_format(temp, sizeof temp, "%s-%016llx", name,
                    (unsigned long long)random_system_seed());
        ok = store_publish(&run, temp, text, strlen(text))
             && store_rename_once(run.folder, temp, store->folder, name);
    }
    there = ok ? store_read(store, name, &length) : NULL;
    text_format(said, 160, "%s", there ? there : strerror(errno));
    free(there);
    return ok && !strcmp(said, text);
}

/* The array that the folder knows, or the first that runs. */
static bool is_the_array(const struct cluster_task *task,
                         struct failure *failure)
{
    const char *id = getenv("SLURM_ARRAY_JOB_ID");
    const struct store store = run_store(task);
    char said[160];

    if (!id || !*id)
        return fail(failure, "no SLURM_ARRAY_JOB_ID: Slurm starts this, for "
                    "warpbook autograde --slurm");
    return agrees(task, &store, "job", id, said)
           || fail(failure, "array %.20s grades this run, not %.20s", said,
                   id);
}

/* The index comes from Slurm's environment and is checked like any input. */
static bool read_index(struct cluster_task *task, struct failure *failure)
{
    const char *text = getenv("SLURM_ARRAY_TASK_ID");
    char *end = NULL;
    long index = text ? strtol(text, &end, 10) : -1;
    size_t shards = json_array_size(json_object_get(task->about, "shards"));

    if (!text || end == text || *end || index < 0 || (size_t)index >= shards)
        return fail(failure, "SLURM_ARRAY_TASK_ID is no shard of this run");
    task->index = (int)index;
    return true;
}

bool cluster_task_open(const struct store *store, const char *name,
                       struct cluster_task *task, struct failure *failure)
{
    struct store run;
    const char *theirs;

    *task = (struct cluster_task){
        .folder = openat(store->folder, "slurm",
                         O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
    if (task->folder < 0)
        return fail(failure, "%s/slurm: %s: the run has ended", store->path,
                    strerror(errno));
    /* By its descriptor: a folder that gets this name later is another run. */
    text_format(task->run, sizeof task->run, "/proc/self/fd/%d",
                task->folder);
    run = run_store(task);
    task->about = store_json(&run, "run.json");
    theirs = member_text(task->about, "name", "");
    task->device = member_text(task->about, "device", "");
    task->jobs = member_int(task->about, "jobs", 64);
    task->tier = member_text(task->about, "tier", NULL);
    if (strcmp(theirs, name))
        fail(failure, "%s/slurm: the run %.40s has ended", store->path, name);
    else if (read_index(task, failure) && is_the_array(task, failure))
        return true;
    cluster_task_close(task);
    return false;
}

/* Speed depends on the model of the card: all results are of one model. */
static bool is_the_model(const struct cluster_task *task,
                         const struct batch *batch, struct failure *failure)
{
    char said[160];

    return batch->target.kind != DEVICE_GPU
           || agrees(task, batch->store, "device", batch->target.model, said)
           || fail(failure, "this node has %.60s, these results are of %.60s: "
                   "request it by --slurm-gres, or name a new folder",
                   batch->target.model, said);
}

bool cluster_task_run(const struct cluster_task *task, struct batch *batch,
                      struct failure *failure)
{
    struct shard shard;
    json_t *report;
    bool ok;

    if (!is_the_model(task, batch, failure)
        || !shard_claim(task->run, task->index, &shard, failure))
        return false;
    batch->part = json_array_get(json_object_get(task->about, "shards"),
                                 (size_t)task->index);
    batch->shard = &shard;
    batch->jobs = task->jobs ? task->jobs : 1;
    batch->problems = json_array();
    ok = batch_run(batch, failure);
    if (ok && !interrupted() && shard_owns(&shard)) {
        report = json_pack("{sO}", "problems", batch->problems);
        ok = store_write_json(&shard.store, "end", report)
             || fail(failure, "%s/end: %s", shard.store.path, strerror(errno));
        json_decref(report);
    }
    json_decref(batch->problems);
    batch->problems = NULL;
    shard_close(&shard);
    return ok;
}

void cluster_task_close(struct cluster_task *task)
{
    json_decref(task->about);
    if (task->folder >= 0)
        close(task->folder);
    *task = (struct cluster_task){.folder = -1};
}
