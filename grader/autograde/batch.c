/* SPDX-License-Identifier: MIT */
/* The supervisor: which submissions need a result, and which is graded next. */
#include "batch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/json_member.h"
#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "grader/build/build.h"
#include "job.h"
#include "progress.h"
#include "shard.h"

enum { TRIES = 3, MAX_ROUNDS = 1000000 };

/* --- what there is to do -------------------------------------------------- */

/* An entry that is to point to a job's result. */
struct link {
    size_t entry, job;
    int round;
};

/* The whole work of one call. */
struct work {
    struct batch *batch;
    struct entries entries;
    struct job *job;
    size_t jobs;
    struct link *link;
    size_t links;
    char settings[COURSE_LABS][1024]; /* of the labs that occur */
    char stem[COURSE_LABS][64];
    int labs;
};

/* Open a lab once: its settings, and what all its submissions share. */
static const char *lab_settings(struct work *work, const char *stem,
                                struct failure *failure)
{
    static struct lab lab;
    char error[MESSAGE_SIZE], *text;
    int i = 0;

    while (i < work->labs && strcmp(work->stem[i], stem))
        i++;
    if (i < work->labs)
        return work->settings[i];
    if (i == COURSE_LABS || !job_lab(work->batch->course, stem, &lab, failure))
        return NULL;
    text = job_settings(work->batch, &lab);
    if (!text || (!work->batch->lists_only
                  && !build_shared(&work->batch->target, &lab, error))) {
        fail(failure, "cannot prepare %s: %.300s", stem,
             text ? error : strerror(errno));
        free(text);
        return NULL;
    }
    text_format(work->stem[i], 64, "%s", stem);
    text_format(work->settings[i], 1024, "%s", text);
    free(text);
    work->labs++;
    return work->settings[i];
}

/* Is the entry part of this run: with a file, and of the lab, the student and
 * the shard asked for? */
static bool is_selected(const struct batch *batch, const json_t *entry,
                        const char *name)
{
    return (!batch->part || json_object_get(batch->part, name))
           && *entry_text(entry, "content")
           && !*entry_text(entry, "verdict") /* refused: nothing to run */
           && (!batch->stem || !strcmp(entry_text(entry, "lab"), batch->stem))
           && (!batch->student || entry_is_of(entry, batch->student));
}

/* Where this batch writes the result of a job.
 * @param[out] name  of the file there, STORE_NAME bytes */
static const struct store *result_place(const struct batch *batch,
                                        const struct job *job, char *name)
{
    text_format(name, STORE_NAME, "%s%.64s.json",
                batch->shard ? "" : "results/", job->key);
    return batch->shard ? &batch->shard->own : batch->store;
}

/* A result that cannot be parsed counts as absent and is made again. */
static bool has_readable(const struct store *store, const char *name,
                         bool *found, struct failure *failure)
{
    json_t *result;

    if (!store_get(store, name, &result, failure))
        return false;
    *found = result != NULL;
    json_decref(result);
    return true;
}

/* Is there a result, and can it be read? */
static bool has_result(const struct batch *batch, const struct job *job,
                       bool *found, struct failure *failure)
{
    char name[STORE_NAME];
    const struct store *place = result_place(batch, job, name);

    if (!has_readable(place, name, found, failure))
        return false;
    text_format(name, sizeof name, "results/%.64s.json", job->key);
    return *found || !batch->shard
           || has_readable(batch->store, name, found, failure);
}

/* Equal files with equal settings have one key and are graded once. @return
 * work->jobs if none */
static size_t find_job(const struct work *work, const char *key)
{
    size_t i = 0;

    while (i < work->jobs && strcmp(work->job[i].key, key))
        i++;
    return i;
}

/* Add an entry: to a job of the same key, if there is one. */
static bool add_entry(struct work *work, size_t index, struct failure *failure)
{
    struct batch *batch = work->batch;
    const json_t *entry = work->entries.entry[index];
    const char *old = entry_text(entry, "key");
    int round = member_int(entry, "round", MAX_ROUNDS) + batch->again;
    struct job job = {0};
    const char *settings;
    size_t i;

    text_format(job.content, sizeof job.content, "%s",
                entry_text(entry, "content"));
    text_format(job.stem, sizeof job.stem, "%s", entry_text(entry, "lab"));
    text_format(job.who, sizeof job.who, "%.63s",
                *entry_student(entry, "name") ? entry_student(entry, "name")
                                              : entry_student(entry, "id"));
    settings = lab_settings(work, job.stem, failure);
    if (!settings)
        return false;
    job_identify(&job, batch, settings, round);
    batch->changed += *old && strcmp(old, job.key) && !batch->again;
    i = find_job(work, job.key);
    if (i == work->jobs) {
        if (!has_result(batch, &job, &job.is_done, failure))
            return false;
        batch->present += job.is_done;
        work->job[work->jobs++] = job;
    }
    work->link[work->links++] = (struct link){index, i, round};
    return true;
}

/* Jobs are the distinct keys of all selected entries. */
static bool list_work(struct work *work, struct failure *failure)
{
    if (!entries_read(work->batch->store, &work->entries, failure))
        return false;
    work->job = calloc(work->entries.count + 1, sizeof *work->job);
    work->link = calloc(work->entries.count + 1, sizeof *work->link);
    if (!work->job || !work->link)
        return fail(failure, "out of memory");
    for (size_t i = 0; i < work->entries.count; i++)
        if (is_selected(work->batch, work->entries.entry[i],
                        work->entries.name[i])
            && !add_entry(work, i, failure))
            return false;
    return true;
}

/* --- entries and results -------------------------------------------------- */

/* Let an entry point to its result, which is written already. */
static bool point_entry(struct work *work, const struct link *link,
                        struct failure *failure)
{
    const struct job *job = &work->job[link->job];
    json_t *entry = work->entries.entry[link->entry];
    json_t *old = entry_result(work->batch->store, entry), *now;
    const char *old_key = entry_text(entry, "key");
    bool ok = true;

    if (strcmp(old_key, job->key)) {
        if (*old_key)
            json_array_append_new(json_object_get(entry, "previous"),
                                  json_string(old_key));
        json_object_set_new(entry, "key", json_string(job->key));
        json_object_set_new(entry, "round", json_integer(link->round));
        if (!store_put_json(work->batch->store,
                            work->entries.name[link->entry], entry))
            ok = fail(failure, "%s/%s: %s", work->batch->store->path,
                      work->entries.name[link->entry], strerror(errno));
        now = ok ? entry_result(work->batch->store, entry) : NULL;
        if (ok && old && work->batch->compare)
            work->batch->compare(entry, old, now);
        json_decref(now);
    }
    json_decref(old);
    return ok;
}

/* All entries of a job get its result; a task of a cluster leaves that to the
 * supervisor. */
static bool point_entries(struct work *work, size_t job,
                          struct failure *failure)
{
    bool ok = true;

    for (size_t i = 0; i < work->links && ok && !work->batch->shard; i++)
        if (work->link[i].job == job)
            ok = point_entry(work, &work->link[i], failure);
    return ok;
}

/* Publish a result, then let the entries point to it: an interruption between
 * the two only repeats the second. */
static bool keep_result(struct work *work, size_t index, const json_t *result,
                        struct failure *failure)
{
    const struct batch *batch = work->batch;
    char name[STORE_NAME];
    const struct store *place = result_place(batch, &work->job[index], name);
    char *text = json_dumps(result, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    bool owns = !batch->shard || shard_owns(batch->shard);
    bool ok = text && owns && store_publish(place, name, text, strlen(text));

    free(text);
    if (!owns)
        return fail(failure, "%s: another task has taken over", place->path);
    if (!ok)
        return fail(failure, "%s/%s: %s", place->path, name, strerror(errno));
    work->batch->graded++;
    return point_entries(work, index, failure);
}

/* --- the supervisor's loop ------------------------------------------------ */

/* One line above the progress bar. */
static void show_result(struct progress *progress, const struct job *job,
                        const json_t *result)
{
    const json_t *inner = json_object_get(result, "result");
    char line[256];

    text_format(line, sizeof line, "%-24.60s %-16s %-10s %g/%g", job->who,
                job->stem, member_text(inner, "verdict", "?"),
                member_number(inner, "score"),
                member_number(inner, "max_score"));
    progress_step(progress, line);
}

/* Failures of the grader also go into a list that a task of a cluster hands to
 * the supervisor. */
static void show_failure(struct progress *progress, const struct job *job,
                         json_t *problems)
{
    char line[512];

    text_format(line, sizeof line, "%-24.60s %-16s not graded: %.120s",
                job->who, job->stem, job->problem);
    progress_step(progress, line);
    if (problems)
        json_array_append_new(problems, json_string(line));
}

/* waitpid() returns a process id, results belong to a job. */
static struct job *find_child(struct work *work, pid_t pid)
{
    for (size_t i = 0; i < work->jobs; i++)
        if (work->job[i].child == pid)
            return &work->job[i];
    return NULL;
}

/* A child ended: keep its result, or try again. */
static bool end_job(struct work *work, struct progress *progress, pid_t pid,
                    int status, struct failure *failure)
{
    struct job *job = find_child(work, pid);
    json_t *result;
    bool ok = true;

    if (!job)
        return true; /* an orphan of a child that was killed */
    result = job_result(job, status);
    tree_register(pid, false);
    if (!WIFEXITED(status))
        tree_kill_orphans(0); /* its runners */
    if (result) {
        job->is_done = true;
        show_result(progress, job, result);
        ok = keep_result(work, (size_t)(job - work->job), result, failure);
    } else if (!interrupted() && ++job->tries == TRIES) {
        job->is_done = true;
        work->batch->failed++;
        show_failure(progress, job, work->batch->problems);
    }
    json_decref(result);
    return ok;
}

/* The next job that waits, of those with the fewest tries: a failure of the
 * grader may pass with time. */
static struct job *next_job(struct work *work)
{
    struct job *next = NULL;

    for (size_t i = 0; i < work->jobs; i++) {
        struct job *job = &work->job[i];

        if (!job->is_done && !job->child && (!next || job->tries < next->tries))
            next = job;
    }
    return next;
}

/* SIGTERM lets each child remove its folders; what is left is killed after
 * that. */
static void end_children(struct work *work)
{
    int status;

    for (size_t i = 0; i < work->jobs; i++)
        if (work->job[i].child)
            kill(work->job[i].child, SIGTERM);
    for (size_t i = 0; i < work->jobs; i++)
        if (work->job[i].child) {
            while (waitpid(work->job[i].child, &status, 0) < 0
                   && errno == EINTR)
                ;
            tree_register(work->job[i].child, false);
            work->job[i].child = 0;
        }
    tree_kill_orphans(0);
}

/* The registered child is found again by tree_kill_orphans(). */
static bool start_job(struct work *work, struct job *job,
                      struct failure *failure)
{
    if (!job_start(job, work->batch))
        return fail(failure, "cannot start a process: %s", strerror(errno));
    tree_register(job->child, true);
    return true;
}

/* Start up to batch->jobs children and collect those that end, until none is
 * left or a signal arrives. */
static bool run_jobs(struct work *work, struct failure *failure)
{
    struct progress progress;
    size_t left = 0;
    int running = 0, status;
    bool ok = true;

    for (size_t i = 0; i < work->jobs; i++)
        left += !work->job[i].is_done;
    progress_begin(&progress, left);
    while (ok && !interrupted()) {
        struct job *job = running < work->batch->jobs ? next_job(work) : NULL;
        pid_t ended;

        if (job) {
            ok = start_job(work, job, failure);
            running += ok;
            continue;
        }
        if (!running)
            break;
        ended = waitpid(-1, &status, WNOHANG);
        if (ended <= 0) {
            usleep(10000);
            progress_tick(&progress);
            continue;
        }
        running -= find_child(work, ended) != NULL;
        ok = end_job(work, &progress, ended, status, failure);
    }
    progress_end(&progress);
    end_children(work);
    return ok;
}

/* Entries are freed with their list. */
static void free_work(struct work *work)
{
    entries_free(&work->entries);
    free(work->job);
    free(work->link);
}

bool batch_run(struct batch *batch, struct failure *failure)
{
    static struct work work;
    bool ok;

    work = (struct work){.batch = batch};
    failure->text[0] = 0;
    batch->graded = batch->present = batch->failed = batch->changed = 0;
    ok = temp_process_dir() != NULL
         || fail(failure, "cannot make a temporary folder in %s: %s",
                 build_root(), strerror(errno));
    ok = ok && job_program(batch, failure) && list_work(&work, failure);
    for (size_t i = 0; ok && i < work.jobs; i++)
        if (work.job[i].is_done) /* written, but perhaps not pointed to */
            ok = point_entries(&work, i, failure);
    for (size_t i = 0; batch->lists_only && i < work.jobs; i++)
        batch->failed += !work.job[i].is_done;
    ok = ok && (batch->lists_only || run_jobs(&work, failure));
    free_work(&work);
    return ok;
}

bool batch_pending(struct batch *batch, json_t **names,
                   struct failure *failure)
{
    static struct work work;
    bool ok;

    work = (struct work){.batch = batch};
    batch->present = batch->changed = 0;
    *names = json_array();
    ok = list_work(&work, failure);
    for (size_t i = 0; ok && i < work.links; i++) {
        struct job *job = &work.job[work.link[i].job];

        if (job->is_done)
            continue;
        job->is_done = true; /* named once */
        json_array_append_new(*names, json_string(
            work.entries.name[work.link[i].entry]));
    }
    free_work(&work);
    return ok;
}
