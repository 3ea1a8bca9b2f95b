/* SPDX-License-Identifier: MIT */
/* See option_list.h: the table, and the usage text. */
#include "option_list.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define OFFSET(field) offsetof(struct train_options, field)

/* Commands that an option belongs to, as bits. */
enum {
    FOR_TRAIN = 1 << COMMAND_TRAIN | 1 << COMMAND_FIND_LR,
    FOR_RUN = 1 << COMMAND_TRAIN, /* find-lr tries its own learning rates */
    FOR_MODELS = 1 << COMMAND_PREDICT | 1 << COMMAND_EVALUATE,
    FOR_DATA = FOR_TRAIN | 1 << COMMAND_EVALUATE | 1 << COMMAND_ATTACK,
    FOR_ALL = FOR_DATA | FOR_MODELS
};

const struct command train_commands[COMMAND_COUNT] = {
    [COMMAND_TRAIN] = {"", "", 0, 0},
    [COMMAND_PREDICT] = {"predict", "MODEL.safetensors PICTURE|FOLDER...", 2,
                         1 << 20},
    [COMMAND_EVALUATE] = {"evaluate", "MODEL.safetensors...", 1, 64},
    [COMMAND_FIND_LR] = {"find-lr", "", 0, 0},
    [COMMAND_ATTACK] = {"attack", "MODEL.safetensors NEW.png", 2, 2},
    [COMMAND_COMPARE] = {"compare", "DIR DIR...", 2, 64},
    [COMMAND_AVERAGE] = {"average", "NEW.safetensors MODEL.safetensors...", 3,
                         64},
};

const struct option train_option_list[] = {
    {"net", "NAME",
     "softmax, mlp, lenet, cifar-cnn, vgg-small, resnet-small, or a .net file",
     OFFSET(net), 0, 0, SAVED_FIXED, FOR_TRAIN},
    {"data", "NAME",
     "fashion-mnist, mnist, cifar-10, cifar-100, pictures, npy, lookalike, "
     "lookalike-cifar",
     OFFSET(data), 0, 0, SAVED_FIXED, FOR_DATA},
    {"folder", "DIR", "folder of the data set's files", OFFSET(folder), 0, 0,
     SAVED, FOR_DATA},
    {"resize", "HxW", "resample all images: 32x32 is 32 rows of 32 pixels",
     OFFSET(resize), 0, 0, SAVED_FIXED, FOR_DATA},
    {"epochs", "N", "passes over the training images", OFFSET(epochs), 1, 1e6,
     SAVED, FOR_RUN},
    {"batch", "N", "images per step (mini-batch)", OFFSET(batch), 1, 65536,
     SAVED_FIXED, FOR_TRAIN},
    {"lr", "R", "learning rate", OFFSET(learning_rate), 0, 1e9, SAVED,
     FOR_RUN},
    {"warmup", "E", "epochs in which the learning rate grows to --lr",
     OFFSET(warmup), 0, 1e6, SAVED, FOR_RUN},
    {"optimizer", "NAME", "sgd, momentum, nesterov, adam, adamw",
     OFFSET(optimizer), 0, 0, SAVED_FIXED, FOR_TRAIN},
    {"momentum", "M", "momentum coefficient", OFFSET(momentum), 0, 1,
     SAVED_FIXED, FOR_TRAIN},
    {"decay", "D", "weight decay", OFFSET(weight_decay), 0, 10, SAVED_FIXED,
     FOR_TRAIN},
    {"clip", "C", "clip gradients to this norm; 0: do not",
     OFFSET(max_grad_norm), 0, 1e9, SAVED, FOR_TRAIN},
    {"schedule", "NAME", "constant, cosine, step (1/10 after each third)",
     OFFSET(schedule), 0, 0, SAVED_FIXED, FOR_RUN},
    {"validation", "P", "fraction of the images held out for validation",
     OFFSET(validation), 0, 0.9, SAVED_FIXED, FOR_TRAIN},
    {"patience", "N",
     "stop after N epochs without a smaller validation loss; 0: do not",
     OFFSET(patience), 0, 1e6, SAVED, FOR_RUN},
    {"limit", "N", "train on the first N images only; 0: all", OFFSET(limit), 0,
     1e9, SAVED_FIXED, FOR_TRAIN},
    {"seed", "N", "seed of all random numbers", OFFSET(seed), 0,
     0x1p53 - 1,     SAVED_FIXED, FOR_TRAIN},
    {"kernels", "NAME", "labs (yours), solutions, cudnn, or a .cu file",
     OFFSET(kernels), 0, 0, SAVED, FOR_ALL},
    {"device", "NAME", "soft, gpu, auto", OFFSET(device), 0, 0, NOT_SAVED,
     FOR_ALL},
    {"graph", "0|1", "replay each step as one graph", OFFSET(graph), 0, 1,
     NOT_SAVED, FOR_TRAIN},
    {"out", "DIR", "output folder; default with --resume: that folder",
     OFFSET(out), 0, 0, NOT_SAVED, FOR_TRAIN},
    {"force", NULL, "write over the run in the output folder, or the new file",
     OFFSET(force), 0, 1, NOT_SAVED,
     FOR_RUN | 1 << COMMAND_AVERAGE | 1 << COMMAND_ATTACK},
    {"resume", "DIR", "resume from the checkpoint there, with its options",
     OFFSET(resume), 0, 0, NOT_SAVED, FOR_RUN},
    {"weights", "FILE",
     "initial weights, from PyTorch or a checkpoint: those that fit",
     OFFSET(weights), 0, 0, NOT_SAVED, FOR_TRAIN},
    {"freeze", "LAYERS", "do not update these layers: conv1,conv2",
     OFFSET(freeze), 0, 0, SAVED_FIXED, FOR_TRAIN},
    {"save", "N", "steps between checkpoints", OFFSET(save), 1, 1e9, NOT_SAVED,
     FOR_RUN},
    {"look", "N",
     "steps between loss checks; at most 50 curve points per epoch",
     OFFSET(check_interval), 1, 1e9, NOT_SAVED, FOR_RUN},
    {"steps", "N", "stop after N steps in total; 0: do not", OFFSET(steps), 0,
     1e12, NOT_SAVED, FOR_RUN},
    {"html", "FILE", "compare: write a page with the runs' learning curves",
     OFFSET(html), 0, 0, NOT_SAVED, 1 << COMMAND_COMPARE},
    {"top", "K", "predict, evaluate: the K most probable classes", OFFSET(top),
     1, DATASET_MAX_CLASSES, NOT_SAVED, FOR_MODELS},
};
const int train_option_count =
    sizeof train_option_list / sizeof *train_option_list;

bool option_is_string(const struct option *option)
{
    return option->low == 0 && option->high == 0;
}

char *option_string(const struct option *option,
                    const struct train_options *options)
{
    return (char *)options + option->at;
}

double *option_number(const struct option *option,
                      const struct train_options *options)
{
    return (double *)((char *)options + option->at);
}

const struct option *option_find(const char *name)
{
    for (int i = 0; i < train_option_count; i++)
        if (strcmp(train_option_list[i].name, name) == 0)
            return &train_option_list[i];
    return NULL;
}

void train_options_default(struct train_options *options)
{
    *options = (struct train_options){.net = "lenet",
                                      .data = "fashion-mnist",
                                      .kernels = "solutions",
                                      .device = "auto",
                                      .out = "build/trained",
                                      .epochs = -1,
                                      .batch = -1,
                                      .learning_rate = NAN,
                                      .momentum = NAN,
                                      .weight_decay = NAN,
                                      .max_grad_norm = NAN,
                                      .seed = 1,
                                      .save = 200,
                                      .check_interval = 16,
                                      .top = 3,
                                      .graph = 1};
}

void train_help(FILE *out)
{
    fprintf(out, "usage: train [--OPTION VALUE]...\n");
    for (int i = 1; i < COMMAND_COUNT; i++)
        fprintf(out, "       train %s %s [--OPTION VALUE]...\n",
                train_commands[i].name, train_commands[i].arguments);
    fprintf(out,
            "\nTrain a network with CUDA kernels: yours, the reference's or "
            "cuDNN's.\n\n");
    for (int i = 0; i < train_option_count; i++)
        fprintf(out, "  --%-10s %-5s  %s\n", train_option_list[i].name,
                train_option_list[i].what ? train_option_list[i].what : "",
                train_option_list[i].help);
    fprintf(out,
            "\nOther values default to those of the network's file. In DIR: "
            "metrics.csv and\nsteps.csv, checkpoint.safetensors, "
            "best.safetensors with --validation,\nreport.html with curves.svg, "
            "confusion.svg and filters.png, and events for\nTensorBoard.\n\n"
            "exit: 0 done, 1 the loss has diverged, 2 wrong "
            "command line,\n3 a file, a compiler or the device failed, 130 "
            "interrupted (a checkpoint\nwas written: --resume DIR)\n");
}
