/* SPDX-License-Identifier: MIT */
/* Trying edits until the tests pass.
 *
 * Each edit is compiled and run in a child process, with the inputs of the
 * grade: first the test that failed, which most edits fail, too, then all. */
#include "locate.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/process_pool.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "edits.h"

enum { MOST_EDITS = 4096, MOST_BYTES = 1 << 20 };

/* Time limit of a call: an edit may make a loop endless. */
static const double call_seconds = 3;

/* What the child processes share. */
struct shared {
    _Atomic size_t tried;           /* edits */
    _Atomic size_t found;           /* that made all tests pass */
    size_t edit[LOCATE_MOST];       /* their indices */
};

/* One search. */
struct search {
    const struct task *task;
    size_t test;            /* that fails */
    double deadline;        /* of clock_seconds() */
    const struct source *source;
    const struct edits *edits;
    struct shared *shared;
    void (*tell)(size_t tried, size_t all);
};

/* The last run of all tests ends at the first one that fails. */
static bool has_failed(const struct outcome *outcome, const void *data)
{
    (void)data;
    return outcome->verdict != PASS;
}

/* Does a text pass the test that fails, and, where `all`, the others?
 *  @param folder  for the file and its runner */
static bool passes(const struct search *search, const char *text,
                   const char *folder, bool all)
{
    static struct report report;
    static struct lab lab;
    char path[PATH_MAX], runners[PATH_MAX];
    struct task task = *search->task;

    lab = *task.lab;
    if (lab.seconds > call_seconds)
        lab.seconds = call_seconds;
    task.lab = &lab;
    text_format(path, sizeof path, "%s/%s", folder,
                base_name(search->task->source));
    text_format(runners, sizeof runners, "%s/runner", folder);
    if (!make_directories(runners) || !write_file(path, text, strlen(text)))
        return false;
    task.source = path;
    task.runners = runners;
    task.only = task.lab->test[search->test].name;
    task.watch = task.speed = false;
    task.progress = NULL;
    task.begin = NULL;
    task.effort = EFFORT_LEAST;
    task.should_stop = has_failed;
    grade(&task, &report);
    if (report.verdict != PASS || !all)
        return report.verdict == PASS;
    task.only = NULL;
    grade(&task, &report);
    return report.verdict == PASS;
}

static bool is_over(const struct search *search)
{
    return search->shared->found > 0 || interrupted()
           || clock_seconds() > search->deadline;
}

/* In a child process. */
static void try_edit(void *user, size_t index)
{
    const struct search *search = user;
    char folder[PATH_MAX];
    char *text;
    size_t place;

    if (is_over(search))
        return;
    if (search->tell)
        search->tell(search->shared->tried, search->edits->count);
    search->shared->tried++;
    text = edit_apply(search->source, &search->edits->edit[index]);
    if (text && temp_dir_create(folder)
        && passes(search, text, folder, true)) {
        place = search->shared->found++;
        if (place < LOCATE_MOST)
            search->shared->edit[place] = index;
    }
    free(text);
}

/* The first run: a test that passes without an edit, or whose result changes
 * from run to run, says nothing of an edit. */
static void try_unchanged(void *user, size_t index)
{
    const struct search *search = user;
    char folder[PATH_MAX];

    (void)index;
    if (temp_dir_create(folder)
        && !passes(search, search->source->text, folder, false))
        search->shared->found = 0;
}

/* The places found, in the order of the edits' ranks. */
static void collect(const struct search *search, struct located *located)
{
    const struct shared *shared = search->shared;
    const size_t found =
        shared->found < LOCATE_MOST ? shared->found : LOCATE_MOST;

    for (size_t i = 0; i < found; i++) {
        const struct edit *edit = &search->edits->edit[shared->edit[i]];
        struct located_place *place = &located->place[located->places];
        size_t j = 0;

        while (j < located->places && located->place[j].line != edit->line)
            j++;
        if (j < located->places)
            continue;
        *place = (struct located_place){.line = edit->line,
                                        .column = edit->column};
        text_format(place->words, LOCATE_WORDS, "%s", edit->words);
        located->places++;
    }
    located->tried = shared->tried;
    located->candidates = search->edits->count;
}

static void search_edits(struct search *search, struct located *located)
{
    struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (shared == MAP_FAILED)
        return;
    search->shared = shared;
    shared->found = 1;
    process_pool_run(1, try_unchanged, search);
    if (shared->found == 0)
        process_pool_run(search->edits->count, try_edit, search);
    else
        located->is_unreliable = true;
    if (!located->is_unreliable)
        collect(search, located);
    munmap(shared, sizeof *shared);
}

bool can_locate(const struct task *task, const struct report *report,
                size_t *test)
{
    size_t i = 0;

    while (i < task->lab->tests && report->test[i].verdict == PASS)
        i++;
    *test = i;
    if (task->target->kind != DEVICE_SOFT || *report->message
        || report->device_work_missing || i == task->lab->tests
        || report->test_has_finding[i])
        return false;
    return (report->test[i].verdict == WRONG
            || report->test[i].verdict == CRASHED)
           && !report->test[i].host_work && report->test[i].detail != 1
           && report->test[i].detail != 2
           && !strstr(report->test[i].message, "(cudaErrorNotSupported");
}

bool locate(const struct task *task, size_t test, double seconds,
            void (*tell)(size_t tried, size_t all), struct located *located)
{
    struct source source = {0};
    struct edits edits = {.source = &source, .most = MOST_EDITS};
    struct search search = {task, test, clock_seconds() + seconds, &source,
                            &edits, NULL, tell};
    size_t bytes;
    char *text = read_file(task->source, MOST_BYTES, &bytes);

    *located = (struct located){0};
    edits.edit = calloc(MOST_EDITS, sizeof *edits.edit);
    if (text && edits.edit && source_open(text, &source)) {
        edits_list(&edits);
        search_edits(&search, located);
    }
    source_close(&source);
    free(edits.edit);
    free(text);
    return located->places > 0;
}
