/* SPDX-License-Identifier: MIT */
/* Runs and their folders: what is refused, what is kept, what goes on. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/image.h"
#include "train_tests.h"

#define SOFTMAX "--net softmax --device soft "
static const struct image_shape small_shape = {1, 28, 28}; /* of small_set() */

/* A folder with a run is written over only with --force, and two runs at once
 * do not share one. */
static void folder_in_use(void)
{
    char out[PATH_BYTES], path[PATH_BYTES];
    pid_t child;

    scratch_path(out, "used");
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --steps 1 --out %s", small_set(), out),
                    0);
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --steps 1 --out %s", small_set(), out),
                    3);
    CU_ASSERT(log_contains("used: has a run already: --resume "));
    scratch_file(path, "used/best.safetensors", "old", 3);
    CU_ASSERT_EQUAL(
        train(SOFTMAX "%s --steps 1 --force --out %s", small_set(), out), 0);
    CU_ASSERT(access(path, F_OK) != 0);
    child = train_start(SOFTMAX "%s --epochs 100000 --force --out %s",
                        small_set(), out);
    for (int i = 0; i < 60000 && !log_has("epoch 1:"); i++) usleep(10000);
    CU_ASSERT_EQUAL(train_aside("--resume %s --device soft", out), 3);
    CU_ASSERT(aside_contains("used: another run is writing to this folder"));
    kill(child, SIGTERM);
    CU_ASSERT_EQUAL(train_wait(child), 130);
}

/* Options that contradict each other, or belong to another command. */
static void options_that_exclude(void)
{
    CU_ASSERT_EQUAL(train("--resume a --weights b"), 2);
    CU_ASSERT(log_contains("--resume and --weights exclude each other"));
    CU_ASSERT_EQUAL(train("--resume a --force"), 2);
    CU_ASSERT(log_contains("--resume and --force exclude each other"));
    CU_ASSERT_EQUAL(train("--patience 3"), 2);
    CU_ASSERT(log_contains("--patience: needs --validation"));
    CU_ASSERT_EQUAL(train("predict a.safetensors b.png --lr 3"), 2);
    CU_ASSERT(log_contains("predict has no option --lr"));
    CU_ASSERT_EQUAL(train("--top 3"), 2);
    CU_ASSERT_EQUAL(train("predict a.safetensors"), 2);
    CU_ASSERT(log_contains("predict needs MODEL.safetensors PICTURE|FOLDER"));
    CU_ASSERT_EQUAL(train("--resize 0x3"), 2);
    CU_ASSERT(log_contains("\"0x3\" is no size such as 32x32"));
}

/* Read the softmax network of a file; it is trained on small_set(). */
static struct checkpoint *read_state(const char *file, struct tensors *from)
{
    static struct network net;
    char path[PATH_BYTES];
    struct checkpoint *state;

    CU_ASSERT_FATAL(network_parse("dense\n", "softmax.net", small_shape,
                                  CLASSES, &net, NULL));
    state = checkpoint_allocate(&net);
    CU_ASSERT_FATAL(safetensors_read(scratch_path(path, file), from, NULL));
    CU_ASSERT_FATAL(checkpoint_load(state, from, CHECKPOINT_ALL, path, NULL));
    return state;
}

/* A growing learning rate makes the validation loss grow: training stops after
 * the patience, and best.safetensors is of the best epoch.  A resumed training
 * stops at once; one without patience goes on. */
static void patience(void)
{
    struct tensors from;
    struct checkpoint *state;
    char out[PATH_BYTES];
    long best, last;

    scratch_path(out, "patient");
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --batch 4 --lr 0.3 --validation 0.25 "
                          "--epochs 60 --patience 2 --out %s", small_set(),
                          out), 0);
    CU_ASSERT(log_contains("stopped: no smaller validation loss for 2 epochs"));
    state = read_state("patient/checkpoint.safetensors", &from);
    best = history_best(&state->history);
    last = (long)state->history.count;
    CU_ASSERT_EQUAL(last, best + 3);
    CU_ASSERT(last < 60);
    checkpoint_free(state);
    tensors_free(&from);
    state = read_state("patient/best.safetensors", &from);
    CU_ASSERT_EQUAL(state->epoch, best + 1);
    checkpoint_free(state);
    tensors_free(&from);
    CU_ASSERT_EQUAL(train("--resume %s --device soft", out), 0);
    CU_ASSERT(log_contains("stopped: no smaller validation loss for 2 epochs"));
    CU_ASSERT_EQUAL(train("--resume %s --patience 0 --epochs %ld --device soft",
                          out, last + 1), 0);
    CU_ASSERT_FALSE(log_has("stopped: "));
}

/* Write a checkpoint at another position. */
static void move(const char *file, const char *to, const int64_t at[3])
{
    static struct train_options options;
    struct checkpoint_about about;
    static struct network net;
    struct failure why = {""};
    struct tensors from;
    struct checkpoint *state = read_state(file, &from);
    char path[PATH_BYTES];

    train_options_default(&options);
    CU_ASSERT_FATAL(train_options_from_metadata(&options, &from, file, &why));
    CU_ASSERT_FATAL(checkpoint_describe(&from, file, &about, &why));
    CU_ASSERT_FATAL(network_parse(about.network, "softmax.net", small_shape,
                                  CLASSES, &net, &why));
    state->net = &net;
    state->step = at[0];
    state->epoch = at[1];
    state->batch = at[2];
    make_directories(scratch_path(path, to));
    strcat(path, "/checkpoint.safetensors");
    CU_ASSERT_FATAL(checkpoint_write(state, path, &options, &about, &why));
    dataset_free(&about.trained);
    checkpoint_free(state);
    tensors_free(&from);
}

/* Places that the data set does not have. */
static void places(void)
{
    static const int64_t at[][3] = {{7, 0, 7}, {1000, 0, 1000}, {16, 0, 8},
                                    {5, 0, 4}, {-8, -1, 0}};
    char out[PATH_BYTES], moved[PATH_BYTES];

    scratch_path(out, "placed");
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --batch 20 --steps 3 --out %s",
                          small_set(), out), 0);
    scratch_path(moved, "moved");
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        move("placed/checkpoint.safetensors", "moved", at[i]);
        CU_ASSERT_EQUAL(train("--resume %s --steps 8 --device soft", moved),
                        i ? 3 : 0);
        CU_ASSERT(i == 0 || log_contains("moved"));
    }
}

/* Weights that become infinite in a step whose loss was finite are not saved:
 * a huge rate, and a checkpoint after each step. */
static void only_finite_values(void)
{
    char out[PATH_BYTES];

    scratch_path(out, "finite");
    CU_ASSERT_EQUAL(train("--net mlp --device soft %s --optimizer sgd --lr 1e9 "
                          "--decay 10 --batch 160 --look 100 --save 1 "
                          "--epochs 60 --schedule constant --out %s",
                          small_set(), out), 1);
    CU_ASSERT(log_contains("goes on from there, with another --lr"));
    CU_ASSERT_EQUAL(train("--resume %s --epochs 60 --lr 1e-12 --steps 1 "
                          "--device soft", out), 0);
}

/* A class missing from test/, before anything is trained. */
static void test_data_differ(void)
{
    char folder[PATH_BYTES], path[PATH_BYTES], out[PATH_BYTES];
    struct image image;
    static const char *const files[] = {
        "animals/train/cat", "animals/train/dog", "animals/test/cat"};

    CU_ASSERT_FATAL(image_make(&image, 6, 6, 1, NULL));
    for (int i = 0; i < 3; i++) {
        make_directories(scratch_path(path, files[i]));
        strcat(path, "/a.png");
        CU_ASSERT(image_write(path, &image, NULL));
    }
    image_free(&image);
    CU_ASSERT_EQUAL(train(SOFTMAX "--data pictures --folder %s --out %s",
                          scratch_path(folder, "animals"),
                          scratch_path(out, "zoo")), 3);
    CU_ASSERT(log_contains("train: the test data have 1 classes, the training "
                           "data 2: \"dog\" is in the training data only\n"));
    unlink(path);
    rmdir(scratch_path(path, "animals/test/cat"));
    rmdir(scratch_path(path, "animals/test"));
    CU_ASSERT_EQUAL(train(SOFTMAX "--data pictures --folder %s --out %s",
                          folder, out), 0);
    CU_ASSERT(log_contains("animals: there is no test set"));
    CU_ASSERT_EQUAL(file_size(scratch_path(path, "zoo/classes.csv")), 0);
}

/* A checkpoint is enough to predict: of one picture, of a folder. */
static void predicts(void)
{
    char out[PATH_BYTES], model[PATH_BYTES], path[PATH_BYTES];

    scratch_path(out, "animals/train");
    scratch_path(model, "zoo/checkpoint.safetensors");
    CU_ASSERT_EQUAL(train("predict %s %s --device soft", model,
                          scratch_path(path, "animals/train/cat/a.png")), 0);
    CU_ASSERT(log_has(" %  cat\n") && log_has(" %  dog\n"));
    scratch_file(path, "animals/train/dog/bad.jpg", "no picture", 10);
    CU_ASSERT_EQUAL(train("predict %s %s --top 1 --device soft", model, out),
                    3);
    CU_ASSERT(log_contains("file,class_1,probability_1\n"));
    CU_ASSERT(log_contains("train/cat/a.png,"));
    CU_ASSERT(log_contains("train/dog/a.png,"));
    CU_ASSERT(log_contains("bad.jpg: neither PNG nor JPEG"));
    CU_ASSERT(log_contains("train: 1 of 3 pictures cannot be read"));
    unlink(path);
    CU_ASSERT_EQUAL(train("predict %s %s --device soft",
                          scratch_path(path, "animals/train/cat/a.png"), path),
                    3);
    CU_ASSERT(log_contains("not a safetensors file"));
}

/* The same numbers as at the end of training; the ensemble of a network with
 * itself is the network. */
static void evaluates(void)
{
    char out[PATH_BYTES], model[PATH_BYTES], row[80];
    struct tensors from;
    struct checkpoint *state;
    const float *last;

    scratch_path(out, "measured");
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --epochs 2 --out %s", small_set(), out),
                    0);
    state = read_state("measured/checkpoint.safetensors", &from);
    last = state->history.row[1];
    scratch_path(model, "measured/checkpoint.safetensors");
    CU_ASSERT_EQUAL(train("evaluate %s %s --top 10 --device soft", model,
                          model), 0);
    CU_ASSERT(log_contains("10 test images of npy\n"));
    snprintf(row, sizeof row, "safetensors: loss %.4f, accuracy %.2f %%, "
             "top-10 100.00 %%\n", (double)last[EPOCH_TEST_LOSS],
             100 * (double)last[EPOCH_TEST_ACCURACY]);
    CU_ASSERT(log_contains(row));
    CU_ASSERT(log_contains("mean of their probabilities: loss "));
    CU_ASSERT(log_contains("\nclass 9 "));
    checkpoint_free(state);
    tensors_free(&from);
}

/* Write a small set with the labels 0 to 4. */
static void write_five_classes(char folder[PATH_BYTES])
{
    static const char *const names[] = {"train", "test"};
    char path[PATH_BYTES];
    struct image image;

    CU_ASSERT_FATAL(image_make(&image, 28, 28, 1, NULL));
    for (int i = 0; i < 2 * 5 * 6; i++) {
        char name[80];

        snprintf(name, sizeof name, "five/%s/%c", names[i % 2],
                 'a' + i / 2 % 5);
        make_directories(scratch_path(path, name));
        memset(image.data, 20 + i / 2 % 5 * 50 + i / 10, image_bytes(&image));
        snprintf(path + strlen(path), 20, "/%d.png", i);
        CU_ASSERT(image_write(path, &image, NULL));
    }
    image_free(&image);
    scratch_path(folder, "five");
}

/* Fine-tuning: a network of ten classes becomes one of five.  Its first layer
 * is frozen; the last one has another size and begins anew. */
static void ten_classes_to_five(void)
{
    static const char net[] = "dense 12\nrelu\ndense\n"
                              "train sgd rate 0.1 batch 16 epochs 3\n";
    char out[PATH_BYTES], path[PATH_BYTES], weights[PATH_BYTES],
        folder[PATH_BYTES];
    struct tensors ten, five;

    scratch_file(path, "two.net", net, sizeof net - 1);
    write_five_classes(folder);
    CU_ASSERT_EQUAL(train("--force --net %s %s --device soft --out %s", path,
                          small_set(), scratch_path(out, "ten")), 0);
    scratch_path(weights, "ten/checkpoint.safetensors");
    CU_ASSERT_EQUAL(train("--net %s --data pictures --folder %s --weights %s "
                          "--freeze dense1 --device soft --out %s", path,
                          folder, weights, scratch_path(out, "tuned")), 0);
    CU_ASSERT(log_contains("loaded      dense1.weight: F32 [12, 784]\n"));
    CU_ASSERT(log_contains("not loaded  dense2.weight: network F32 [5, 12], "
                           "file F32 [10, 12]\n"));
    CU_ASSERT_FATAL(safetensors_read(weights, &ten, NULL));
    scratch_path(path, "tuned/checkpoint.safetensors");
    CU_ASSERT_FATAL(safetensors_read(path, &five, NULL));
    CU_ASSERT(!memcmp(tensors_find(&ten, "dense1.weight")->data,
                      tensors_find(&five, "dense1.weight")->data,
                      12 * 784 * sizeof(float)));
    CU_ASSERT(!memcmp(tensors_find(&ten, "dense1.bias")->data,
                      tensors_find(&five, "dense1.bias")->data,
                      12 * sizeof(float)));
    CU_ASSERT_EQUAL(tensors_find(&five, "dense2.bias")->size[0], 5);
    tensors_free(&ten);
    tensors_free(&five);
    CU_ASSERT_EQUAL(train("--force --net mlp %s --freeze relu1 --device soft "
                          "--out %s", small_set(), out), 3);
    CU_ASSERT(log_contains("--freeze: mlp has no layer \"relu1\" with"));
    CU_ASSERT_EQUAL(train("--force --net mlp %s --freeze dense1 --clip 1 "
                          "--device soft --out %s", small_set(), out), 3);
    CU_ASSERT(log_contains("--freeze and --clip exclude each other"));
}

/* The mean of a network with itself is the network; runs are compared. */
static void averages_and_compares(void)
{
    char a[PATH_BYTES], b[PATH_BYTES], mean[PATH_BYTES], other[PATH_BYTES];
    struct tensors one, two, of_both;

    scratch_path(a, "measured/checkpoint.safetensors");
    scratch_path(b, "measured/other.safetensors");
    scratch_path(mean, "mean.safetensors");
    CU_ASSERT_EQUAL(train(SOFTMAX "%s --epochs 2 --seed 2 --out %s",
                          small_set(), scratch_path(other, "second")), 0);
    strcat(other, "/checkpoint.safetensors");
    CU_ASSERT_EQUAL(train("average %s %s %s", mean, a, other), 0);
    CU_ASSERT_EQUAL(train("average %s %s %s", mean, a, other), 3);
    CU_ASSERT(log_contains("mean.safetensors: exists; --force"));
    CU_ASSERT_FATAL(safetensors_read(a, &one, NULL));
    CU_ASSERT_FATAL(safetensors_read(other, &two, NULL));
    CU_ASSERT_FATAL(safetensors_read(mean, &of_both, NULL));
    for (size_t i = 0; i < CLASSES; i++) {
        float x, y, z;

        memcpy(&x, (const float *)tensors_find(&one, "dense1.bias")->data + i,
               sizeof x);
        memcpy(&y, (const float *)tensors_find(&two, "dense1.bias")->data + i,
               sizeof y);
        memcpy(&z, (const float *)tensors_find(&of_both, "dense1.bias")->data
                       + i, sizeof z);
        CU_ASSERT(z == 0.5f * x + 0.5f * y && x != y);
    }
    tensors_free(&one);
    tensors_free(&two);
    tensors_free(&of_both);
    CU_ASSERT_EQUAL(train("evaluate %s --device soft", mean), 0);
    CU_ASSERT_EQUAL(train("compare %s %s", scratch_path(a, "measured"),
                          scratch_path(b, "second")), 0);
    CU_ASSERT(log_contains("    2    "));
    CU_ASSERT(log_contains("/second\nseed: 1, 2\n"));
    CU_ASSERT_EQUAL(train("average %s %s %s --force", mean, a, b), 3);
}

/* A plot of losses by learning rate; the run in the folder stays. */
static void finds_learning_rate(void)
{
    char out[PATH_BYTES], path[PATH_BYTES];

    scratch_path(out, "ten");
    CU_ASSERT_EQUAL(train("find-lr --net softmax %s --batch 16 --device soft "
                          "--out %s", small_set(), out), 0);
    CU_ASSERT(log_contains("is a common choice\nplot: "));
    CU_ASSERT(file_size(scratch_path(path, "ten/find_lr.csv")) > 200);
    CU_ASSERT(file_size(scratch_path(path, "ten/find_lr.svg")) > 1000);
    CU_ASSERT(file_size(scratch_path(path, "ten/report.html")) > 0);
}

CU_TestInfo runs_tests[] = {{"a folder in use", folder_in_use},
                            {"options that exclude", options_that_exclude},
                            {"patience", patience},
                            {"places", places},
                            {"only finite values", only_finite_values},
                            {"test data that differ", test_data_differ},
                            {"predicts", predicts},
                            {"evaluates", evaluates},
                            {"ten classes to five", ten_classes_to_five},
                            {"averages and compares", averages_and_compares},
                            {"finds a learning rate", finds_learning_rate},
                            CU_TEST_INFO_NULL};
