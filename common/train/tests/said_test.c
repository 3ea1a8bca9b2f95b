/* SPDX-License-Identifier: MIT */
/* What the trainer says and learns, and when it stops. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "house.h"
#include "train_tests.h"

/* What a step launches: fused kernels are few. */
static void few_launches(void)
{
    static const struct {
        const char *net;
        int most;
    } promised[] = {{"softmax", 4}, {"mlp", 8}, {"lenet", 12},
                    {"cifar-cnn", 12}};
    char out[PATH_BYTES], words[80];

    for (size_t i = 0; i < sizeof promised / sizeof *promised; i++) {
        CU_ASSERT_EQUAL(train("--net %s --data lookalike --limit 12 --batch 4 "
                              "--steps 2 --device soft --out %s",
                              promised[i].net, scratch(out, "few")), 0);
        snprintf(words, sizeof words, "%d kernels a step, in one graph",
                 promised[i].most);
        CU_ASSERT(said(words));
    }
}

static void overfits(void)
{
    const struct image_shape in = {1, 28, 28};
    static struct network net;
    struct failure why = {""};
    char out[PATH_BYTES];
    struct checkpoint *state;

    CU_ASSERT_EQUAL(train("--net lenet %s --limit 32 --batch 4 --epochs 40 "
                          "--lr 0.01 --schedule constant --device soft "
                          "--out %s",
                          small_set(), scratch(out, "over")), 0);
    CU_ASSERT_FATAL(network_read("common/net/nets/lenet.net", in, CLASSES,
                                 &net, &why));
    state = state_in("over", &net);
    CU_ASSERT(state->history.row[39][EPOCH_LOSS] < 0.001f);
    CU_ASSERT_EQUAL(state->history.row[39][EPOCH_RIGHT], 1);
    checkpoint_free(state);
}

/* Weights to begin with, one of which is no number. */
static void put_nan(char path[PATH_BYTES])
{
    const struct image_shape in = {1, 28, 28};
    static struct train_options options;
    static struct network net;
    const struct dataset set = {.classes = CLASSES};
    struct failure why = {""};
    struct checkpoint *state;

    train_options_default(&options);
    CU_ASSERT_FATAL(network_read("common/net/nets/lenet.net", in, CLASSES,
                                 &net, &why));
    state = checkpoint_make(&net);
    network_initialise(&net, state->parameters, 1);
    state->parameters[net.layers[3].weight_at + 7] = NAN;
    CU_ASSERT(make_folders(scratch(path, "nan")));
    CU_ASSERT(checkpoint_write(state, path, &options, &set, &why));
    scratch(path, "nan/checkpoint.safetensors");
    checkpoint_free(state);
}

/* The loss is looked at after 16 steps, but lost before: the step is found. */
void loses_it(const char *kernels)
{
    char out[PATH_BYTES], path[PATH_BYTES];

    scratch(out, "bad");
    CU_ASSERT_EQUAL(train("--net lenet %s --batch 8 --optimizer sgd --lr 20 "
                          "--kernels %s --device soft --out %s", small_set(),
                          kernels, out), 1);
    CU_ASSERT(said(" after step 3: dense3: its outputs reach "));
    put_nan(path);
    CU_ASSERT_EQUAL(train("--net lenet %s --batch 8 --weights %s --kernels %s "
                          "--device soft --out %s", small_set(), path,
                          kernels, out), 1);
    CU_ASSERT(said(" after step 1: conv2: its weights hold what is no "
                   "number"));
}

static void explodes(void)
{
    loses_it("solutions");
    loses_it("cudnn");
}

/* Goes on as it began; the same may be said again, something else not. */
static void resumed(void)
{
    char out[PATH_BYTES], whole[PATH_BYTES];

    scratch(out, "other");
    scratch(whole, "whole");
    CU_ASSERT_EQUAL(train("--resume %s --lr 0.04 --device soft --out %s",
                          whole, out), 3);
    CU_ASSERT(said("train: --lr: "));
    CU_ASSERT(said("whole/checkpoint.safetensors was trained with "
                   "\"0.0500\"\n"));
    CU_ASSERT_EQUAL(train("--resume %s --net mlp --device soft --out %s",
                          whole, out), 3);
    CU_ASSERT(said("was trained with \"lenet\""));
    CU_ASSERT_EQUAL(train("--resume %s --net lenet --lr 0.05 --epochs 2 "
                          "--device soft --out %s", whole, out), 0);
    CU_ASSERT(said("all 2 epochs are done; --epochs asks for more\n"));
}

/* Nothing is said but where: it ends as it was to end, and there. */
static void resumed_in_place(void)
{
    char out[PATH_BYTES];

    scratch(out, "place");
    CU_ASSERT_EQUAL(train("--net softmax %s --limit 32 --batch 16 --epochs 2 "
                          "--steps 1 --device soft --out %s", small_set(),
                          out), 0);
    CU_ASSERT_EQUAL(train("--resume %s --device soft", out), 0);
    CU_ASSERT(said("epoch 2: "));
    CU_ASSERT(said("place/report.html"));
    CU_ASSERT_EQUAL(train("--resume %s --device soft", out), 0);
    CU_ASSERT(said("all 2 epochs are done; --epochs asks for more\n"));
}

/* The net's file was edited between: its arrays have the same shapes. */
static void resumed_with_another_net(void)
{
    const char net[] = "dropout 0.2\ndense\n";
    const char other[] = "dropout 0.3\ndense\n";
    char out[PATH_BYTES], path[PATH_BYTES];

    scratch(out, "edited");
    scratch_file(path, "drop.net", net, sizeof net - 1);
    CU_ASSERT_EQUAL(train("--net %s %s --steps 1 --device soft --out %s", path,
                          small_set(), out), 0);
    CU_ASSERT_EQUAL(train("--resume %s --steps 2 --device soft --out %s", out,
                          out), 0);
    scratch_file(path, "drop.net", other, sizeof other - 1);
    CU_ASSERT_EQUAL(train("--resume %s --steps 3 --device soft --out %s", out,
                          out), 3);
    CU_ASSERT(said("edited/checkpoint.safetensors: was trained with another "
                   "drop.net than there is now"));
}

static void command_line(void)
{
    char out[PATH_BYTES], image[PATH_BYTES];

    CU_ASSERT_EQUAL(train("--frob 1"), 2);
    CU_ASSERT(said("train: there is no option \"--frob\"; see train --help"));
    CU_ASSERT_EQUAL(train("--lr x"), 2);
    CU_ASSERT(said("train: --lr: \"x\" is no number from 0 to 1000000000;"));
    CU_ASSERT_EQUAL(train("--lr nan"), 2);
    CU_ASSERT_EQUAL(train("--batch 0"), 2);
    CU_ASSERT(said("train: --batch: \"0\" is no number from 1 to 65536;"));
    CU_ASSERT_EQUAL(train("--batch 1.5"), 2);
    CU_ASSERT_EQUAL(train("--schedule never"), 2);
    CU_ASSERT_EQUAL(train("--optimizer luck"), 2);
    CU_ASSERT_EQUAL(train("--device abacus"), 2);
    CU_ASSERT(said("train: --device: there is no \"abacus\"; see"));
    CU_ASSERT_EQUAL(train("predict --help"), 0);
    CU_ASSERT_EQUAL(train("--epochs"), 2);
    CU_ASSERT_EQUAL(train("--help"), 0);
    CU_ASSERT(said("exit: 0 done"));
    CU_ASSERT_EQUAL(train("--data nothing --device soft --out %s",
                          scratch(out, "bad")), 3);
    CU_ASSERT(said("nothing: no such data set"));
    CU_ASSERT_EQUAL(train("--resume %s --device soft --out %s",
                          scratch(image, "nowhere"), out), 3);
    CU_ASSERT(said("No such file"));
    CU_ASSERT_EQUAL(train("--net nothing %s --device soft --out %s",
                          small_set(), out), 3);
    CU_ASSERT(said("train: --net: there is no \"nothing\"; softmax, mlp, "));
    CU_ASSERT_EQUAL(train("--kernels nobody --device soft --out %s", out), 3);
    CU_ASSERT(said("train: --kernels: there is no \"nobody\"; labs, "));
    CU_ASSERT_EQUAL(train("predict %s %s --device soft",
                          scratch(out, "whole/checkpoint.safetensors"),
                          scratch(image, "whole/filters.png")), 0);
    CU_ASSERT(said(" %  "));
}

CU_TestInfo said_tests[] = {{"few launches", few_launches},
                            {"overfits 32 images", overfits},
                            {"explodes", explodes},
                            {"resumed otherwise", resumed},
                            {"resumed in place", resumed_in_place},
                            {"resumed with another net",
                             resumed_with_another_net},
                            {"command line", command_line},
                            CU_TEST_INFO_NULL};
