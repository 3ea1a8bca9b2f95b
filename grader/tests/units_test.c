/* SPDX-License-Identifier: MIT */
/* Small parts: score, settings, random, text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "common/base/files.h"
#include "common/base/paths.h"
#include "grader/lab/lab.h"
#include "common/base/process.h"
#include "grader/grade/score.h"
#include "grader/suite/state.h"
#include "common/base/temp_dir.h"
#include "common/base/chacha.h"
#include "common/base/random.h"
#include "grader/suite/printed.h"
#include "common/base/text.h"
#include "common/base/utf8.h"

/* Fractions of a target, medians of odd and even counts. */
static void scores(void)
{
    double three[] = {3, 1, 2}, four[] = {4, 1, 3, 2};

    CU_ASSERT_EQUAL(score_fraction(1, 2), 0);
    CU_ASSERT_EQUAL(score_fraction(2, 2), 1);
    CU_ASSERT_EQUAL(score_fraction(5, 2), 1);
    CU_ASSERT_EQUAL(score_fraction(0.5, 2), 0);
    CU_ASSERT_DOUBLE_EQUAL(score_fraction(sqrt(2), 2), 0.5, 1e-12);
    CU_ASSERT_EQUAL(score_fraction(0, 2), 0);
    CU_ASSERT_EQUAL(score_fraction(NAN, 2), 0);
    CU_ASSERT_EQUAL(score_fraction(2, 0), 0);
    CU_ASSERT_EQUAL(score_fraction(2, NAN), 0);
    CU_ASSERT_EQUAL(score_fraction(1, 1), 1); /* a ladder that gains nothing */
    CU_ASSERT_EQUAL(score_fraction(0.9, 1), 0);
    CU_ASSERT_DOUBLE_EQUAL(score_fraction(0.95, 1), 0.5132, 1e-4);
    CU_ASSERT_EQUAL(score_zero(2), 1);
    CU_ASSERT_EQUAL(score_zero(1), 0.9);
    CU_ASSERT_EQUAL(score_median(three, 3), 2);
    CU_ASSERT_EQUAL(score_median(four, 4), 2.5);
    CU_ASSERT_EQUAL(score_median(four, 0), 0);
}

/* A test that does nothing. */
static void nothing(void)
{
}

static const struct suite_test two_tests[] = {
    {"one", "the first", nothing}, {"two", "the second", nothing}, {0}};
static const struct suite_test one_speed[] = {{"fast", "a run", nothing}, {0}};
static const struct suite suite = {"99_test", two_tests, one_speed, NULL};

#define INI_HEAD \
    "[function f]\nprototype = int f(int *a, float *b)\n" \
    "a = [1]\nb = [1]\n[lab]\ntitle = T\n" \
    "time = 2\nmemory = 3\nmemory gpu = 5\nlibraries = -lm -lz\n" \
    "with = 03 a.c\nhandout = 1_a.cu\n"
#define FIFTY "fifty characters, which is many for a single line "
#define SIXTEEN "0123456789abcdef" /* a baseline has room for 63 */
#define INI_POINTS "[points]\none = 1\ntwo = 2.5\n"

/* Reads this text as a lab.ini. */
static bool read_ini(const char *text, struct lab *lab, char *error)
{
    static char folder[PATH_MAX], path[PATH_MAX + 16];

    if (!*folder && !temp_dir_create(folder))
        return false;
    text_format(path, sizeof path, "%s/lab.ini", folder);
    *lab = (struct lab){.suite = &suite};
    return write_file(path, text, strlen(text)) && lab_read(path, lab, error);
}

/* Each section once. */
static void good_ini(void)
{
    static struct lab lab;
    char error[LAB_ERROR_SIZE] = "";

    CU_ASSERT_TRUE(read_ini(INI_HEAD INI_POINTS
                            "[hints]\ntwo = look\n[passed]\nnext = go on\n"
                            "[speed gpu]\nfast = 2.5 20\n"
                            "[speed soft]\nfast = 7\n"
                            "[checks]\nclean = 7\n"
                            "[cost two]\nsectors = 8 2, 1.05 6\n"
                            "barriers = 0 1\n"
                            "[cost hints]\nsectors = closer\n"
                            "[staged hints]\nsectors = larger\n"
                            "[strided hints]\nsectors = apart\n"
                            "[question]\nask = how many?\nanswer = 200\n"
                            "within = 0.01\nwhy = so many\n", &lab, error));
    CU_ASSERT_EQUAL(lab.clean, 7);
    CU_ASSERT_STRING_EQUAL(lab.libraries, "-lm -lz");
    CU_ASSERT_STRING_EQUAL(lab.dependencies, "03 a.c");
    CU_ASSERT_STRING_EQUAL(lab.handout, "1_a.cu");
    CU_ASSERT_EQUAL(lab.budgets, 2);
    CU_ASSERT_STRING_EQUAL(lab.budget[0].strided_hint, "apart");
    CU_ASSERT_EQUAL(lab.budget[0].watched, 1);
    CU_ASSERT_EQUAL(lab.budget[0].tiers, 2);
    CU_ASSERT_EQUAL(lab.budget[0].limit[1], 1.05);
    CU_ASSERT_EQUAL(lab.budget[0].points[1], 6);
    CU_ASSERT_STRING_EQUAL(lab.budget[0].hint, "closer");
    CU_ASSERT_STRING_EQUAL(lab.budget[0].staged_hint, "larger");
    CU_ASSERT_EQUAL(lab.budget[1].metric, METRIC_BARRIERS);
    CU_ASSERT_EQUAL(lab.tests, 2);
    CU_ASSERT_EQUAL(lab.test[1].points, 2.5);
    CU_ASSERT_STRING_EQUAL(lab.test[1].hint, "look");
    CU_ASSERT_EQUAL(lab.memory, 3u << 20);
    CU_ASSERT_EQUAL(lab.memory_gpu, 5u << 20);
    CU_ASSERT_EQUAL(lab.speed[0].target[0], 2.5);
    CU_ASSERT_EQUAL(lab.speed[0].points[0], 20);
    CU_ASSERT_EQUAL(lab.speed[0].target[1], 0); /* measured */
    CU_ASSERT_EQUAL(lab.speed[0].points[1], 7);
    CU_ASSERT_TRUE(lab.speed[0].is_timed[0] && lab.speed[0].is_timed[1]);
    CU_ASSERT_STRING_EQUAL(lab.next, "go on");
    CU_ASSERT_STRING_EQUAL(lab.question.reason, "so many");
    CU_ASSERT_TRUE(is_right_answer(&lab.question, 198));
    CU_ASSERT_FALSE(is_right_answer(&lab.question, 197));
    CU_ASSERT_FALSE(is_right_answer(&lab.question, NAN));
}

/* Settings that are wrong, and what the message must say. */
static const char *const bad[][2] = {
    {INI_POINTS, "[lab] needs a title"},
    {INI_HEAD "[function g]\nprototype = int g(int *a)\n" INI_POINTS,
     "no line says how large a is"},
    {INI_HEAD, "[points] does not name"},
    {INI_HEAD "[points]\none = 1\n", "[points] does not name"},
    {INI_HEAD INI_POINTS "three = 3\n", ":16: the suite has no test"},
    {INI_HEAD "[points]\none = x\n", ":14: \"x\" is not a number"},
    {INI_HEAD "[points]\none = -1\n", "is not a number"},
    {INI_HEAD "[points]\none = 1x\n", "\"1x\" is not a number"},
    {INI_HEAD "[points]\none = x\none = y\n", "\"x\" is not a number"},
    {INI_HEAD "color = red\n", "has no key"},
    {INI_HEAD "baseline = " SIXTEEN SIXTEEN SIXTEEN SIXTEEN "\n",
     "is too long"},
    {INI_HEAD "modeled  = maybe\n", "neither yes nor no"},
    {INI_HEAD INI_POINTS "[sped]\n\nfast = 1\n", "unknown section"},
    {INI_HEAD INI_POINTS "[speed gpu]\nfast = 0.5 3\n", "ratio above 1"},
    {INI_HEAD INI_POINTS "[speed gpu]\nfast = 1 3\n", "ratio above 1"},
    {INI_HEAD INI_POINTS "[speed gpu]\nfast = x\n", "ratio above 1"},
    {INI_HEAD INI_POINTS "[speed gpu]\nfast = 2 3 4\n", "ratio above 1"},
    {INI_HEAD INI_POINTS "[speed gpu]\nslow = 2 3\n", "no timed run"},
    {INI_HEAD INI_POINTS "nonsense\n", "not `key = value`"},
    {INI_HEAD INI_POINTS "[passed]\nnext = " FIFTY FIFTY FIFTY FIFTY,
     ":17: more than 198 characters"},
    {INI_HEAD INI_POINTS "[checks]\ndirty = 1\n", "has no key"},
    {INI_HEAD INI_POINTS "[cost ten]\nsectors = 1 1\n", "watched case"},
    {INI_HEAD INI_POINTS "[cost one]\nwishes = 1 1\n", "no metric"},
    {INI_HEAD INI_POINTS "[cost one]\nsectors = 1\n", "tiers"},
    {INI_HEAD INI_POINTS "[cost one]\nsectors = 1 2, 2 3\n", "tiers"},
    {INI_HEAD INI_POINTS "[cost one]\nsectors = 2 2, 1 1\n", "tiers"},
    {INI_HEAD INI_POINTS "[cost one]\nsectors = 2 2 1\n", "tiers"},
    {INI_HEAD INI_POINTS "[cost hints]\nsectors = x\n", "no budget"},
    {INI_HEAD INI_POINTS "[question]\nask = x\n", "needs ask"},
    {INI_HEAD INI_POINTS "[question]\nanswer = -1\n", "not a number"},
    {INI_HEAD INI_POINTS "[question]\nreply = 1\n", "has no key"},
    {INI_HEAD INI_POINTS "[question]\ncounted = a b c\n", "a step"},
    {INI_HEAD INI_POINTS "[question]\ncounted = a b c 1\n", "no step"},
    {INI_HEAD INI_POINTS "[ladder]\n9_no.cu = 1\n", "no step"},
    {INI_HEAD INI_POINTS "[slower]\n9_no.cu = why\n", "no step"},
    {INI_HEAD INI_POINTS "[slower]\n9_no.cu =\n", "why is"},
    {INI_HEAD "modeled  = yes\n" INI_POINTS "[slower]\n9_no.cu = why\n",
     "not `modeled`"},
    {INI_HEAD "modeled on = nine\n" INI_POINTS, "no watched case"},
    {INI_HEAD "modeled on = one\n" INI_POINTS
     "[cost one]\nsectors = 2 2\n", "not run in a grade"},
    {INI_HEAD "modeled  = yes\nmodeled on = one\n" INI_POINTS,
     "which excludes"},
};

/* Each wrong line has its own message. */
static void bad_ini(void)
{
    static struct lab lab;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char error[LAB_ERROR_SIZE] = "";

        CU_ASSERT_FALSE(read_ini(bad[i][0], &lab, error));
        CU_ASSERT_PTR_NOT_NULL(strstr(error, bad[i][1]));
        if (!strstr(error, bad[i][1]))
            printf("    %s\n", error);
    }
}

/* A lab is found by number, stem and name. */
static void lab_names(void)
{
    static struct lab lab;
    static const char *const names[] = {"01", "1", "vector_add",
                                        "01_vector_add"};
    char error[LAB_ERROR_SIZE];

    for (int i = 0; i < 4; i++) {
        CU_ASSERT_TRUE(lab_open(names[i], &lab, error));
        CU_ASSERT_STRING_EQUAL(lab.stem, "01_vector_add");
        CU_ASSERT_TRUE(lab.steps >= 3);
    }
    CU_ASSERT_FALSE(lab_open("77", &lab, error));
    CU_ASSERT_FALSE(lab_open("", &lab, error));
    CU_ASSERT_FALSE(lab_open("../labs", &lab, error));
}

/* Names of parameters from a prototype. */
static void parameters(void)
{
    const char *prototype = "int f(const float *a, float b[], size_t n)";
    char name[32];

    parameter_name(prototype, 0, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "a");
    parameter_name(prototype, 1, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "b");
    parameter_name(prototype, 2, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "n");
    parameter_name(prototype, 3, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "argument 4");
}

/* Each test has random numbers of its own, the same in each run. */
static void streams(void)
{
    float a[100], b[100];

    random_seed(5, "x");
    random_wide_range(a, 100);
    random_seed(5, "x");
    random_wide_range(b, 100);
    CU_ASSERT_EQUAL(memcmp(a, b, sizeof a), 0);
    random_seed(5, "y");
    random_wide_range(b, 100);
    CU_ASSERT_NOT_EQUAL(memcmp(a, b, sizeof a), 0);
    for (int i = 0; i < 100; i++) {
        int64_t whole = random_int(-2, 2);

        CU_ASSERT_TRUE(fabsf(a[i]) >= 0x1p-20f && fabsf(a[i]) < 0x1p21f);
        CU_ASSERT_TRUE(whole >= -2 && whole <= 2);
    }
}

/* The first block of RFC 8439's example (2.3.2), which is the second lane. */
static void known_block(void)
{
    static const uint32_t nonce[3] = {0x09000000, 0x4a000000, 0};
    static const uint32_t wanted[CHACHA_BLOCK] = {
        0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3, 0xc7f4d1c7, 0x0368c033,
        0x9aaa2204, 0x4e6cd4c3, 0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9,
        0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2};
    uint32_t key[CHACHA_KEY], out[CHACHA_WORDS];

    for (uint32_t i = 0; i < CHACHA_KEY; i++)
        key[i] = 0x03020100 + 0x04040404 * i;
    chacha_blocks(key, 0, nonce, out);
    CU_ASSERT_EQUAL(memcmp(out + CHACHA_BLOCK, wanted, sizeof wanted), 0);
}

/* Poison is another stream, and drawing it changes no input. */
static void poison_is_apart(void)
{
    enum { DRAWS = 3 * CHACHA_WORDS };
    uint64_t inputs[DRAWS];
    int equal = 0;

    random_seed(7, "longer than eight");
    for (int i = 0; i < DRAWS; i++)
        inputs[i] = random_bits();
    random_seed(7, "longer than eight");
    for (int i = 0; i < DRAWS; i++) {
        equal += random_poison() == inputs[i];
        CU_ASSERT_EQUAL(random_bits(), inputs[i]);
    }
    CU_ASSERT_EQUAL(equal, 0);
    random_seed(7, "longer than eighT");
    CU_ASSERT_NOT_EQUAL(random_bits(), inputs[0]);
    random_seed(7 + (1ull << 63), "longer than eight");
    CU_ASSERT_NOT_EQUAL(random_bits(), inputs[0]);
}

/* The output of a program must not steer the terminal. */
static void cleaned(void)
{
    char text[] = "a\033[2Jb\n\x9b\x7f\xc2\x9b"; /* CSI, also as UTF-8 */
    char quoted[] = "\xe2\x80\x98x\xe2\x80\x99 \xe2\x80\x9a";
    char kept[] = "\u00dcbung/\u65e5\u672c/\U0001f600\u00e9";
    char hidden[] = "a\u202eb\u200bc\u2028d\ufeff"; /* turned, hidden */
    char broken[] = "\xc3(\xe2\x82 \xc0\xaf \xed\xa0\x80 \xf5";

    make_printable(text);
    CU_ASSERT_STRING_EQUAL(text, "a?[2Jb\n????");
    make_printable(quoted);
    CU_ASSERT_STRING_EQUAL(quoted, "'x' \u201a");
    make_printable(kept);
    CU_ASSERT_STRING_EQUAL(kept, "\u00dcbung/\u65e5\u672c/\U0001f600\u00e9");
    make_printable(hidden);
    CU_ASSERT_STRING_EQUAL(hidden, "a???b???c???d???");
    make_printable(broken);
    CU_ASSERT_STRING_EQUAL(broken, "?(?? ?? ??? ?");
}

/* A text that is cut has whole characters: jansson takes no others. */
static void cut_between_characters(void)
{
    static const char *const whole[] = {"", "", "\u00dc", "\u00dc",
                                        "\u00dc", "\u00dc\u65e5"};
    char text[16];

    for (size_t room = 0; room < 6; room++) {
        text_format(text, room + 1, "%s", "\u00dc\u65e5\U0001f600");
        CU_ASSERT_STRING_EQUAL(text, whole[room]);
    }
    text_format(text, 9, "%s", "\u00dc\u65e5\U0001f600");
    CU_ASSERT_STRING_EQUAL(text, "\u00dc\u65e5");
    text_format(text, 10, "%s", "\u00dc\u65e5\U0001f600");
    CU_ASSERT_STRING_EQUAL(text, "\u00dc\u65e5\U0001f600");
    text_format(text, 3, "%s", "\xff\xff\xff");
    CU_ASSERT_STRING_EQUAL(text, "\xff\xff");
    CU_ASSERT_EQUAL(utf8_columns("\u00dc\u65e5\u672ce\u0301", 11), 6);
    CU_ASSERT_EQUAL(utf8_columns("\u00dc\u65e5", 2), 1);
}

/* Output is kept by case, and only the first lines of it. */
static void output_by_case(void)
{
    static struct outcome outcome;
    char text[] = "one\ntwo\033[2J\nthree\n";
    struct capture out = {.text = text, .length = 4};
    size_t seen;

    text[4] = 0;
    seen = keep_output(&outcome, &out, 0, "n = 1");
    CU_ASSERT_EQUAL(seen, 4);
    CU_ASSERT_STRING_EQUAL(outcome.output, "    n = 1\n      one\n");
    text[4] = 't';
    out.length = strlen(text);
    seen = keep_output(&outcome, &out, seen, "n = 2");
    CU_ASSERT_STRING_EQUAL(outcome.output,
                           "    n = 1\n      one\n"
                           "    n = 2\n      two?[2J\n      three\n");
    CU_ASSERT_EQUAL(keep_output(&outcome, &out, seen, "n = 3"), seen);
    CU_ASSERT_EQUAL(outcome.output_lines, 3);
    for (int i = 0; i < 9; i++)
        keep_output(&outcome, &out, 0, "n = 4");
    CU_ASSERT_EQUAL(outcome.output_lines, PRINTED_LINES);
    CU_ASSERT_EQUAL(outcome.output_left_out, 30 - PRINTED_LINES);
}

/* A limit is of a program's own time, within reason. */
static void starvation(void)
{
    CU_ASSERT_TRUE(is_starved(6, 2, 5));
    CU_ASSERT_TRUE(is_starved(39.9, 35, 5));
    CU_ASSERT_FALSE(is_starved(6, 0.9, 5));   /* it had its time */
    CU_ASSERT_FALSE(is_starved(6, 0, 5));     /* it sleeps */
    CU_ASSERT_FALSE(is_starved(40.1, 40, 5)); /* enough is enough */
}

int main(void)
{
    CU_TestInfo tests[] = {{"shares and medians", scores},
                           {"a lab.ini is read", good_ini},
                           {"a wrong lab.ini is refused", bad_ini},
                           {"labs are found by name", lab_names},
                           {"names of parameters", parameters},
                           {"inputs are reproducible", streams},
                           {"ChaCha20", known_block},
                           {"poison", poison_is_apart},
                           {"text is cleaned", cleaned},
                           {"text is cut between characters",
                            cut_between_characters},
                           {"output is kept by case", output_by_case},
                           {"a busy machine is not a slow program", starvation},
                           CU_TEST_INFO_NULL};

    return paths_init() ? run_tests("small parts", tests) : 2;
}
