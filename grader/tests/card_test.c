/* SPDX-License-Identifier: MIT */
/* Is a card fit to be timed, and what is stored of it?  Where there is no card,
 * programs/nvml.c stands in for NVML. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "grader/grade/calibration.h"
#include "grader/grade/score.h"
#include "stand_in.h"

static char folder[PATH_MAX];

/* Name, clocks and versions of a stand-in for NVML. */
static void describes_card(void)
{
    struct card *card = stand_in_open(folder, "", "1,0");
    struct card_facts facts;

    CU_ASSERT_PTR_NOT_NULL_FATAL(card);
    card_describe(card, &facts);
    CU_ASSERT_STRING_EQUAL(facts.name, "Card");
    CU_ASSERT_STRING_EQUAL(facts.driver, "570.1");
    CU_ASSERT_EQUAL(facts.sm_mhz, 1980);
    CU_ASSERT_EQUAL(facts.memory_mhz, 3201);
    card_close(card);
    card = stand_in_open(folder, "", "GPU-00c0ffee");
    CU_ASSERT_PTR_NOT_NULL(card);
    card_close(card);
    CU_ASSERT_PTR_NULL(stand_in_open(folder, "", "GPU-deadbeef"));
    /* card 0: it has card 1 */
    CU_ASSERT_PTR_NULL(stand_in_open(folder, "", NULL));
    CU_ASSERT_PTR_NULL(card_open("/nowhere/libnvidia-ml.so.1", "1"));
    card_describe(NULL, &facts);
    CU_ASSERT_STRING_EQUAL(facts.driver, "");
    card_close(NULL);
}

/* Our own runners are on the card, too; idle clocks are none that were
 * lowered. */
static void check_fitness(const char *options)
{
    struct card *card = stand_in_open(folder, options, "1");
    char reason[CARD_REASON] = "";

    CU_ASSERT_PTR_NOT_NULL_FATAL(card);
    *stand_in.processes = 3;
    *stand_in.reasons = 0x1 | 0x2;
    CU_ASSERT_FALSE(card_is_unfit(card, 3, reason));
    CU_ASSERT_STRING_EQUAL(reason, "");
    *stand_in.guest_queries = 1;
    CU_ASSERT_TRUE(card_is_unfit(card, 3, reason));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "another process uses the card: 4 "));
    CU_ASSERT_FALSE(card_is_unfit(card, 3, reason)); /* it has ended */
    *stand_in.processes = 100;
    CU_ASSERT_TRUE(card_is_unfit(card, 3, reason));
    *stand_in.processes = 0;
    *stand_in.reasons = 0x40 | 0x1;
    CU_ASSERT_TRUE(card_is_unfit(card, 3, reason));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "because of heat"));
    *stand_in.reasons = 0x4;
    CU_ASSERT_TRUE(card_is_unfit(card, 3, reason));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "because of the power limit"));
    card_close(card);
}

/* Also with an older library, which lacks some functions. */
static void sees_other_processes_and_clocks(void)
{
    check_fitness("");
    check_fitness("-DOLD");
}

/* --- arithmetic ---------------------------------------------------------- */

/* A step that gains nothing, and one that loses: reached with the one
 * before. */
static void steps(void)
{
    static const double ratios[] = {1, 2, 2, 1.5, 4};

    CU_ASSERT_EQUAL(score_steps(ratios, 5, 0.9), 0);
    CU_ASSERT_EQUAL(score_steps(ratios, 5, 0.96), 1);
    CU_ASSERT_EQUAL(score_steps(ratios, 5, 1.6), 1);
    CU_ASSERT_EQUAL(score_steps(ratios, 5, 1.95), 4);
    CU_ASSERT_EQUAL(score_steps(ratios, 5, 3.7), 4);
    CU_ASSERT_EQUAL(score_steps(ratios, 5, 3.85), 5);
    CU_ASSERT_EQUAL(score_straddled(ratios, 5, 1.7, 1.8), 0);
    CU_ASSERT_EQUAL(score_straddled(ratios, 5, 1.8, 2), 2);
    CU_ASSERT_EQUAL(score_straddled(ratios, 5, 1.95, 3.7), 0);
    CU_ASSERT_EQUAL(score_straddled(ratios, 5, 1.95, 3.9), 5);
    CU_ASSERT_EQUAL(score_straddled(ratios, 5, 3.9, 9), 0);
}

/* Of few and of many values; a trend widens the interval. */
static void intervals(void)
{
    const double ten[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const double falling[] = {10, 10, 10, 9, 9, 9};
    double low, high;

    score_interval(ten, 1, &low, &high);
    CU_ASSERT_TRUE(low == 1 && high == 1);
    score_interval(ten, 5, &low, &high); /* 93.75 % */
    CU_ASSERT_TRUE(low == 1 && high == 5);
    score_interval(ten, 7, &low, &high); /* from the second on: 87.5 % */
    CU_ASSERT_TRUE(low == 1 && high == 7);
    score_interval(ten, 8, &low, &high); /* 92.97 % */
    CU_ASSERT_TRUE(low == 2 && high == 7);
    score_interval(ten, 10, &low, &high); /* 97.85 %; third: 89.06 % */
    CU_ASSERT_TRUE(low == 2 && high == 9);
    CU_ASSERT_DOUBLE_EQUAL(score_drift(falling, 6), -0.1, 1e-12);
    CU_ASSERT_EQUAL(score_drift(falling, 1), 0);
    CU_ASSERT_DOUBLE_EQUAL(score_change(1.02, 1), 0.02, 1e-12);
    CU_ASSERT_EQUAL(score_change(2, 0), 0);
}

/* --- the calibration file ------------------------------------------------- */

static const struct suite_test no_test[] = {{0}};
static const struct suite suite = {"09_test", no_test, no_test, NULL};
static struct lab lab = {.suite = &suite, .stem = "09_test", .number = 9,
                         .speeds = 1, .speed = {{.name = "run"}}, .steps = 2,
                         .step = {"1_a.cu", "2_b.cu"}};
static const struct card_facts facts = {"Card", "570.1", 1980, 3201};
static const struct calibrated_run stored = {
    .date = "2026-01-31", .baseline = 0.1, .reference = 0.05,
    .ratio = {1, 2}};

/* Open the file as on this card, and look for the run. */
static bool find(const char *path, const struct card_facts *card,
                 struct calibrated_run *run, char *reason)
{
    struct calibration calibration;
    bool found;

    *reason = 0;
    if (!calibration_read(path, card, &calibration, reason))
        return false;
    found = calibration_find(&calibration, &lab, 0, run, reason);
    calibration_free(&calibration);
    return found;
}

/* The calibration is not used, and the reason says why. */
static void check_refused(const char *path, const struct card_facts *card,
                          const char *what)
{
    struct calibrated_run run;
    char reason[LAB_ERROR_SIZE];

    CU_ASSERT_FALSE(find(path, card, &run, reason));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, what));
    if (!strstr(reason, what))
        printf("    %s\n", reason);
}

/* A stored measurement is found for the same card alone. */
static void stores_and_finds(void)
{
    struct card_facts other = facts;
    struct calibration calibration;
    struct calibrated_run run;
    char path[PATH_MAX + 32], reason[LAB_ERROR_SIZE];

    text_format(path, sizeof path, "%s/state/warpbook/cal.json", folder);
    check_refused(path, &facts, "was not measured on this card: run warpbook "
                                "calibrate 09");
    CU_ASSERT_TRUE(calibration_read(path, &facts, &calibration, reason));
    calibration_set(&calibration, &lab, 0, &stored);
    CU_ASSERT_TRUE(calibration_write(&calibration));
    calibration_free(&calibration);
    CU_ASSERT_TRUE(find(path, &facts, &run, reason));
    CU_ASSERT_EQUAL(run.baseline, 0.1);
    CU_ASSERT_EQUAL(run.reference, 0.05);
    CU_ASSERT_EQUAL(run.ratio[1], 2);
    CU_ASSERT_STRING_EQUAL(run.date, "2026-01-31");
    strcpy(other.driver, "580.2");
    check_refused(path, &other, "another card, or with another driver");
    CU_ASSERT_TRUE(calibration_read(path, &other, &calibration, reason));
    calibration_set(&calibration, &lab, 0, &stored); /* drops the old one */
    CU_ASSERT_TRUE(calibration_find(&calibration, &lab, 0, &run, reason));
    calibration_free(&calibration);
    strcpy(lab.step[1], "2_c.cu");
    check_refused(path, &facts, "the ladder has changed");
    strcpy(lab.step[1], "2_b.cu");
}

/* Files of unknown origin are refused in one line. */
static void refuses_what_is_no_calibration(void)
{
    static const char *const texts[][2] = {
        {"", "not a calibration"},
        {"{", "not a calibration"},
        {"[]", "its schema is another"},
        {"{\"schema\": \"warpbook-calibration/2\"}", "its schema is another"},
        {"{\"schema\": \"warpbook-calibration/1\"}", "was not measured"},
        {"{\"schema\": \"warpbook-calibration/1\", \"card\": \"Card\", "
         "\"driver\": \"570.1\", \"labs\": {\"09_test\": {\"run\": {\"date\": "
         "\"x\", \"baseline_seconds\": 1, \"reference_seconds\": -1}}}}",
         "the ladder has changed"}};
    char path[PATH_MAX + 32];

    text_format(path, sizeof path, "%s/bad.json", folder);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CU_ASSERT_TRUE(write_file(path, texts[i][0], strlen(texts[i][0])));
        check_refused(path, &facts, texts[i][1]);
    }
    check_refused("/", &facts, "/: ");
}

/* More than 3 % of baseline or reference. */
static void drifts(void)
{
    char reason[LAB_ERROR_SIZE] = "";

    CU_ASSERT_FALSE(calibration_has_drifted(&stored, &lab, 0.1029, 0.0486,
                                            0.03, reason));
    CU_ASSERT_STRING_EQUAL(reason, "");
    CU_ASSERT_TRUE(calibration_has_drifted(&stored, &lab, 0.1031, 0.05, 0.03,
                                           reason));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "baseline takes 3.1 % longer"));
    CU_ASSERT_TRUE(calibration_has_drifted(&stored, &lab, 0.1, 0.048, 0.03,
                                           reason));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "reference takes 4.0 % less"));
}

/* XDG's folder, else one in the home folder. */
static void default_path(void)
{
    char path[PATH_MAX];

    setenv("XDG_STATE_HOME", "/state", 1);
    calibration_default_path(path);
    CU_ASSERT_STRING_EQUAL(path, "/state/warpbook/calibration.json");
    setenv("XDG_STATE_HOME", "relative", 1); /* is to be ignored */
    setenv("HOME", "/home/me", 1);
    calibration_default_path(path);
    CU_ASSERT_STRING_EQUAL(path,
                           "/home/me/.local/state/warpbook/calibration.json");
    unsetenv("HOME");
    calibration_default_path(path);
    CU_ASSERT_STRING_EQUAL(path, "");
}

int main(void)
{
    CU_TestInfo list[] = {
        {"a card is described", describes_card},
        {"other processes and lowered clocks", sees_other_processes_and_clocks},
        {"steps, ties and thresholds", steps},
        {"intervals and drift", intervals},
        {"a calibration is stored and found", stores_and_finds},
        {"no calibration is refused", refuses_what_is_no_calibration},
        {"a drift from the calibration", drifts},
        {"where the calibration is", default_path},
        CU_TEST_INFO_NULL};
    int status = paths_init() && temp_dir_create(folder)
                     ? run_tests("card and calibration", list) : 2;

    temp_dirs_remove();
    return status;
}
