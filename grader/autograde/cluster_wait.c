/* SPDX-License-Identifier: MIT */
/* Waiting for the tasks of an array, and collecting their results. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster_run.h"
#include "common/base/json_member.h"
#include "common/base/process.h"
#include "common/base/text.h"
#include "progress.h"
#include "shard.h"
#include "text_clean.h"

enum { QUERIES = 2 }; /* without a task in the queue: it has ended */

/* State of waiting for a run. */
struct watch {
    struct cluster_run *run;
    struct progress progress;
    json_t *seen; /* results that were shown: object of KEY.json */
    json_t *students; /* the student of a content */
    bool is_over[SLURM_SHARDS];
    int missing[SLURM_SHARDS]; /* queries that did not name it */
    struct slurm_queue queue;
    char note[300]; /* the last that was shown */
    double started, next_query;
};

/* The names of a shard's entries. */
static json_t *part_of(const struct cluster_run *run, size_t shard)
{
    return json_array_get(json_object_get(run->about, "shards"), shard);
}

/* The students, for the lines of their results. */
static void learn_names(struct watch *watch)
{
    const struct store *store = watch->run->batch->store;
    const char *name;
    json_t *value;

    for (size_t i = 0; i < watch->run->shards; i++)
        json_object_foreach(part_of(watch->run, i), name, value) {
            json_t *entry = store_json(store, name);
            const char *student = entry_student(entry, "name");

            if (!*student)
                student = entry_student(entry, "id");
            json_object_set_new(watch->students, entry_text(entry, "content"),
                                json_string(student));
            json_decref(entry);
        }
}

/* --- results -------------------------------------------------------------- */

/* The shard that is looked at, for store_list(). */
struct shard_listing {
    struct watch *watch;
    const struct store *newest;
    bool has_ended;
};

/* One line above the progress bar, as a run without Slurm prints. */
static void show_result(struct watch *watch, const json_t *result)
{
    const json_t *inner = json_object_get(result, "result");
    const char *content = member_text(result, "content", "");
    char line[256], name[NAME_COLUMN];

    text_format(line, sizeof line, "%s %-16s %-10s %g/%g",
                name_column(name, member_text(watch->students, content, "?")),
                member_text(inner, "lab", ""),
                member_text(inner, "verdict", "?"),
                member_number(inner, "score"),
                member_number(inner, "max_score"));
    progress_step(&watch->progress, line);
}

/* A new result file, or the file that says that the shard has ended. */
static bool show_new_file(void *user, const char *path)
{
    struct shard_listing *listing = user;
    struct watch *watch = listing->watch;
    const char *name = base_name(path);
    json_t *result;

    listing->has_ended |= !strcmp(name, "end");
    if (!strstr(name, ".json") || json_object_get(watch->seen, name))
        return true;
    result = store_json(listing->newest, name);
    if (result) {
        json_object_set_new(watch->seen, name, json_true());
        show_result(watch, result);
    }
    json_decref(result);
    return true;
}

/* Show new results.  @return whether all tasks are over */
static bool show_new_results(struct watch *watch)
{
    bool all = true;

    for (size_t i = 0; i < watch->run->shards; i++) {
        struct store newest;
        struct shard_listing listing = {watch, &newest, false};

        if (watch->is_over[i])
            continue;
        if (shard_newest(watch->run->path, (int)i, &newest)) {
            store_list(&newest, ".", show_new_file, &listing);
            store_close(&newest);
        }
        watch->is_over[i] = listing.has_ended;
        all &= listing.has_ended;
    }
    return all;
}

/* --- Slurm ---------------------------------------------------------------- */

/* A note is printed when it changes, not at each look. */
static void show_note(struct watch *watch, const char *note)
{
    if (strcmp(note, watch->note))
        progress_note(&watch->progress, note);
    text_format(watch->note, sizeof watch->note, "%s", note);
}

/* Ask Slurm which tasks are left. */
static void query(struct watch *watch)
{
    const struct slurm_queue *queue = &watch->queue;
    struct failure failure;
    char note[300];

    if (!slurm_query(watch->run->name, &watch->queue, &failure)) {
        if (!interrupted()) {
            text_format(note, sizeof note, "Slurm does not answer, waiting: "
                        "%.200s", failure.text);
            show_note(watch, note);
        }
        return;
    }
    for (size_t i = 0; i < watch->run->shards; i++) {
        watch->missing[i] = queue->is_queued[i] ? 0 : watch->missing[i] + 1;
        watch->is_over[i] |= watch->missing[i] >= QUERIES;
    }
    text_format(note, sizeof note, "array %s: %d of %zu tasks running, %d "
                "waiting%s%s%s", watch->run->id, queue->running,
                watch->run->shards, queue->waiting,
                queue->waiting && *queue->reason ? " (" : "",
                queue->waiting ? queue->reason : "",
                queue->waiting && *queue->reason ? ")" : "");
    show_note(watch, note);
}

/* Often at first, then as clusters want it. */
static void query_at_times(struct watch *watch)
{
    double now = clock_seconds(), pause;

    if (now < watch->next_query)
        return;
    query(watch);
    pause = 2 + (now - watch->started) / 20;
    watch->next_query = now + (pause < 30 ? pause : 30);
}

/* All entries of all shards, for the progress bar. */
static size_t count_entries(const struct cluster_run *run)
{
    size_t count = 0;

    for (size_t i = 0; i < run->shards; i++)
        count += json_object_size(part_of(run, i));
    return count;
}

bool cluster_wait(struct cluster_run *run)
{
    static struct watch watch;

    watch = (struct watch){.run = run, .started = clock_seconds(),
                           .seen = json_object(), .students = json_object()};
    learn_names(&watch);
    progress_begin(&watch.progress, count_entries(run));
    while (!show_new_results(&watch) && !interrupted()) {
        query_at_times(&watch);
        progress_tick(&watch.progress);
        usleep(250000);
    }
    progress_end(&watch.progress);
    json_decref(watch.seen);
    json_decref(watch.students);
    return !interrupted();
}

/* --- the end -------------------------------------------------------------- */

/* Print the last line of the log of a task that left no report. */
static void show_log(const struct cluster_run *run, int index)
{
    char name[32], line[200];
    struct store folder = {.folder = -1, .lock = -1};
    size_t length = 0;
    char *text, *at;

    text_format(folder.path, sizeof folder.path, "%s", run->path);
    text_format(name, sizeof name, "%d.log", index);
    text = store_read(&folder, name, &length);
    at = text ? text + length : NULL;
    while (at && at > text && at[-1] == '\n')
        *--at = 0;
    at = text ? strrchr(text, '\n') : NULL;
    text_format(line, sizeof line, "%s", at ? at + 1 : text ? text : "");
    make_printable(line);
    printf("task %d ended without a report%s%s\n", index, *line ? ": " : "",
           line);
    free(text);
}

/* The report of the process before our token. */
static bool show_report(struct cluster_run *run, const struct shard *shard,
                        int index)
{
    struct store before = {.folder = -1, .lock = -1};
    json_t *report, *problems, *text;
    size_t i;

    text_format(before.path, sizeof before.path, "%.4000s/%d/%d", run->path,
                index, shard->token - 1);
    report = store_json(&before, "end");
    problems = json_object_get(report, "problems");
    json_array_foreach(problems, i, text) {
        char line[256];

        text_format(line, sizeof line, "%s", json_string_value(text)
                                             ? json_string_value(text) : "");
        make_printable(line);
        printf("      %s\n", line);
        run->problems++;
    }
    json_decref(report);
    return report != NULL;
}

/* Take the shard over, so that a task that still runs cannot publish any more,
 * then move its results. */
static bool collect_shard(struct cluster_run *run, int index, int results,
                          struct failure *failure)
{
    struct shard shard;
    size_t moved;
    bool ok;

    if (!shard_claim(run->path, index, &shard, failure))
        return false;
    if (!show_report(run, &shard, index)) {
        run->lost++;
        show_log(run, index);
    }
    ok = shard_move(&shard, results, &moved)
         || fail(failure, "%s: %s", shard.store.path, strerror(errno));
    run->moved += moved;
    shard_close(&shard);
    return ok;
}

bool cluster_collect(struct cluster_run *run, struct failure *failure)
{
    int results = openat(run->batch->store->folder, "results",
                         O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = results >= 0;

    if (!ok)
        return fail(failure, "%s/results: %s", run->batch->store->path,
                    strerror(errno));
    for (size_t i = 0; i < run->shards && ok; i++)
        ok = collect_shard(run, (int)i, results, failure);
    close(results);
    return ok;
}
