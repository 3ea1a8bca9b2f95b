/* SPDX-License-Identifier: MIT */
/* warpbook autograde and warpbook regrade: the submissions of a class. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boxes.h"
#include "common.h"
#include "comparison.h"
#include "common/base/json_member.h"
#include "common/base/process.h"
#include "common/base/text.h"
#include "grader/autograde/batch.h"
#include "grader/autograde/cluster.h"
#include "grader/autograde/readings.h"
#include "grader/autograde/settings.h"

/* Counts of the submissions read. */
struct counts {
    struct store *store;
    struct roster *roster;
    size_t files, refused, failed; /* failed: of those refused, by us */
    size_t unknown;                /* not in the roster */
    char first_unknown[256];       /* one of them */
    size_t unnamed;                /* not named as a lab's file */
    size_t untimed;                /* whose time no platform tells */
    struct failure failure; /* what could not be written */
};

/* All names first: a student may have two submissions. */
static void expect(void *user, const struct student *student)
{
    struct counts *counts = user;

    roster_expect(counts->roster, student);
}

/* Each student of a group has its submission; the group, which was taken for a
 * student before there was a roster, has none.  @return false: not written */
static bool add_group_entries(struct counts *counts,
                              const struct submission *submission,
                              size_t *members)
{
    struct roster_match match = {0};
    size_t at = 0;
    bool ok = true;

    while (ok && (match.student = roster_member(counts->roster,
                                                &submission->student, &at))) {
        ok = entry_write_member(counts->store, submission, &match,
                                &counts->failure);
        ++*members;
    }
    if (*members)
        ok = ok && entry_remove(counts->store, submission, &counts->failure);
    if (*members)
        printf("  group      %s: %zu student%s of the roster\n",
               submission->from, *members, *members == 1 ? "" : "s");
    return ok;
}

/* A student's second submission: without times the gradebook may have to leave
 * the mark open. */
static void tell_further(const struct counts *counts,
                         const struct submission *submission,
                         const struct student *student)
{
    const struct roster_claim *claim;

    if (!student || submission->submitted)
        return;
    claim = &counts->roster->claim[student - counts->roster->student];
    if (claim->exact + claim->alike > 1)
        printf("  further    %s: one of %d submissions of %s; the gradebook "
               "says which one counts\n", submission->from,
               claim->exact + claim->alike, student->id);
}

/* The submission of one student, or of a group.  @return false: not written */
static bool add_entry(struct counts *counts,
                      const struct submission *submission)
{
    struct roster_match match = {0};
    size_t members = 0;

    if (!add_group_entries(counts, submission, &members) || members)
        return members && !*counts->failure.text;
    roster_match(counts->roster, &submission->student, &match);
    if (*match.doubt)
        printf("  in doubt   %s: %s\n", submission->from, match.doubt);
    if (!match.student && !counts->unknown++)
        snprintf(counts->first_unknown, sizeof counts->first_unknown, "%s",
                 submission->from);
    tell_further(counts, submission, match.student);
    return entry_write(counts->store, submission, &match, &counts->failure);
}

/* Each submission becomes an entry; refused ones are also told at once. */
static bool add_submission(void *user, const struct submission *submission)
{
    struct counts *counts = user;

    if (submission->text)
        counts->files++;
    else
        counts->refused++;
    counts->failed += submission->refusal.verdict == INTERNAL;
    counts->unnamed += submission->needs_lab;
    counts->untimed += *submission->stem && !submission->submitted
                       && !submission->is_late;
    if (submission->refusal.verdict != PASS)
        printf("  %-10s %s: %s\n", verdict_name(submission->refusal.verdict),
               submission->from, submission->refusal.reason);
    return add_entry(counts, submission) && !interrupted();
}

/* The lab of --lab.  @return false after one line */
static bool find_lab(const struct options *options, const char **stem)
{
    struct lab lab;
    char error[LAB_ERROR_SIZE];

    *stem = options->lab ? lab_stem(options->lab) : NULL;
    if (!options->lab || *stem)
        return true;
    lab_open(options->lab, &lab, error);
    report_error(0, "%s", error);
    return false;
}

/* The device that --device means here, or on the cluster. */
static bool find_target(const struct options *options, struct batch *batch,
                        struct slurm_request *request)
{
    struct failure failure;

    if (options->slurm
            ? cluster_target(batch->store, options->device, request,
                             &batch->target, &failure)
            : target_find(options->device, &batch->target, failure.text))
        return true;
    report_error(0, "%s", failure.text);
    return false;
}

/* Lab, device, jobs and secret of a run. */
static bool open_batch(const struct options *options, struct store *store,
                       const struct course *course, struct batch *batch)
{
    struct failure failure;
    struct slurm_request request = options->request;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    *batch = (struct batch){.store = store, .course = course,
                            .student = options->student};
    if (!find_lab(options, &batch->stem))
        return false;
    if (!find_target(options, batch, &request))
        return false;
    batch->jobs = options->jobs;
    if (!batch->jobs && !options->slurm)
        batch->jobs = batch->target.kind == DEVICE_GPU || cores < 1
                      ? 1 : (int)(cores < 32 ? cores : 32);
    if (batch_secret(batch, options->seed_file, &failure))
        return true;
    report_error(0, "%s", failure.text);
    return false;
}

static bool has_deadline(const struct course *course)
{
    bool has = course->deadline.seconds;

    for (int i = 0; i < course->labs; i++)
        has |= course->lab[i].deadline.seconds != 0;
    return has;
}

/* Read the submissions into the results folder.
 *  @param[out] failed  how many could not be read, by an error of the grader */
static int read_submissions(const struct options *options, const char *stem,
                            const struct course *course, struct store *store,
                            struct roster *roster, size_t *failed)
{
    struct counts counts = {.store = store, .roster = roster};
    struct intake intake = {.folder = options->words[0], .stem = stem,
                            .handle = add_submission, .expect = expect,
                            .user = &counts};
    struct failure failure = {""};

    if (!readings_begin(store, &intake, &failure))
        return report_error(EXIT_GRADER_ERROR, "%s", failure.text);
    if (!intake_read(&intake, &failure)) {
        if (interrupted())
            return EXIT_INTERRUPTED;
        return *failure.text
               ? report_error(EXIT_USAGE, "%s", failure.text)
               : report_error(EXIT_GRADER_ERROR, "%s", counts.failure.text);
    }
    if (!counts.failed && !readings_end(store, &intake, &failure))
        return report_error(EXIT_GRADER_ERROR, "%s", failure.text);
    printf("%s: %zu file%s to grade, %zu refused or missing (%s layout)\n",
           options->words[0], counts.files, counts.files == 1 ? "" : "s",
           counts.refused, intake.layout);
    if (counts.unnamed)
        printf("%zu of these %s the only .cu file of a student: with --lab it "
               "is graded whatever its name is\n", counts.unnamed,
               counts.unnamed == 1 ? "is" : "are");
    if (intake.lacks_metadata)
        puts("folders are named as Gradescope's: without "
             "submission_metadata.yml beside them, students and times are not "
             "known");
    if (intake.ignored)
        printf("%d file%s ignored, first %s\n", intake.ignored,
               intake.ignored == 1 ? "" : "s", intake.first_ignored);
    if (roster->count && counts.unknown)
        printf("%zu submission%s not of a student of the roster, first %s: "
               "rename %s as there\n", counts.unknown,
               counts.unknown == 1 ? " is" : "s are", counts.first_unknown,
               counts.unknown == 1 ? "it" : "them");
    if (counts.untimed && has_deadline(course))
        printf("%zu submission%s no time in this download: never late\n",
               counts.untimed, counts.untimed == 1 ? " has" : "s have");
    *failed = counts.failed;
    return EXIT_FULL;
}

/* Grade here, or on the cluster.  @return false with one line, or when the
 * wait for the cluster was interrupted */
static bool grade_batch(const struct options *options, struct batch *batch,
                        struct failure *failure)
{
    struct slurm_request request = options->request;

    return options->slurm
           ? cluster_target(batch->store, options->device, &request,
                            &batch->target, failure)
                 && cluster_run(batch, &request,
                                box_tier_name(box_tier_in_use()), failure)
           : batch_run(batch, failure);
}

/* Grade, then say what was done; an interrupted run can be continued. */
static int run_batch(const struct options *options, struct batch *batch)
{
    struct failure failure;

    if (!grade_batch(options, batch, &failure) && *failure.text)
        return report_error(EXIT_GRADER_ERROR, "%s", failure.text);
    printf("%zu graded, %zu had a result already", batch->graded,
           batch->present);
    if (batch->equal)
        printf("; %zu file%s equal to one of these", batch->equal,
               batch->equal == 1 ? " is" : "s are");
    if (batch->changed)
        printf("; the settings of %zu had changed", batch->changed);
    printf("\n");
    if (interrupted()) {
        printf("the same command continues\n");
        return EXIT_INTERRUPTED;
    }
    if (!batch->failed)
        return EXIT_FULL;
    return report_error(EXIT_GRADER_ERROR, "%zu not graded, by an error of the "
                        "grader: the same command tries again", batch->failed);
}

/* Settings first, then submissions, then grading. */
static int grade_class(const struct options *options, struct store *store)
{
    static struct course course;
    static struct batch batch;
    struct roster roster = {0};
    struct failure failure;
    struct given given = {.course = options->course,
                          .roster = options->roster,
                          .deadline = options->deadline,
                          .late = options->late,
                          .hidden = options->hidden};
    size_t failed = 0;
    int code;

    if (!find_lab(options, &given.stem))
        return EXIT_USAGE;
    if (!settings_store(store, &given, &failure)
        || !settings_load(store, &(struct given){0}, &course, &roster,
                          &failure))
        return report_error(EXIT_USAGE, "%s", failure.text);
    code = open_batch(options, store, &course, &batch)
           ? read_submissions(options, given.stem, &course, store,
                              &roster, &failed)
           : EXIT_GRADER_ERROR;
    roster_free(&roster);
    if (code != EXIT_FULL)
        return code;
    code = run_batch(options, &batch);
    if (code == EXIT_FULL && failed)
        return report_error(EXIT_GRADER_ERROR, "%zu could not be read, by an "
                            "error of the grader: the same command tries again",
                            failed);
    if (code == EXIT_FULL)
        printf("the marks: build/warpbook gradebook %s\n", store->path);
    return code;
}

/* Wrong options are told before the results folder is made. */
static int autograde(const struct options *options)
{
    struct store store;
    struct failure failure;
    int code;

    if (!options->slurm && slurm_is_requested(&options->request))
        return report_error(EXIT_USAGE, "options --slurm-... need --slurm");
    if (options->slurm && !slurm_request_check(&options->request, &failure))
        return report_error(EXIT_USAGE, "%s", failure.text);
    if (!options->output)
        return report_error(EXIT_USAGE, "autograde needs -o RESULTS, a folder "
                            "for the results");
    if (access(options->words[0], F_OK))
        return report_error(EXIT_USAGE, "%s: %s", options->words[0],
                            strerror(errno));
    if (!output_is_folder(options->output))
        return EXIT_USAGE;
    if (path_is_within(options->output, options->words[0]))
        return report_error(EXIT_USAGE, "%s lies in the folder of submissions; "
                            "name a folder for the results beside it",
                            options->output);
    if (!boxes_open(options, true))
        return EXIT_GRADER_ERROR;
    if (!store_open(options->output, STORE_CREATE, &store, &failure))
        return report_error(EXIT_GRADER_ERROR, "%s", failure.text);
    code = grade_class(options, &store);
    store_close(&store);
    return code;
}

/* --- regrade -------------------------------------------------------------- */

static struct comparison compared;

/* After a regrade: the mark, and the tests that have another one now. */
static void compare(const json_t *entry, const json_t *old, const json_t *now)
{
    comparison_print(&compared, entry, old, now);
}

/* Grade again under the present program and compare with the stored results,
 * which stay. */
static int regrade(const struct options *options)
{
    static struct course course;
    static struct batch batch;
    struct roster roster = {0};
    struct store store;
    struct failure failure;
    int code = EXIT_GRADER_ERROR;

    if (!boxes_open(options, true))
        return EXIT_GRADER_ERROR;
    if (!store_open(options->words[0], STORE_READ, &store, &failure))
        return report_error(EXIT_USAGE, "%s", failure.text);
    store_close(&store);
    if (!store_open(options->words[0], STORE_WRITE, &store, &failure))
        return report_error(EXIT_GRADER_ERROR, "%s", failure.text);
    if (!settings_load(&store, &(struct given){0}, &course, &roster,
                       &failure))
        report_error(0, "%s", failure.text);
    else if (open_batch(options, &store, &course, &batch)) {
        batch.again = true;
        batch.compare = compare;
        code = run_batch(options, &batch);
        printf("%zu compared, %zu changed\n", compared.all,
               compared.different);
    }
    if (code == EXIT_FULL && !compared.all)
        code = report_error(EXIT_USAGE, "no graded submission matches");
    roster_free(&roster);
    store_close(&store);
    return code == EXIT_FULL && compared.different ? EXIT_PARTIAL : code;
}

const struct verb verb_autograde = {
    "autograde", "SUBMISSIONS", "grade the submissions of a class",
    "SUBMISSIONS is a folder of folders, archives or .cu files, or a download "
    "of Moodle, Canvas or Gradescope, unpacked. -o RESULTS is the folder of "
    "the results. The same command continues after any interruption. Exit "
    "status 0 when all are graded, whatever their marks; 4 when some are not.",
    "oLrepCJSdHT0123456", 1, 1, autograde};

const struct verb verb_regrade = {
    "regrade", "RESULTS", "grade again, and print what changed",
    "All submissions of a results folder, or those of --lab and --student, are "
    "graded again with new inputs. Old results are kept. Exit status 1 when a "
    "verdict, a score or its maximum changed.",
    "LuJdT", 1, 1, regrade};
