/* SPDX-License-Identifier: MIT */
/* The counts of a ladder's first step are kept beside its runner, and counted
 * again when that may have changed. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "grader/build/build.h"
#include "grader/grade/grade.h"

/* Of the ladder's first step of lab 01. */
static double modeled_baseline(const struct task *task)
{
    static struct watch watch;

    memset(&watch, 0, sizeof watch);
    grade_watch_baseline(task, &watch);
    return watch.cases[task->lab->budget[0].watched].modeled_baseline;
}

/* The counts of the first step are kept, until something is newer than they. */
static void baseline_is_kept(void)
{
    static const char other[] = "{\"model\": \"m\", \"modeled\": 12345.0, "
                                "\"counts\": {}}";
    static struct lab first;
    struct target target = {.kind = DEVICE_SOFT};
    const struct task task = {.lab = &first, .target = &target, .seed = 7};
    char error[512], kept[PATH_MAX], step[PATH_MAX];
    double modeled;

    CU_ASSERT_TRUE_FATAL(target_find("soft", &target, error));
    CU_ASSERT_TRUE_FATAL(lab_open("01_vector_add", &first, error));
    modeled = modeled_baseline(&task);
    CU_ASSERT_TRUE(modeled > 0);
    target.watch = WATCH_FINDINGS | WATCH_COUNTS;
    CU_ASSERT_TRUE(ladder_step_path(&target, &first, first.baseline, step));
    target.watch = 0;
    text_format(kept, sizeof kept, "%.4000s.counts-%zu", step,
                first.budget[0].watched);
    CU_ASSERT_TRUE(write_file(kept, other, strlen(other)));
    CU_ASSERT_EQUAL(modeled_baseline(&task), modeled); /* another card's */
    text_format(target.model, sizeof target.model, "m");
    CU_ASSERT_TRUE(write_file(kept, other, strlen(other)));
    CU_ASSERT_EQUAL(modeled_baseline(&task), 12345);
    CU_ASSERT_EQUAL(
        utimensat(AT_FDCWD, kept, (struct timespec[2]){{1, 0}, {1, 0}}, 0), 0);
    CU_ASSERT_EQUAL(modeled_baseline(&task), modeled);
    unlink(kept);
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"counts of the first step are kept", baseline_is_kept},
        CU_TEST_INFO_NULL};

    return paths_init() ? run_tests("counts of the baseline", tests) : 2;
}
