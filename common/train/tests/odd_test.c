/* SPDX-License-Identifier: MIT */
/* Data and options at the edges of what makes sense: a line for what a user
 * might not expect, and one line however odd the names are. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/image.h"
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

/* A formula, and bytes that are not UTF-8. */
static const char *const odd_classes[] = {"=1+1", "caf\xe9"};

/* Two pictures of 4 x 4 pixels of each class in a folder's train/ or test/.
 * @return the folder */
static const char *write_pictures(char folder[PATH_BYTES], const char *name,
                                  const char *part)
{
    char path[PATH_BYTES], under[2 * PATH_BYTES];
    struct image image;

    for (int i = 0; i < 4; i++) {
        snprintf(under, sizeof under, "%s/%s/%s", name, part,
                 odd_classes[i / 2]);
        CU_ASSERT_FATAL(make_directories(scratch_path(path, under)));
        strcat(path, i % 2 ? "/b.png" : "/a.png");
        CU_ASSERT_FATAL(image_make(&image, 4, 4, 1, NULL));
        memset(image.data, 30 * (i + 1), 16);
        CU_ASSERT_FATAL(image_write(path, &image, NULL));
        image_free(&image);
    }
    return scratch_path(folder, name);
}

/* Class names of any bytes go through a checkpoint; a table of values has no
 * formula.  Two classes have no third one, and four images make a picture. */
static void odd_class_names(void)
{
    char folder[PATH_BYTES], out[PATH_BYTES], model[PATH_BYTES];
    struct image sheet;

    write_pictures(folder, "odd_names", "train");
    write_pictures(folder, "odd_names", "test");
    CU_ASSERT_EQUAL(train(SOFTMAX "--data pictures --folder %s --epochs 1 "
                          "--out %s", folder, scratch_path(out, "odd")), 0);
    CU_ASSERT_EQUAL(train("--resume %s --epochs 2 --device soft", out), 0);
    snprintf(model, sizeof model, "%s/checkpoint.safetensors", out);
    CU_ASSERT_EQUAL(train("evaluate %s --device soft", model), 0);
    CU_ASSERT(log_contains(", top-2 100.00 %"));
    CU_ASSERT_EQUAL(train("predict %s %s/test --device soft", model, folder),
                    0);
    CU_ASSERT(log_contains(",\"'=1+1\","));
    CU_ASSERT(log_contains(",caf\xe9,"));
    CU_ASSERT_FALSE(log_has(",=1+1,"));
    strcat(out, "/attack.png");
    CU_ASSERT_EQUAL(train("attack %s %s --device soft", model, out), 0);
    CU_ASSERT_FATAL(image_read(out, &sheet, NULL));
    CU_ASSERT_EQUAL(sheet.width, 4 + 4 * (4 * 3 + 4));
    image_free(&sheet);
}

/* Without a test set each epoch's loss is its own.  At learning rate 0 it stays
 * as it is. */
static void no_test_set(void)
{
    const struct image_shape in = {1, 4, 4};
    static struct network net;
    char folder[PATH_BYTES], out[PATH_BYTES];
    struct checkpoint *state;

    write_pictures(folder, "no_test", "train");
    CU_ASSERT_EQUAL(train(SOFTMAX "--data pictures --folder %s --batch 2 "
                          "--epochs 3 --lr 0 --out %s", folder,
                          scratch_path(out, "no_test")), 0);
    CU_ASSERT(log_contains("no_test: there is no test set\n"));
    CU_ASSERT_FATAL(network_parse("dense\n", "x.net", in, 2, &net, NULL));
    state = load_state("no_test", &net);
    for (int i = 1; i < 3; i++) {
        const float *row = state->history.row[i];

        CU_ASSERT(fabsf(row[EPOCH_LOSS] - state->history.row[0][EPOCH_LOSS])
                  < 1e-6f);
        CU_ASSERT(row[EPOCH_ACCURACY] <= 1);
    }
    CU_ASSERT(fabsf(state->history.point[state->history.points - 1][POINT_LOSS]
                    - state->history.row[0][EPOCH_LOSS]) < 1e-6f);
    checkpoint_free(state);
}

/* The best checkpoint cannot be written: the run ends there, and resumed it
 * writes both.  As if it was killed between the two. */
static void best_comes_first(void)
{
    char out[PATH_BYTES], best[PATH_BYTES];

    scratch_path(out, "best");
    make_directories(scratch_path(best, "best/best.safetensors"));
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --limit 16 --batch 8 --validation 0.25 "
                          "--epochs 1 --out %s", small_set(), out), 3);
    CU_ASSERT_EQUAL(rmdir(best), 0);
    CU_ASSERT_EQUAL(train("--resume %s --device soft", out), 0);
    CU_ASSERT(log_contains("best validation loss: epoch 1, "));
    CU_ASSERT_EQUAL(access(best, R_OK), 0);
}

/* A network whose layers are all frozen would not learn. */
static void frozen(void)
{
    char out[PATH_BYTES];

    scratch_path(out, "frozen");
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --freeze dense1 --out %s", small_set(),
                          out), 3);
    CU_ASSERT(log_contains("train: --freeze: these are all layers with weights "
                           "of softmax: nothing would be trained\n"));
}

/* Networks of equal shapes, but other layers, have no mean; nor have those of
 * other classes. */
static void averages_of_one_network(void)
{
    static const char *const pool[] = {"maxpool 2\ndense\n",
                                       "avgpool 2\ndense\n"};
    char out[PATH_BYTES], path[PATH_BYTES], model[3][PATH_BYTES];

    for (int i = 0; i < 3; i++) {
        scratch_file(path, "pool.net", pool[i / 2], strlen(pool[i / 2]));
        snprintf(model[i], PATH_BYTES, "%s/checkpoint.safetensors",
                 scratch_path(out, i == 0 ? "max" : i == 1 ? "more" : "mean"));
        CU_ASSERT_EQUAL(train("--force --net %s %s --steps 1 --seed %d "
                              "--device soft --out %s", path, small_set(),
                              i + 1, out), 0);
    }
    scratch_path(out, "mean.of_two");
    CU_ASSERT_EQUAL(train("average %s %s %s", out, model[0], model[2]), 3);
    CU_ASSERT(log_contains("mean/checkpoint.safetensors: its network is not "
                           "that of "));
    CU_ASSERT_EQUAL(train("average %s %s %s/odd/checkpoint.safetensors", out,
                          model[0], scratch_path(path, "")), 3);
    CU_ASSERT(log_contains("the other images are 4 x 4, the training images "));
    CU_ASSERT(access(out, F_OK) != 0);
    CU_ASSERT_EQUAL(train("average %s %s %s", out, model[0], model[1]), 0);
}

CU_TestInfo odd_tests[] = {{"classes without images", classes_without_images},
                           {"splits", splits},
                           {"the test loss explodes", test_loss_explodes},
                           {"resizes to evaluate", resizes_to_evaluate},
                           {"without effect", without_effect},
                           {"kernels without sums", kernels_without_sums},
                           {"names with lines", names_with_lines},
                           {"odd class names", odd_class_names},
                           {"no test set", no_test_set},
                           {"best.safetensors first", best_comes_first},
                           {"all frozen", frozen},
                           {"averages of one network", averages_of_one_network},
                           CU_TEST_INFO_NULL};
