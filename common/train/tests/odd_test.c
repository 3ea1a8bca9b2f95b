/* SPDX-License-Identifier: MIT */
/* Data and options at the edges of what makes sense: a line for what a user
 * might not expect, and one line however odd the names are. */
#include <stdio.h>
#include <string.h>

#include "common/base/files.h"
#include "train_tests.h"

#define SOFTMAX "--force --net softmax --device soft "

/* Number of lines of the last log that begin with "train: ". */
static int messages(void)
{
    char path[PATH_BYTES], line[1024];
    FILE *log = fopen(scratch_path(path, "log"), "r");
    int count = 0;

    CU_ASSERT_FATAL(log != NULL);
    while (fgets(line, sizeof line, log)) {
        CU_ASSERT(!strncmp(line, "train: ", 7));
        count++;
    }
    fclose(log);
    return count;
}

/* The images of small_set() have labels 0, 1, ... in turn. */
static void classes_without_images(void)
{
    char out[PATH_BYTES];

    scratch_path(out, "few_classes");
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --limit 7 --steps 1 --out %s",
                          small_set(), out), 0);
    CU_ASSERT(log_contains(": 3 of 10 classes have no training image, the "
                           "first is class 7\n"));
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --limit 10 --steps 1 --out %s",
                          small_set(), out), 0);
    CU_ASSERT_FALSE(log_has("no training image"));
}

/* A part that is asked for has images, and the other one, too. */
static void splits(void)
{
    char out[PATH_BYTES];

    scratch_path(out, "splits");
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --limit 3 --validation 0.9 --out %s",
                          small_set(), out), 3);
    CU_ASSERT(
        log_contains("train: --validation 0.9: holds out all 3 images\n"));
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --validation 0.003 --out %s",
                          small_set(), out), 3);
    CU_ASSERT(log_contains("train: --validation 0.003: holds out none of 160 "
                           "images\n"));
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --validation 0.004 --steps 1 --out %s",
                          small_set(), out), 0);
}

/* The weights fit the one training batch; the test images do not, and their
 * loss is above 1000. */
static void test_loss_explodes(void)
{
    char out[PATH_BYTES];

    scratch_path(out, "boom");
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --batch 4 --limit 4 --lr 1e8 --epochs 2 "
                          "--out %s", small_set(), out), 1);
    CU_ASSERT(log_contains("train: the test loss is "));
    CU_ASSERT(log_contains("train: the last checkpoint is that after step 0"));
}

/* Control characters in names do not break lines. */
static void names_with_lines(void)
{
    char folder[PATH_BYTES];

    make_directories(scratch_path(folder, "two\nlines\033[31m/train/cat"));
    scratch_path(folder, "two\nlines\033[31m");
    CU_ASSERT_EQUAL(train(SOFTMAX "--data pictures --folder %s", folder), 3);
    CU_ASSERT(log_contains("two lines?[31m/train/cat: contains no PNG or "
                           "JPEG file\n"));
    CU_ASSERT_EQUAL(messages(), 1);
}

/* An option that a message suggests is one of that command. */
static void resizes_to_evaluate(void)
{
    char out[PATH_BYTES];

    CU_ASSERT_EQUAL(train(SOFTMAX "%s --steps 1 --out %s", small_set(),
                          scratch_path(out, "sized")), 0);
    strcat(out, "/checkpoint.safetensors");
    CU_ASSERT_EQUAL(train("evaluate %s --resize 7x7 --device soft", out), 3);
    CU_ASSERT(log_contains("the test images are 7 x 7, the training images "
                           "28 x 28; --resize makes them equal"));
    CU_ASSERT_EQUAL(train("evaluate %s --resize 28x28 --device soft", out), 0);
}

/* Options that would have no effect. */
static void without_effect(void)
{
    char out[PATH_BYTES];

    scratch_path(out, "sized");
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --optimizer adam --momentum 0.5 --out %s",
                          small_set(), out), 3);
    CU_ASSERT(log_contains("train: --momentum: the optimizer adam has none; "));
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --optimizer adam --momentum 0 --steps 1 "
                          "--out %s", small_set(), out), 0);
    CU_ASSERT_EQUAL(train(SOFTMAX "--data lookalike --folder %s", out), 2);
    CU_ASSERT(log_contains("train: --folder: lookalike is computed, not read"));
    CU_ASSERT_EQUAL(train("find-lr --lr 3"), 2);
    CU_ASSERT(log_contains("train: find-lr has no option --lr"));
    CU_ASSERT_EQUAL(train("find-lr --resume %s", out), 2);
}

/* Kernels that lack a layer of the network say so by name, also to a command
 * that only uses the network. */
static void kernels_without_sums(void)
{
    static const char net[] = "conv 1 3x3 pad 1\nadd input\ndense\n"
                              "train sgd rate 0.01 batch 8 epochs 1\n";
    char out[PATH_BYTES], path[PATH_BYTES];

    scratch_file(path, "sum.net", net, sizeof net - 1);
    CU_ASSERT_EQUAL(train("--net %s %s --steps 1 --device soft --out %s", path,
                          small_set(), scratch_path(out, "sum")), 0);
    CU_ASSERT_EQUAL(train("evaluate %s/checkpoint.safetensors --kernels "
                          "solutions/16_cnn_trainer/1_layers.cu --device soft",
                          out), 3);
    CU_ASSERT(log_contains("1_layers.cu: has no add1; solutions and cudnn"));
}

CU_TestInfo odd_tests[] = {{"classes without images", classes_without_images},
                           {"splits", splits},
                           {"the test loss explodes", test_loss_explodes},
                           {"resizes to evaluate", resizes_to_evaluate},
                           {"without effect", without_effect},
                           {"kernels without sums", kernels_without_sums},
                           {"names with lines", names_with_lines},
                           CU_TEST_INFO_NULL};
