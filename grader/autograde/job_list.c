/* SPDX-License-Identifier: MIT */
/* The jobs of a batch, and the entries that are to point to its results.
 *
 * Entries are read one at a time.  Of one whose result is there nothing is
 * kept, of the others a link and, once for each result, a job: memory does not
 * grow with what students sent. */
#include "job_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/json_member.h"
#include "common/base/text.h"
#include "grader/build/build.h"
#include "shard.h"

enum { MAX_ROUNDS = 1000000 };

/* A reading of the entries. */
struct listing {
    struct job_list *list;
    struct failure *failure;
    size_t room_jobs, room_links;
    uint64_t *done; /* of the results that are there, the keys' beginnings */
    size_t dones, room_dones;
};

/* Open a lab once: its settings, and what all its submissions share.
 * @return its index in `list`, or -1 */
static int open_lab(struct job_list *list, const char *stem,
                    struct failure *failure)
{
    static struct lab lab;
    char error[MESSAGE_SIZE], *text;
    int i = 0;

    while (i < list->labs && strcmp(list->stem[i], stem))
        i++;
    if (i < list->labs)
        return i;
    if (i == COURSE_LABS || !job_lab(list->batch->course, stem, &lab, failure))
        return -1;
    text = job_settings(list->batch, &lab);
    if (!text || (!list->batch->lists_only
                  && !build_shared(&list->batch->target, &lab, error))) {
        fail(failure, "cannot prepare %s: %.300s", stem,
             text ? error : strerror(errno));
        free(text);
        return -1;
    }
    text_format(list->stem[i], 64, "%s", stem);
    text_format(list->settings[i], 1024, "%s", text);
    free(text);
    return list->labs++;
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

const struct store *job_result_place(const struct batch *batch,
                                     const struct job *job, char *name)
{
    text_format(name, STORE_NAME, "%s%.64s.json",
                batch->shard ? "" : "results/", job->key);
    return batch->shard ? &batch->shard->store : batch->store;
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
    const struct store *place = job_result_place(batch, job, name);

    if (!has_readable(place, name, found, failure))
        return false;
    text_format(name, sizeof name, "results/%.64s.json", job->key);
    return *found || !batch->shard
           || has_readable(batch->store, name, found, failure);
}

/* Equal files with equal settings have one key and are graded once. @return
 * list->jobs if none */
static size_t find_job(const struct job_list *list, const char *key)
{
    size_t i = 0;

    while (i < list->jobs && strcmp(list->job[i].key, key))
        i++;
    return i;
}

/* Let an entry point to its result, which is written already. */
static bool point_entry(const struct batch *batch, const struct job *job,
                        const char *name, int round, json_t *entry,
                        struct failure *failure)
{
    const char *old_key = entry_text(entry, "key");
    json_t *old, *now;
    bool ok;

    if (!strcmp(old_key, job->key))
        return true;
    old = entry_result(batch->store, entry);
    if (*old_key)
        json_array_append_new(json_object_get(entry, "previous"),
                              json_string(old_key));
    json_object_set_new(entry, "key", json_string(job->key));
    json_object_set_new(entry, "round", json_integer(round));
    ok = store_write_json(batch->store, name, entry)
         || fail(failure, "%s/%s: %s", batch->store->path, name,
                 strerror(errno));
    now = ok ? entry_result(batch->store, entry) : NULL;
    if (ok && old && batch->compare)
        batch->compare(entry, old, now);
    json_decref(now);
    json_decref(old);
    return ok;
}

bool job_list_point(struct job_list *list, size_t job, struct failure *failure)
{
    const struct batch *batch = list->batch;
    bool ok = true;

    for (size_t i = 0; i < list->links && ok && !batch->shard; i++) {
        const struct link *link = &list->link[i];
        json_t *entry = NULL;

        if (link->job != job)
            continue;
        ok = store_get(batch->store, link->name, &entry, failure)
             && (entry || fail(failure, "%s/%s: it is gone", batch->store->path,
                               link->name))
             && point_entry(batch, &list->job[job], link->name, link->round,
                            entry, failure);
        json_decref(entry);
    }
    return ok;
}

/* An array with room for one more element; NULL: there is no memory, and the
 * array is as it was. */
static void *grown(void *array, size_t used, size_t *room, size_t bytes)
{
    const size_t more = *room ? 2 * *room : 64;
    void *larger;

    if (used < *room)
        return array;
    larger = realloc(array, more * bytes);
    if (larger)
        *room = more;
    return larger;
}

static bool add_job(struct listing *listing, const struct job *job,
                    const char *student)
{
    struct job_list *list = listing->list;
    struct job *jobs = grown(list->job, list->jobs, &listing->room_jobs,
                             sizeof *jobs);

    if (!jobs)
        return false;
    list->job = jobs;
    jobs[list->jobs] = *job;
    jobs[list->jobs].student = strndup(student, MAX_STUDENT_NAME);
    return jobs[list->jobs++].student != NULL;
}

/* An entry without a result: it waits for that of a job. */
static bool add_link(struct listing *listing, const struct job *job,
                     const json_t *entry, const char *name, int round)
{
    struct job_list *list = listing->list;
    const size_t i = find_job(list, job->key);
    const char *student = *entry_student(entry, "name")
                          ? entry_student(entry, "name")
                          : entry_student(entry, "id");
    struct link *links = grown(list->link, list->links, &listing->room_links,
                               sizeof *links);

    if (!links)
        return fail(listing->failure, "out of memory");
    list->link = links;
    links[list->links] = (struct link){strdup(name), i, round};
    return (links[list->links++].name
            && (i < list->jobs || add_job(listing, job, student)))
           || fail(listing->failure, "out of memory");
}

/* Is the result there?  Equal files have one: it is read, and counted, once. */
static bool find_result(struct listing *listing, struct job *job)
{
    char beginning[17];
    uint64_t number, *done;

    text_format(beginning, sizeof beginning, "%.16s", job->key);
    number = strtoull(beginning, NULL, 16);
    for (size_t i = 0; i < listing->dones && !job->is_done; i++)
        job->is_done = listing->done[i] == number;
    if (job->is_done)
        return true;
    if (!has_result(listing->list->batch, job, &job->is_done,
                    listing->failure))
        return false;
    if (!job->is_done)
        return true;
    done = grown(listing->done, listing->dones, &listing->room_dones,
                 sizeof *done);
    if (!done)
        return fail(listing->failure, "out of memory");
    listing->done = done;
    done[listing->dones++] = number;
    listing->list->batch->present++;
    return true;
}

/* An entry of this run: its result is there, or it waits for one. */
static bool add_entry(struct listing *listing, json_t *entry, const char *name)
{
    struct job_list *list = listing->list;
    struct batch *batch = list->batch;
    const char *old = entry_text(entry, "key");
    const int round = member_int(entry, "round", MAX_ROUNDS) + batch->again;
    const int lab = open_lab(list, entry_text(entry, "lab"), listing->failure);
    struct job job = {0};

    if (lab < 0)
        return false;
    text_format(job.content, sizeof job.content, "%s",
                entry_text(entry, "content"));
    job.stem = list->stem[lab];
    job_identify(&job, batch, list->settings[lab], round);
    batch->changed += *old && strcmp(old, job.key) && !batch->again;
    if (!find_result(listing, &job))
        return false;
    if (!job.is_done)
        return add_link(listing, &job, entry, name, round);
    /* written, but perhaps not pointed to */
    return batch->shard || batch->is_asking
           || point_entry(batch, &job, name, round, entry, listing->failure);
}

static bool list_entry(void *user, const char *name, json_t *entry)
{
    struct listing *listing = user;

    return !is_selected(listing->list->batch, entry, name)
           || add_entry(listing, entry, name);
}

bool job_list_find(struct job_list *list, struct failure *failure)
{
    struct listing listing = {.list = list, .failure = failure};
    bool ok = entries_each(list->batch->store, list_entry, &listing, failure);

    free(listing.done);
    return ok;
}

void job_list_free(struct job_list *list)
{
    for (size_t i = 0; i < list->links; i++)
        free(list->link[i].name);
    for (size_t i = 0; i < list->jobs; i++) {
        free(list->job[i].student);
        free(list->job[i].problem);
    }
    free(list->link);
    free(list->job);
}
