/* SPDX-License-Identifier: MIT */
/* Suite of lab 16: the list of its tests; they are in 16_cnn_trainer/. */
#include "suites/16_cnn_trainer/suite_16.h"

static const struct suite_test tests[] = {
    {"dense", "dense layers and ReLU", trainer_dense},
    {"conv", "convolutions and pooling", trainer_conv},
    {"ties", "windows with equal elements", trainer_ties},
    {"norm", "batch-norm, its running averages", trainer_norm},
    {"norm_first", "batch-norm, ReLU or pooling first", trainer_norm_first},
    {"partial", "fewer images than there is room for", trainer_partial},
    {"differences", "gradients are slopes of the loss", trainer_differences},
    {"update", "each optimiser, some steps", trainer_update},
    {"clip", "gradients clipped", trainer_clip},
    {"dropout", "what is dropped, and when", trainer_dropout},
    {"dropout_back", "dropout on the way back", trainer_dropout_back},
    {"evaluate", "evaluation, which writes nothing else", trainer_evaluate},
    {"learns", "twelve images learnt by heart", trainer_learns},
    {"again", "the same bits each time", trainer_again},
    {"frees", "no device memory is kept", trainer_frees},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"lenet", "a step of LeNet", trainer_timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"small", "batchnorm, dropout, AdamW; 3 images", trainer_small},
    {"step", "a small network, 8 images", trainer_watched},
    {NULL, NULL, NULL},
};

const struct suite suite_16_cnn_trainer = {"16_cnn_trainer", tests, speeds,
                                           watched};
