/* SPDX-License-Identifier: MIT */
/* --kernels labs, in a tree of its own where a learner has done lab 12 alone:
 * the other labs' kernels are the reference's until they are begun. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cut.h"
#include "house.h"
#include "train_tests.h"

/* A file of a lab, and what it is cut from. */
static const char *const made_of[][3] = {
    {"03_transpose", "transpose", "4_wide"},
    {"08_fast_gemm", "fast_gemm", "5_double_buffer"},
    {"11_conv_layer", "conv_layer", "4_winograd"},
    {"12_layers", "layers", "3_rows"},
    {"15_optimizers", "optimizers", "3_wide"},
    {"16_cnn_trainer", "cnn_trainer", "1_layers"}};

static char home[PATH_BYTES];

/* All that is not the learner's lies where it is. */
static void link_rest(void)
{
    static const char *const names[] = {"common", "solutions", "grader",
                                        "datasets"};
    char to[PATH_MAX], from[PATH_MAX];

    scratch(home, "home");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(to, sizeof to, "%s/labs", home);
        CU_ASSERT_FATAL(make_folders(to));
        snprintf(to, sizeof to, "%s/%s", home, names[i]);
        CU_ASSERT_FATAL(realpath(names[i], from) != NULL);
        CU_ASSERT_EQUAL(symlink(from, to), 0);
    }
}

/* Copy a file, or the handout that is cut from it. */
static void put(const char *from, const char *to, const char *folder)
{
    char error[256];
    size_t length;
    char *text = read_whole(from, 1 << 20, &length), *made = text;

    CU_ASSERT_FATAL(text != NULL);
    if (folder)
        made = cut(text, folder, error);
    CU_ASSERT_FATAL(made != NULL);
    CU_ASSERT(write_whole(to, made, strlen(made)));
    if (made != text)
        free(made);
    free(text);
}

/* A lab as it is given out, or with the reference's text as the learner's. */
static void make_lab(const char *const lab[3], bool done)
{
    char from[PATH_MAX], to[PATH_MAX], folder[PATH_MAX];

    snprintf(to, sizeof to, "%s/labs/%s", home, lab[0]);
    CU_ASSERT_FATAL(make_folders(to));
    snprintf(from, sizeof from, "labs/%s/%s.h", lab[0], lab[1]);
    snprintf(to, sizeof to, "%s/labs/%s/%s.h", home, lab[0], lab[1]);
    put(from, to, NULL);
    snprintf(folder, sizeof folder, "solutions/%s", lab[0]);
    snprintf(from, sizeof from, "%s/%s.cu", folder, lab[2]);
    snprintf(to, sizeof to, "%s/labs/%s/%s.cu", home, lab[0], lab[1]);
    if (!done) {
        put(from, to, folder);
        return;
    }
    snprintf(from, sizeof from, "/* done */\n#include \"%s/%s.cu\"\n", folder,
             lab[2]);
    CU_ASSERT(write_whole(to, from, strlen(from)));
}

static void lab_by_lab(void)
{
    link_rest();
    for (int i = 0; i < 6; i++)
        make_lab(made_of[i], i == 3);
    setenv("WARPBOOK_HOME", home, 1);
    one_step("labs");
    CU_ASSERT(said("train: not begun, so the reference's kernels: lab 16 03 "
                   "08 11 15\n"));
    CU_ASSERT(said("trainers/labs-12-soft"));
    loses_it("labs");
    drops_half("labs");
    unsetenv("WARPBOOK_HOME");
}

/* What a learner has begun is used, right or wrong. */
static void wrong_is_used(void)
{
    char path[PATH_MAX];
    const char text[] = "#error \"the learner's own\"\n";

    snprintf(path, sizeof path, "%s/labs/03_transpose/transpose.cu", home);
    CU_ASSERT(write_whole(path, text, strlen(text)));
    setenv("WARPBOOK_HOME", home, 1);
    CU_ASSERT_EQUAL(train("--net softmax --data lookalike --steps 1 --kernels "
                          "labs --device soft --out %s/out", home), 3);
    CU_ASSERT(said("kernels: lab 16 08 11 15\n"));
    CU_ASSERT(said("transpose.cu:1:2: error: #error \"the learner's own\""));
    CU_ASSERT(said("train: the kernels do not compile"));
    unsetenv("WARPBOOK_HOME");
}

CU_TestInfo labs_tests[] = {{"lab by lab", lab_by_lab},
                            {"wrong is used", wrong_is_used},
                            CU_TEST_INFO_NULL};
