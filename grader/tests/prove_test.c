/* SPDX-License-Identifier: MIT */
/* The order of a ladder's modeled times; no step runs here. */
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "grader/prove/prove.h"

enum { STEPS = 4, PROOFS = STEPS + 2 };

static struct lab lab = {.steps = STEPS};
static struct proof proofs[PROOFS];

/* A handout, steps with these times, and a mutant; all proofs hold. */
static void make(double a, double b, double c, double d)
{
    const double us[STEPS] = {a, b, c, d};

    memset(proofs, 0, sizeof proofs);
    memset(lab.slower, 0, sizeof lab.slower);
    proofs[0].claim = CLAIM_HANDOUT;
    proofs[PROOFS - 1].claim = CLAIM_KILLED;
    for (size_t i = 0; i < PROOFS; i++)
        proofs[i].holds = true;
    for (size_t i = 0; i < STEPS; i++) {
        proofs[1 + i].claim = CLAIM_STEP;
        proofs[1 + i].modeled = us[i];
    }
}

/* Steps whose proof failed: bit i is step i. */
static unsigned failed(void)
{
    unsigned bits = 0;

    check_modeled_order(&lab, proofs, PROOFS);
    CU_ASSERT_TRUE(proofs[0].holds && proofs[PROOFS - 1].holds);
    for (size_t i = 0; i < STEPS; i++) {
        CU_ASSERT_EQUAL(proofs[1 + i].holds, !*proofs[1 + i].reason);
        bits |= (unsigned)!proofs[1 + i].holds << i;
    }
    return bits;
}

/* Equal times count as in order. */
static void in_order(void)
{
    make(9, 7, 7.3, 2);
    CU_ASSERT_EQUAL(failed(), 0);
    make(5, 5, 5, 5);
    CU_ASSERT_EQUAL(failed(), 0);
}

/* Compared with the fastest earlier step: small losses add up. */
static void out_of_order(void)
{
    make(9, 7, 7.4, 2);
    CU_ASSERT_EQUAL(failed(), 4);
    make(5, 5.2, 5.3, 5.2);
    CU_ASSERT_EQUAL(failed(), 4);
    make(5, 9, 8, 7);
    CU_ASSERT_EQUAL(failed(), 2 | 4 | 8);
}

/* [slower] with a reason: allowed if the step is slower. */
static void exceptions(void)
{
    make(5, 9, 4, 4);
    strcpy(lab.slower[1], "reason");
    CU_ASSERT_EQUAL(failed(), 0);
    make(5, 9, 8, 4);
    strcpy(lab.slower[1], "reason");
    CU_ASSERT_EQUAL(failed(), 4);
    make(5, 4, 3, 2);
    strcpy(lab.slower[1], "reason");
    CU_ASSERT_EQUAL(failed(), 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(proofs[2].reason, "but it is not slower"));
}

/* A failed step, or one without a time, is not compared with. */
static void unknown(void)
{
    make(0, 0, 0, 0);
    CU_ASSERT_EQUAL(failed(), 0);
    make(5, 0, 6, 2);
    CU_ASSERT_EQUAL(failed(), 4);
    make(5, 1, 4, 3);
    proofs[2].holds = false;
    strcpy(proofs[2].reason, "wrong");
    CU_ASSERT_EQUAL(failed(), 2);
}

/* A lab with tests of 60 points, 20 the least, and the scores of a handout, a
 * wrong file, a right one and a ladder of three steps, the second of which is
 * the reference.  @return the proofs that fail, as bits */
static unsigned misplaced(const double score[6])
{
    static struct lab small = {.tests = 2, .steps = 3, .reference = "2_b.cu",
                               .test = {{.points = 40}, {.points = 20}}};
    struct proof six[6] = {
        {.claim = CLAIM_HANDOUT}, {.claim = CLAIM_SCORE},
        {.claim = CLAIM_SCORE, .is_right = true},
        {.claim = CLAIM_STEP, .name = "1_a.cu"},
        {.claim = CLAIM_STEP, .name = "2_b.cu"},
        {.claim = CLAIM_STEP, .name = "3_c.cu"}};
    unsigned bits = 0;

    for (size_t i = 0; i < 6; i++) {
        six[i].score = score[i];
        six[i].holds = true;
    }
    check_points_order(&small, six, 6);
    for (size_t i = 0; i < 6; i++)
        bits |= (unsigned)!six[i].holds << i;
    return bits;
}

/* Each misplaced file is named by its bit. */
static void points_in_order(void)
{
    CU_ASSERT_EQUAL(misplaced((double[]){0, 30, 70, 70, 100, 90}), 0);
    CU_ASSERT_EQUAL(misplaced((double[]){30, 30, 70, 70, 100, 90}), 1);
    CU_ASSERT_EQUAL(misplaced((double[]){19, 30, 70, 70, 100, 90}), 0);
    CU_ASSERT_EQUAL(misplaced((double[]){20, 30, 70, 70, 100, 90}), 1);
    CU_ASSERT_EQUAL(misplaced((double[]){0, 70, 70, 70, 100, 90}), 2);
    CU_ASSERT_EQUAL(misplaced((double[]){0, 30, 40, 70, 100, 90}), 4);
    CU_ASSERT_EQUAL(misplaced((double[]){0, 30, 70, 95, 90, 90}), 8);
}

/* The proof of that name, or NULL. */
static const struct proof *find_proof(const struct proof *list, size_t count,
                                      const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i].name, name))
            return &list[i];
    return NULL;
}

/* A mutant's header names its test, which the suite must have. */
static void named_test(void)
{
    static struct lab first;
    static struct proof list[MAX_PROOFS];
    char folder[PATH_MAX], error[LAB_ERROR_SIZE] = "";
    const struct proof *proof;
    size_t count, i = 0;

    CU_ASSERT_FATAL(paths_init() && lab_open("01", &first, error)
                    && temp_dir_create(folder));
    count = proofs_list(&first, folder, list, error);
    proof = find_proof(list, count, "errors_ignored");
    CU_ASSERT_FATAL(proof && !strcmp(proof->test, "refuses"));
    proof = find_proof(list, count, "half_precision");
    CU_ASSERT_FATAL(proof && !*proof->test);
    while (i < first.tests && strcmp(first.test[i].name, "refuses"))
        i++;
    strcpy(first.test[i].name, "other");
    CU_ASSERT_EQUAL(proofs_list(&first, folder, list, error), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "the suite has no test refuses"));
}

int main(void)
{
    CU_TestInfo tests[] = {{"a ladder in order", in_order},
                           {"a later step is slower", out_of_order},
                           {"named as slower", exceptions},
                           {"no time is known", unknown},
                           {"points in order", points_in_order},
                           {"a mutant names its test", named_test},
                           CU_TEST_INFO_NULL};

    return run_tests("proofs", tests);
}
