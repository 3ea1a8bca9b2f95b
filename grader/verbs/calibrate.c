/* SPDX-License-Identifier: MIT */
/* warpbook calibrate [LAB]: measure the steps of the ladders on this card. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common.h"
#include "common/base/process.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "grader/build/build.h"

/* Runners of a ladder. */
struct runners {
    struct build_result built[LAB_MAX_STEPS];
    struct session step[LAB_MAX_STEPS]; /* as lab->step */
    struct session baseline, reference; /* of the same steps */
    char scratch[PATH_MAX];             /* that they may write to */
};

/* Build all steps.  @return false after one line on stderr */
static bool open_runners(const struct lab *lab, const struct target *target,
                         struct runners *runners)
{
    memset(runners, 0, sizeof *runners);
    if (!temp_dir_create(runners->scratch)) {
        report_error(0, "no temporary folder: %s", strerror(errno));
        return false;
    }
    for (size_t i = 0; i < lab->steps && !interrupted(); i++) {
        struct build_result *built = &runners->built[i];

        build_ladder_step(target, lab, lab->step[i], built);
        if (built->verdict != PASS) {
            report_error(0, "%s/%s: %s", lab->stem, lab->step[i],
                         built->message);
            return false;
        }
        runners->step[i] = (struct session){
            .runner = built->runner, .folder = runners->scratch,
            .limits = grade_limits(lab, target),
            .gpu = target->kind == DEVICE_GPU};
        if (!strcmp(lab->step[i], lab->baseline))
            runners->baseline = runners->step[i];
        if (!strcmp(lab->step[i], lab->reference))
            runners->reference = runners->step[i];
    }
    return !interrupted();
}

/* Safe for runners that were never opened. */
static void close_runners(struct runners *runners)
{
    for (size_t i = 0; i < LAB_MAX_STEPS; i++)
        session_free(&runners->step[i]);
    session_free(&runners->baseline);
    session_free(&runners->reference);
}

/* The speedups of all steps over the baseline, in one line. */
static void show_run(const struct lab *lab, size_t index,
                     const struct calibrated_run *run)
{
    printf("  %-11s", lab->speed[index].name);
    for (size_t i = 0; i < lab->steps; i++)
        printf(" %.3g", run->ratio[i]);
    printf(" x %s\n", lab->baseline);
    fflush(stdout);
}

/* Measure one timed run of a lab, and store it. */
static bool calibrate_run(const struct lab *lab, size_t index, uint64_t seed,
                          struct runners *runners,
                          struct card_context *context)
{
    struct speed_task task = {
        .run = {.lab = lab, .index = index, .seed = seed,
                .session = {&runners->baseline}, .card = context->card},
        .rules = &card_rules};
    struct session *steps[LAB_MAX_STEPS];
    struct calibrated_run run;
    char reason[MESSAGE_SIZE];

    for (size_t i = 0; i < lab->steps; i++)
        steps[i] = &runners->step[i];
    if (!measure_ladder(&task, steps, &runners->reference, &run, reason)) {
        report_error(0, "%s, %s: %s", lab->stem, lab->speed[index].name,
                     reason);
        return false;
    }
    calibration_set(&context->calibration, lab, index, &run);
    show_run(lab, index, &run);
    return true;
}

/* Measurements are stored lab by lab, so that an interruption loses one. */
static bool calibrate_lab(const struct lab *lab, const struct target *target,
                          uint64_t seed, struct card_context *context)
{
    static struct runners runners;
    bool all = open_runners(lab, target, &runners);

    printf("%s\n", lab->stem);
    fflush(stdout);
    for (size_t i = 0; all && i < lab->speeds && !interrupted(); i++)
        if (lab->speed[i].is_timed[target->kind])
            all = calibrate_run(lab, i, seed, &runners, context);
    close_runners(&runners);
    if (!context->calibration.root || calibration_write(&context->calibration))
        return all && !interrupted();
    report_error(0, "cannot write %s: %s", context->calibration.path,
                 strerror(errno));
    return false;
}

/* One lab, or all. */
static int calibrate_labs(const struct options *options,
                          const struct target *target,
                          struct card_context *context)
{
    static struct lab lab;
    int code = EXIT_FULL;

    if (!*context->calibration.path)
        return report_error(EXIT_USAGE, "there is no home folder: name the "
                            "file by --calibration");
    for (size_t i = 0; suites[i] && !interrupted(); i++) {
        if (!load_lab(options->count ? options->words[0] : suites[i]->stem,
                      options, &lab))
            return EXIT_USAGE;
        if (!calibrate_lab(&lab, target, options->seed, context))
            code = EXIT_PARTIAL;
        temp_dirs_remove(); /* free the disk space */
        if (options->count)
            break;
    }
    if (context->calibration.root)
        printf("stored in %s\n", context->calibration.path);
    return code;
}

/* Only a card is calibrated. */
static int run(const struct options *options)
{
    struct card_context context;
    struct target target;
    char error[512];
    int code;

    if (!target_find("gpu", &target, error))
        return report_error(EXIT_GRADER_ERROR, "%s; calibration is for a card",
                            error);
    if (!card_context_open(options, &target, false, &context))
        return EXIT_GRADER_ERROR;
    code = calibrate_labs(options, &target, &context);
    card_context_close(&context);
    return code;
}

const struct verb verb_calibrate = {
    "calibrate", "[LAB]", "measure the steps of the ladders on this card",
    "Times every step of the ladder in turns with its first step and its "
    "reference, and stores the speedups, with card, clocks, driver and date. "
    "Once is enough for a machine: warpbook grade then names the step that a "
    "file is as fast as, and asks for another calibration when the baseline "
    "or the reference takes 3 % more or less time than stored. Points do not "
    "depend on it.", "lstmk", 0, 1, run};
