/* SPDX-License-Identifier: MIT */
/* A run on a cluster: beginning it, submitting its array, ending it. */
#include "cluster.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster_run.h"
#include "common/base/json_member.h"
#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/random.h"
#include "common/base/remove_tree.h"
#include "common/base/text.h"

enum { PER_TASK = 8, MOST_TASKS = 64 }; /* submissions; unless requested */

static const char schema[] = "warpbook-run/1";

/* The model of the card of earlier results, or nothing. */
static void learn_model(const struct store *store, struct target *target)
{
    size_t length = 0;
    char *text = store_read(store, "device", &length);

    text_format(target->model, sizeof target->model, "%s", text ? text : "");
    free(text);
}

bool cluster_target(const struct store *store, const char *name,
                    struct slurm_request *request, struct target *target,
                    struct failure *failure)
{
    bool gpu = !strcmp(name, "gpu")
               || (!strcmp(name, "auto") && request->gres);

    *target = (struct target){.kind = DEVICE_GPU};
    if (!gpu)
        return target_find(strcmp(name, "auto") ? name : "soft", target,
                           failure->text);
    if (!request->gres)
        request->gres = "gpu:1";
    learn_model(store, target);
    return true;
}

/* --- beginning ------------------------------------------------------------ */

/* Deal the entries out, so that each task gets some of each lab. */
static json_t *make_shards(const json_t *names, int wanted)
{
    size_t count = json_array_size(names);
    size_t most = wanted ? (size_t)wanted : MOST_TASKS;
    size_t tasks = wanted ? most : (count + PER_TASK - 1) / PER_TASK;
    json_t *shards = json_array();

    if (tasks > most)
        tasks = most;
    if (tasks > count)
        tasks = count;
    for (size_t i = 0; i < tasks; i++)
        json_array_append_new(shards, json_object());
    for (size_t i = 0; i < count; i++)
        json_object_set_new(json_array_get(shards, i % tasks),
                            json_string_value(json_array_get(names, i)),
                            json_true());
    return shards;
}

/* Write the folder under another name, then give it its own. */
static bool publish_run(struct cluster_run *run, struct failure *failure)
{
    struct store folder = {.folder = -1, .lock = -1};
    const struct store *store = run->batch->store;
    bool ok;

    text_format(folder.path, sizeof folder.path, "%.4000s/.slurm-XXXXXX",
                store->path);
    ok = mkdtemp(folder.path) && store_open_plain(&folder)
         && store_write_json(&folder, "run.json", run->about)
         && rename(folder.path, run->path) == 0
         && fsync(store->folder) == 0;
    if (!ok) {
        fail(failure, "%s: %s", run->path, strerror(errno));
        remove_tree(folder.path);
    }
    store_close(&folder);
    return ok;
}

/* A random name keeps apart two runs on one file system. */
static void begin_run(struct cluster_run *run, const json_t *names,
                      const struct slurm_request *request, const char *tier)
{
    const struct batch *batch = run->batch;
    char name[40];

    text_format(name, sizeof name, "warpbook-%016llx",
                (unsigned long long)random_system_seed());
    run->about = json_pack("{ss ss ss si so}", "schema", schema, "name", name,
                           "device", device_name(batch->target.kind), "jobs",
                           batch->jobs, "shards",
                           make_shards(names, request->shards));
    if (tier)
        json_object_set_new(run->about, "tier", json_string(tier));
}

/* Fill in a run from run.json. */
static bool read_run_fields(struct cluster_run *run, struct failure *failure)
{
    const json_t *shards = json_object_get(run->about, "shards");

    run->name = member_text(run->about, "name", "");
    run->shards = json_array_size(shards);
    return (!strcmp(member_text(run->about, "schema", ""), schema)
            && *run->name && run->shards && run->shards <= SLURM_SHARDS)
           || fail(failure, "%s/run.json: damaged; end the array, if there is "
                   "one, and remove this folder", run->path);
}

/* --- submitting ----------------------------------------------------------- */

/* One array job, a task a shard; measured times need a node alone. */
static bool submit(struct cluster_run *run,
                   const struct slurm_request *request,
                   struct failure *failure)
{
    static char script[PATH_MAX], program[PATH_MAX], results[PATH_MAX];
    char *command[] = {script, program, "shard", results, (char *)run->name,
                       NULL};
    const struct slurm_array array = {
        .name = run->name, .folder = run->path, .tasks = (int)run->shards,
        .cores = run->batch->jobs, .command = command,
        /* A neighbor would disturb the measured times. */
        .exclusive = run->batch->target.kind == DEVICE_GPU};

    root_path(script, "grader/cluster/task.sh");
    text_format(program, sizeof program, "%.4000s/warpbook", program_root());
    text_format(results, sizeof results, "%.*s",
                (int)(strlen(run->path) - strlen("/slurm")), run->path);
    return slurm_submit(request, &array, run->id, failure);
}

/* Submit the array unless Slurm knows its name.
 * A controller that is busy gets 30 s; it may have taken an array whose id was
 * lost, so that it is asked before each attempt.
 * @param[out] known  it was submitted earlier */
static bool submit_or_find(struct cluster_run *run,
                           const struct slurm_request *request, bool *known,
                           struct failure *failure)
{
    static struct slurm_queue queue;
    double end = clock_seconds() + 30;

    for (;;) {
        bool ok;

        *failure = (struct failure){""};
        ok = slurm_query(run->name, &queue, failure);
        *known = ok && *queue.id;
        if (*known)
            text_format(run->id, sizeof run->id, "%s", queue.id);
        else if (ok)
            ok = submit(run, request, failure);
        if (!ok && interrupted())
            return fail(failure, "interrupted while Slurm was asked: an array "
                        "may run; the same command finds it");
        if (ok || clock_seconds() >= end || !slurm_may_answer_later(failure))
            return ok;
        sleep(1);
    }
}

/* The id of the array, which is submitted once. */
static bool submit_once(struct cluster_run *run,
                        const struct slurm_request *request,
                        struct failure *failure)
{
    struct store folder = {.lock = -1};
    size_t length = 0;
    bool ok, known;
    char *id;

    text_format(folder.path, sizeof folder.path, "%s", run->path);
    if (!store_open_plain(&folder))
        return fail(failure, "%s: %s", run->path, strerror(errno));
    id = store_read(&folder, "job", &length);
    text_format(run->id, sizeof run->id, "%s", id ? id : "");
    known = id != NULL;
    ok = known || submit_or_find(run, request, &known, failure);
    if (ok && known)
        printf("array %s was submitted earlier: waiting for it\n", run->id);
    else if (ok)
        printf("array %s submitted: %zu task%s\n", run->id, run->shards,
               run->shards == 1 ? "" : "s");
    fflush(stdout); /* a log says at once which array it is */
    if (ok && !id && !store_publish(&folder, "job", run->id,
                                    strlen(run->id)))
        ok = fail(failure, "%s/job: %s", run->path, strerror(errno));
    free(id);
    store_close(&folder);
    return ok;
}

/* --- ending --------------------------------------------------------------- */

/* Remove the folder; with logs that somebody has to read, rename it. */
static bool end_run(struct cluster_run *run, struct failure *failure)
{
    char other[PATH_MAX];

    text_format(other, sizeof other, "%.4000s.ended", run->path);
    remove_tree(other);
    if (rename(run->path, other))
        return fail(failure, "%s: %s", run->path, strerror(errno));
    if (run->lost || run->problems)
        printf("logs of the tasks: %s\n", other);
    else
        remove_tree(other);
    return true;
}

/* Grade by one array.
 * @param[out] again  it was an earlier one: there may be more to grade */
static bool run_array(struct cluster_run *run,
                      const struct slurm_request *request, const char *tier,
                      bool *again, struct failure *failure)
{
    struct store folder = {.folder = -1, .lock = -1};
    json_t *names = NULL;
    bool ok = true;

    text_format(folder.path, sizeof folder.path, "%s", run->path);
    *again = access(run->path, F_OK) == 0;
    if (*again)
        run->about = store_json(&folder, "run.json");
    else if (!batch_pending(run->batch, &names, failure)
             || !json_array_size(names)) {
        json_decref(names);
        return !*failure->text;
    } else {
        begin_run(run, names, request, tier);
        ok = publish_run(run, failure);
    }
    json_decref(names);
    ok = ok && read_run_fields(run, failure)
         && submit_once(run, request, failure);
    if (ok && !cluster_wait(run)) {
        printf("array %s goes on; to end it: scancel %s\n", run->id, run->id);
        ok = false;
    }
    return ok && cluster_collect(run, failure) && end_run(run, failure);
}

bool cluster_run(struct batch *batch, const struct slurm_request *request,
                 const char *tier, struct failure *failure)
{
    struct cluster_run run = {.batch = batch};
    char results[PATH_MAX];
    bool ok, again = false;

    *failure = (struct failure){""};
    batch->lists_only = true;
    batch->jobs = batch->jobs ? batch->jobs : 1;
    if (!slurm_is_here(failure))
        return false;
    if (!realpath(batch->store->path, results))
        return fail(failure, "%s: %s", batch->store->path, strerror(errno));
    text_format(run.path, sizeof run.path, "%.4000s/slurm", results);
    do {
        run.about = NULL;
        ok = run_array(&run, request, tier, &again, failure);
        json_decref(run.about);
        if (batch->target.kind == DEVICE_GPU)
            learn_model(batch->store, &batch->target);
    } while (ok && again);
    ok = ok && batch_run(batch, failure);
    batch->graded = run.moved;
    batch->present -= run.moved < batch->present ? run.moved : batch->present;
    return ok;
}
