/* SPDX-License-Identifier: MIT */
/* The page of `train compare`. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/files.h"
#include "train_tests.h"

/* How often a file contains a text. */
static int occurrences(const char *path, const char *fragment)
{
    size_t length;
    char *text = read_file(path, 1 << 20, &length);
    int count = 0;

    CU_ASSERT_FATAL(text != NULL);
    for (const char *at = text; (at = strstr(at, fragment)); at++) count++;
    free(text);
    return count;
}

/* A short training.  @return its folder */
static char *train_run(char out[PATH_BYTES], const char *name,
                       const char *options)
{
    CU_ASSERT_EQUAL(train("--net softmax %s --limit 48 --batch 16 --epochs 2 "
                          "%s --force --device soft --out %s", small_set(),
                          options, scratch_path(out, name)), 0);
    return out;
}

/* A page has a curve for each run: loss and accuracy of training and of test,
 * and of validation where a run has it.  It shows the settings that differ, and
 * a folder's name is any text. */
static void page(void)
{
    char a[PATH_BYTES], b[PATH_BYTES], c[PATH_BYTES], path[PATH_BYTES];

    train_run(a, "page_a", "--seed 1");
    train_run(b, "<i>&'\"", "--seed 2 --lr 0.01"); /* as the file says */
    scratch_path(path, "runs.html");
    CU_ASSERT_EQUAL(train("compare %s %s --html %s", a, b, path), 0);
    CU_ASSERT(log_contains("/page_a\n"));
    CU_ASSERT(log_contains("seed: 1, 2\npage: "));
    CU_ASSERT_EQUAL(occurrences(path, "<polyline"), 2 * 4);
    CU_ASSERT_EQUAL(occurrences(path, ">seed</th>"), 1);
    CU_ASSERT_EQUAL(occurrences(path, ">lr</th>"), 0);
    CU_ASSERT_EQUAL(occurrences(path, ">momentum</th>"), 0);
    CU_ASSERT_EQUAL(occurrences(path, ">network</th>"), 0);
    CU_ASSERT_EQUAL(occurrences(path, "<i>"), 0);
    CU_ASSERT_EQUAL(occurrences(path, "&lt;i&gt;&amp;"), 1);
    CU_ASSERT_EQUAL(occurrences(path, "validation loss</text>"), 0);
    train_run(c, "page_c", "--seed 1 --validation 0.25 --lr 0.03 "
              "--net mlp");
    CU_ASSERT_EQUAL(train("compare %s %s %s --html %s", a, b, c, path), 0);
    CU_ASSERT(log_contains("the networks' texts differ"));
    CU_ASSERT(log_contains("lr: 0.01, 0.01, 0.03\n"));
    CU_ASSERT_EQUAL(occurrences(path, "<polyline"), 3 * 4 + 2);
    CU_ASSERT_EQUAL(occurrences(path, ">network</th>"), 1);
    CU_ASSERT_EQUAL(occurrences(path, "validation loss</text>"), 1);
}

/* A page that cannot be written, and commands that write none. */
static void no_page(void)
{
    char a[PATH_BYTES], path[PATH_BYTES];

    scratch_path(a, "page_a");
    scratch_path(path, "runs.html");
    CU_ASSERT_EQUAL(train("compare %s %s --html %s/x.html", a, a, path), 3);
    CU_ASSERT(log_contains("x.html: Not a directory"));
    CU_ASSERT_EQUAL(train("compare %s %s --html %s", a, path, path), 3);
    CU_ASSERT(log_contains("/checkpoint.safetensors: Not a directory"));
    CU_ASSERT_EQUAL(train("--html x --net mlp"), 2);
    CU_ASSERT(log_contains("training has no option --html"));
}

CU_TestInfo compare_tests[] = {{"page", page},
                               {"no page", no_page},
                               CU_TEST_INFO_NULL};
