/* SPDX-License-Identifier: MIT */
/* Messages, exit codes, convergence and divergence. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/files.h"
#include "train_tests.h"

/* Number of kernel launches per step with fused kernels. */
static void few_launches(void)
{
    static const struct {
        const char *net;
        int most;
    } promised[] = {{"softmax", 4}, {"mlp", 8}, {"lenet", 12},
                    {"cifar-cnn", 12}};
    char out[PATH_BYTES], words[80];

    for (size_t i = 0; i < sizeof promised / sizeof *promised; i++) {
        CU_ASSERT_EQUAL(train("--force "
                              "--net %s --data lookalike --limit 12 --batch 4 "
                              "--steps 2 --device soft --out %s",
                              promised[i].net, scratch_path(out, "few")), 0);
        snprintf(words, sizeof words, "%d kernels a step, in one graph",
                 promised[i].most);
        CU_ASSERT(log_contains(words));
    }
}

/* A small network learns 32 images by heart.  (At a rate of 0.01 the rounding of
 * a sum may decide whether it learns the last one.) */
static void overfits(void)
{
    const struct image_shape in = {1, 28, 28};
    static struct network net;
    struct failure why = {""};
    char out[PATH_BYTES];
    struct checkpoint *state;

    CU_ASSERT_EQUAL(train("--force "
                          "--net lenet %s --limit 32 --batch 4 --epochs 40 "
                          "--lr 0.003 --schedule constant --device soft "
                          "--out %s",
                          small_set(), scratch_path(out, "over")), 0);
    CU_ASSERT_FATAL(network_read("common/net/nets/lenet.net", in, CLASSES,
                                 &net, &why));
    state = load_state("over", &net);
    CU_ASSERT(state->history.row[39][EPOCH_LOSS] < 0.05f);
    CU_ASSERT_EQUAL(state->history.row[39][EPOCH_ACCURACY], 1);
    checkpoint_free(state);
}

/* Write initial weights with a NaN. */
static void write_nan_checkpoint(char path[PATH_BYTES])
{
    const struct image_shape in = {1, 28, 28};
    static struct train_options options;
    static struct network net;
    const struct checkpoint_about about = {.network = "dense\n"};
    struct failure why = {""};
    struct checkpoint *state;

    train_options_default(&options);
    CU_ASSERT_FATAL(network_read("common/net/nets/lenet.net", in, CLASSES,
                                 &net, &why));
    state = checkpoint_allocate(&net);
    network_initialize(&net, state->parameters, 1);
    state->parameters[net.layers[3].weight_offset + 7] = NAN;
    CU_ASSERT(make_directories(scratch_path(path, "nan")));
    scratch_path(path, "nan/checkpoint.safetensors");
    CU_ASSERT(checkpoint_write(state, path, &options, &about, &why));
    checkpoint_free(state);
}

/* The loss is checked after 16 steps but has diverged before: the step is
 * identified. */
void check_divergence(const char *kernels)
{
    char out[PATH_BYTES], path[PATH_BYTES];

    scratch_path(out, "bad");
    CU_ASSERT_EQUAL(train("--force "
                          "--net lenet %s --batch 8 --optimizer sgd --lr 20 "
                          "--kernels %s --device soft --force --out %s",
                          small_set(), kernels, out), 1);
    CU_ASSERT(log_contains(" after step 3: dense3: its outputs reach "));
    CU_ASSERT(log_contains("the last checkpoint is that after step 0; "));
    write_nan_checkpoint(path);
    CU_ASSERT_EQUAL(train("--force "
                          "--net lenet %s --batch 8 --weights %s --kernels %s "
                          "--device soft --force --out %s", small_set(), path,
                          kernels, out), 1);
    CU_ASSERT(log_contains(" after step 1: conv2: its weights are not "
                           "finite"));
}

/* A learning rate that is too large is reported, with every kind of kernels. */
static void explodes(void)
{
    check_divergence("solutions");
    check_divergence("cudnn");
}

/* A resumed training keeps its options: repeating a value is allowed, another
 * value is rejected. */
static void resumed(void)
{
    char out[PATH_BYTES], whole[PATH_BYTES];

    scratch_path(out, "other");
    scratch_path(whole, "whole");
    CU_ASSERT_EQUAL(train("--resume %s --momentum 0.8 --device soft --out %s",
                          whole, out), 3);
    CU_ASSERT(log_contains("train: --momentum: "));
    CU_ASSERT(log_contains("whole/checkpoint.safetensors was trained with "
                           "\"0.8999\"\n"));
    CU_ASSERT_EQUAL(train("--resume %s --net mlp --device soft --out %s",
                          whole, out), 3);
    CU_ASSERT(log_contains("was trained with \"lenet\""));
    CU_ASSERT_EQUAL(train("--resume %s --net lenet --lr 0.05 --epochs 2 "
                          "--device soft --out %s", whole, out), 0);
    CU_ASSERT(log_contains("all 2 epochs are done; --epochs asks for more\n"));
}

/* Resumed without other options: trains to the original end, in the same
 * folder. */
static void resumed_in_place(void)
{
    char out[PATH_BYTES];

    scratch_path(out, "place");
    CU_ASSERT_EQUAL(train("--force "
                          "--net softmax %s --limit 32 --batch 16 --epochs 2 "
                          "--steps 1 --device soft --out %s", small_set(),
                          out), 0);
    CU_ASSERT_EQUAL(train("--resume %s --device soft", out), 0);
    CU_ASSERT(log_contains("epoch 2: "));
    CU_ASSERT(log_contains("place/report.html"));
    CU_ASSERT_EQUAL(train("--resume %s --device soft", out), 0);
    CU_ASSERT(log_contains("all 2 epochs are done; --epochs asks for more\n"));
}

/* The network file was modified in between; the shapes are the same. */
static void resumed_with_another_net(void)
{
    const char net[] = "dropout 0.2\ndense\n";
    const char other[] = "dropout 0.3\ndense\n";
    char out[PATH_BYTES], path[PATH_BYTES];

    scratch_path(out, "edited");
    scratch_file(path, "drop.net", net, sizeof net - 1);
    CU_ASSERT_EQUAL(train("--force "
                          "--net %s %s --steps 1 --device soft --out %s", path,
                          small_set(), out), 0);
    CU_ASSERT_EQUAL(train("--resume %s --steps 2 --device soft --out %s", out,
                          out), 0);
    scratch_file(path, "drop.net", other, sizeof other - 1);
    CU_ASSERT_EQUAL(train("--resume %s --net %s --steps 3 --device soft "
                          "--out %s", out, path, out), 3);
    CU_ASSERT(log_contains("edited: was trained with another drop.net than "
                           "the current one; without --net"));
    unlink(path); /* the checkpoint has the text */
    CU_ASSERT_EQUAL(train("--resume %s --steps 3 --device soft", out), 0);
}

/* Each wrong option has its own message and status 2. */
static void command_line(void)
{
    char out[PATH_BYTES], image[PATH_BYTES];

    CU_ASSERT_EQUAL(train("--frob 1"), 2);
    CU_ASSERT(
        log_contains("train: unknown option \"--frob\"; see train --help"));
    CU_ASSERT_EQUAL(train("--nte lenet"), 2);
    CU_ASSERT(
        log_contains("train: unknown option \"--nte\"; did you mean --net?"));
    CU_ASSERT_EQUAL(train("comapre a b"), 2);
    CU_ASSERT(
        log_contains("train: unknown word \"comapre\"; did you mean compare?"));
    CU_ASSERT_EQUAL(train("--lr x"), 2);
    CU_ASSERT(log_contains(
        "train: --lr: \"x\" is not a number from 0 to 1000000000;"));
    CU_ASSERT_EQUAL(train("--lr nan"), 2);
    CU_ASSERT_EQUAL(train("--batch 0"), 2);
    CU_ASSERT(
        log_contains("train: --batch: \"0\" is not a number from 1 to 65536;"));
    CU_ASSERT_EQUAL(train("--batch 1.5"), 2);
    CU_ASSERT_EQUAL(train("--batch 1e3"), 2);
    CU_ASSERT(log_contains("train: --batch: \"1e3\" is not an integer;"));
    CU_ASSERT_EQUAL(train("--batch 0x20"), 2);
    CU_ASSERT_EQUAL(train("--batch ' 3'"), 2);
    CU_ASSERT_EQUAL(train("--epochs +3"), 2);
    CU_ASSERT_EQUAL(train("--seed ''"), 2);
    CU_ASSERT_EQUAL(train("--seed 99999999999999999999"), 2);
    CU_ASSERT_EQUAL(train("--resize ' 8x8'"), 2);
    CU_ASSERT_EQUAL(train("--resize 8x+8"), 2);
    CU_ASSERT_EQUAL(train("--schedule never"), 2);
    CU_ASSERT_EQUAL(train("--optimizer luck"), 2);
    CU_ASSERT_EQUAL(train("--device abacus"), 2);
    CU_ASSERT(log_contains("train: --device: unknown name \"abacus\"; see"));
    CU_ASSERT_EQUAL(train("predict --help"), 0);
    CU_ASSERT_EQUAL(train("--epochs"), 2);
    CU_ASSERT_EQUAL(train("--help"), 0);
    CU_ASSERT(log_contains("exit: 0 done"));
    CU_ASSERT_EQUAL(train("--data nothing --device soft --out %s",
                          scratch_path(out, "bad")), 3);
    CU_ASSERT(log_contains("nothing: no such data set"));
    CU_ASSERT_EQUAL(train("--resume %s --device soft --out %s",
                          scratch_path(image, "nowhere"), out), 3);
    CU_ASSERT(log_contains("No such file"));
    CU_ASSERT_EQUAL(train("--net nothing %s --device soft --out %s",
                          small_set(), out), 3);
    CU_ASSERT(
        log_contains("train: --net: there is no \"nothing\"; softmax, mlp, "));
    CU_ASSERT_EQUAL(train("--kernels nobody --device soft --out %s", out), 3);
    CU_ASSERT(log_contains("train: --kernels: there is no \"nobody\"; labs, "));
    CU_ASSERT_EQUAL(train("predict %s %s --device soft",
                          scratch_path(out, "whole/checkpoint.safetensors"),
                          scratch_path(image, "whole/filters.png")), 0);
    CU_ASSERT(log_contains(" %  "));
}

/* Data and network are looked for before kernels are compiled. */
static void data_before_kernels(void)
{
    char out[PATH_BYTES], image[PATH_BYTES];
    FILE *broken;

    scratch_path(out, "bad");
    broken = fopen(scratch_path(image, "broken.cu"), "w");
    CU_ASSERT_FATAL(broken && fputs("int\n", broken) > 0 && !fclose(broken));
    CU_ASSERT_EQUAL(train("--net nothing --kernels %s --device soft --out %s",
                          image, out), 3);
    CU_ASSERT(log_contains("train: --net: there is no")); /* not compiled */
    CU_ASSERT_EQUAL(train("--data nothing --kernels %s --device soft --out %s",
                          image, out), 3);
    CU_ASSERT(log_contains("nothing: no such data set"));
    CU_ASSERT_EQUAL(train("--data cifar-10 --kernels %s --device soft --out %s",
                          image, out), 3);
    CU_ASSERT(log_contains("cifar-10: needs the folder of its files"));
    CU_ASSERT_EQUAL(train("--data npy --folder / --kernels %s --device soft "
                          "--out %s", image, out), 3);
    CU_ASSERT(log_contains("train_images.npy: No such file"));
    CU_ASSERT(!log_contains("building"));
}

CU_TestInfo messages_tests[] = {{"few launches", few_launches},
                            {"overfits 32 images", overfits},
                            {"explodes", explodes},
                            {"resumed otherwise", resumed},
                            {"resumed in place", resumed_in_place},
                            {"resumed with another net",
                             resumed_with_another_net},
                            {"command line", command_line},
                            {"data before kernels", data_before_kernels},
                            CU_TEST_INFO_NULL};
