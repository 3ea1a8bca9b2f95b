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
#include "job_list.h"
#include "progress.h"
#include "shard.h"
#include "text_clean.h"

enum { TRIES = 3 };

/* Publish a result, then let the entries point to it: an interruption between
 * the two only repeats the second. */
static bool keep_result(struct job_list *list, size_t index,
                        const json_t *result, struct failure *failure)
{
    const struct batch *batch = list->batch;
    char name[STORE_NAME];
    const struct store *place = job_result_place(batch, &list->job[index],
                                                 name);
    char *text = json_dumps(result, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    bool owns = !batch->shard || shard_owns(batch->shard);
    bool ok = text && owns && store_publish(place, name, text, strlen(text));

    free(text);
    if (!owns)
        return fail(failure, "%s: another task has taken over", place->path);
    if (!ok)
        return fail(failure, "%s/%s: %s", place->path, name, strerror(errno));
    list->batch->graded++;
    return job_list_point(list, index, failure);
}

/* --- the supervisor's loop ------------------------------------------------ */

/* One line above the progress bar. */
static void show_result(struct progress *progress, const struct job *job,
                        const json_t *result)
{
    const json_t *inner = json_object_get(result, "result");
    char line[256], name[NAME_COLUMN];

    text_format(line, sizeof line, "%s %-16s %-10s %g/%g",
                name_column(name, job->student), job->stem,
                member_text(inner, "verdict", "?"),
                member_number(inner, "score"),
                member_number(inner, "max_score"));
    progress_step(progress, line);
}

/* Failures of the grader also go into a list that a task of a cluster hands to
 * the supervisor. */
static void show_failure(struct progress *progress, const struct job *job,
                         json_t *problems)
{
    char line[512], name[NAME_COLUMN];

    text_format(line, sizeof line, "%s %-16s not graded: %.120s",
                name_column(name, job->student), job->stem,
                job->problem ? job->problem : "out of memory");
    progress_step(progress, line);
    if (problems)
        json_array_append_new(problems, json_string(line));
}

/* waitpid() returns a process id, results belong to a job. */
static struct job *find_child(struct job_list *list, pid_t pid)
{
    for (size_t i = 0; i < list->jobs; i++)
        if (list->job[i].child == pid)
            return &list->job[i];
    return NULL;
}

/* A child ended: keep its result, or try again. */
static bool end_job(struct job_list *list, struct progress *progress, pid_t pid,
                    int status, struct failure *failure)
{
    struct job *job = find_child(list, pid);
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
        ok = keep_result(list, (size_t)(job - list->job), result, failure);
    } else if (!interrupted() && ++job->tries == TRIES) {
        job->is_done = true;
        list->batch->failed++;
        show_failure(progress, job, list->batch->problems);
    }
    json_decref(result);
    return ok;
}

/* The next job that waits, of those with the fewest tries: a failure of the
 * grader may pass with time. */
static struct job *next_job(struct job_list *list)
{
    struct job *next = NULL;

    for (size_t i = 0; i < list->jobs; i++) {
        struct job *job = &list->job[i];

        if (!job->is_done && !job->child && (!next || job->tries < next->tries))
            next = job;
    }
    return next;
}

/* SIGTERM lets each child remove its folders; what is left is killed after
 * that. */
static void end_children(struct job_list *list)
{
    int status;

    for (size_t i = 0; i < list->jobs; i++)
        if (list->job[i].child)
            kill(list->job[i].child, SIGTERM);
    for (size_t i = 0; i < list->jobs; i++)
        if (list->job[i].child) {
            while (waitpid(list->job[i].child, &status, 0) < 0
                   && errno == EINTR)
                ;
            tree_register(list->job[i].child, false);
            list->job[i].child = 0;
        }
    tree_kill_orphans(0);
}

/* The registered child is found again by tree_kill_orphans(). */
static bool start_job(struct job_list *list, struct job *job,
                      struct failure *failure)
{
    if (!job_start(job, list->batch))
        return fail(failure, "cannot start a process: %s", strerror(errno));
    tree_register(job->child, true);
    return true;
}

/* Start up to batch->jobs children and collect those that end, until none is
 * left or a signal arrives. */
static bool run_jobs(struct job_list *list, struct failure *failure)
{
    struct progress progress;
    size_t left = 0;
    int running = 0, status;
    bool ok = true;

    for (size_t i = 0; i < list->jobs; i++)
        left += !list->job[i].is_done;
    progress_begin(&progress, left);
    while (ok && !interrupted()) {
        struct job *job = running < list->batch->jobs ? next_job(list) : NULL;
        pid_t ended;

        if (job) {
            ok = start_job(list, job, failure);
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
        running -= find_child(list, ended) != NULL;
        ok = end_job(list, &progress, ended, status, failure);
    }
    progress_end(&progress);
    end_children(list);
    return ok;
}

bool batch_run(struct batch *batch, struct failure *failure)
{
    static struct job_list list;
    bool ok;

    list = (struct job_list){.batch = batch};
    failure->text[0] = 0;
    batch->graded = batch->present = batch->failed = batch->changed = 0;
    ok = temp_process_dir() != NULL
         || fail(failure, "cannot make a temporary folder in %s: %s",
                 build_root(), strerror(errno));
    ok = ok && job_program(batch, failure) && job_list_find(&list, failure);
    batch->equal = list.links - list.jobs;
    if (batch->lists_only)
        batch->failed += list.jobs;
    ok = ok && (batch->lists_only || run_jobs(&list, failure));
    job_list_free(&list);
    return ok;
}

bool batch_pending(struct batch *batch, json_t **names,
                   struct failure *failure)
{
    static struct job_list list;
    bool ok;

    list = (struct job_list){.batch = batch};
    batch->present = batch->changed = 0;
    *names = json_array();
    batch->is_asking = true;
    ok = job_list_find(&list, failure);
    batch->is_asking = false;
    for (size_t i = 0; ok && i < list.links; i++) {
        struct job *job = &list.job[list.link[i].job];

        if (job->is_done)
            continue;
        job->is_done = true; /* named once */
        json_array_append_new(*names, json_string(list.link[i].name));
    }
    job_list_free(&list);
    return ok;
}
