/* SPDX-License-Identifier: MIT */
/* --kernels labs, in a source tree where the learner has completed lab 12
 * only: for other labs the reference kernels are used. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/handout_extract.h"
#include "common/base/files.h"
#include "train_tests.h"

/* Labs: stem, the file without its ending, and the step of its handout. */
static const char *const lab_files[][3] = {
    {"03_transpose", "transpose", "4_vectorized"},
    {"08_fast_gemm", "fast_gemm", "5_double_buffer"},
    {"11_conv_layer", "conv_layer", "4_winograd"},
    {"12_layers", "layers", "3_vectorized"},
    {"15_optimizers", "optimizers", "3_vectorized"},
    {"16_cnn_trainer", "cnn_trainer", "1_layers"}};

static char home[PATH_BYTES];

/* Link everything that does not belong to the learner. */
static void link_tree(void)
{
    static const char *const names[] = {"common", "solutions", "grader",
                                        "datasets"};
    char to[PATH_MAX], from[PATH_MAX];

    scratch_path(home, "home");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(to, sizeof to, "%s/labs", home);
        CU_ASSERT_FATAL(make_directories(to));
        snprintf(to, sizeof to, "%s/%s", home, names[i]);
        CU_ASSERT_FATAL(realpath(names[i], from) != NULL);
        CU_ASSERT_EQUAL(symlink(from, to), 0);
    }
}

/* Text files up to 1 MiB. */
static void copy_file(const char *from, const char *to)
{
    size_t length;
    char *text = read_file(from, 1 << 20, &length);

    CU_ASSERT_FATAL(text != NULL);
    CU_ASSERT(write_file(to, text, strlen(text)));
    free(text);
}

/* Write the handout of a lab: stem and step. */
static void write_handout(const char *to, const char *stem, const char *step)
{
    char folder[PATH_MAX], file[64], patch[PATH_MAX];
    char error[HANDOUT_ERROR_SIZE], *handout;

    snprintf(folder, sizeof folder, "solutions/%s", stem);
    snprintf(file, sizeof file, "%s.cu", step);
    snprintf(patch, sizeof patch, "grader/mutants/%s/handout.diff", stem);
    handout = extract_handout(folder, file, patch, error);
    CU_ASSERT_FATAL(handout != NULL);
    CU_ASSERT(write_file(to, handout, strlen(handout)));
    free(handout);
}

/* Create a lab as handed out, or with the reference as the learner's file. */
static void make_lab(const char *const lab[3], bool done)
{
    char from[PATH_MAX], to[PATH_MAX], folder[PATH_MAX];

    snprintf(to, sizeof to, "%s/labs/%s", home, lab[0]);
    CU_ASSERT_FATAL(make_directories(to));
    snprintf(from, sizeof from, "labs/%s/%s.h", lab[0], lab[1]);
    snprintf(to, sizeof to, "%s/labs/%s/%s.h", home, lab[0], lab[1]);
    copy_file(from, to);
    snprintf(folder, sizeof folder, "solutions/%s", lab[0]);
    snprintf(from, sizeof from, "%s/%s.cu", folder, lab[2]);
    snprintf(to, sizeof to, "%s/labs/%s/%s.cu", home, lab[0], lab[1]);
    if (!done) {
        write_handout(to, lab[0], lab[2]);
        return;
    }
    snprintf(from, sizeof from, "/* done */\n#include \"%s/%s.cu\"\n", folder,
             lab[2]);
    CU_ASSERT(write_file(to, from, strlen(from)));
}

/* A learner who has done one lab trains with it and with the references of the
 * others. */
static void lab_by_lab(void)
{
    link_tree();
    for (int i = 0; i < 6; i++)
        make_lab(lab_files[i], i == 3);
    setenv("WARPBOOK_HOME", home, 1);
    check_one_step("labs");
    CU_ASSERT(log_contains(
        "train: not started, so reference kernels are used: lab 16 03 "
        "08 11 15\n"));
    CU_ASSERT(log_contains("trainers/labs-12-soft"));
    check_divergence("labs");
    check_dropout("labs");
    unsetenv("WARPBOOK_HOME");
}

/* A modified file is used, even if it is wrong. */
static void wrong_is_used(void)
{
    char path[PATH_MAX];
    const char text[] = "#error \"the learner's own\"\n";

    snprintf(path, sizeof path, "%s/labs/03_transpose/transpose.cu", home);
    CU_ASSERT(write_file(path, text, strlen(text)));
    setenv("WARPBOOK_HOME", home, 1);
    CU_ASSERT_EQUAL(train("--force "
                          "--net softmax --data lookalike --steps 1 --kernels "
                          "labs --device soft --out %s/out", home), 3);
    CU_ASSERT(log_contains("kernels are used: lab 16 08 11 15\n"));
    /* gcc writes #error before the text, clang does not. */
    CU_ASSERT(log_contains("transpose.cu:1:2: error: "));
    CU_ASSERT(log_contains("\"the learner's own\""));
    CU_ASSERT(log_contains("train: the kernels do not compile"));
    unsetenv("WARPBOOK_HOME");
}

CU_TestInfo labs_tests[] = {{"lab by lab", lab_by_lab},
                            {"wrong is used", wrong_is_used},
                            CU_TEST_INFO_NULL};
