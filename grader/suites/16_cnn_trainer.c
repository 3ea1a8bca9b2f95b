/* SPDX-License-Identifier: MIT */
/* Suite of lab 16: the list of its tests, which are in 16_cnn_trainer/. */
#include "grader/suites/16_cnn_trainer/suite_16.h"

static const struct suite_test tests[] = {
    {"forward", "outputs, predictions and totals", trainer_forward},
    {"dense", "dense layers and ReLU", trainer_dense},
    {"conv", "convolutions and pooling", trainer_conv},
    {"ties", "windows with equal elements", trainer_pool_ties},
    {"norm", "batch-norm, its running averages", trainer_norm},
    {"norm_first", "batch-norm, ReLU or pooling first", trainer_norm_first},
    {"partial", "partial batches", trainer_partial},
    {"differences", "gradient check", trainer_gradient_check},
    {"update", "each optimizer, some steps", trainer_update},
    {"clip", "gradients clipped", trainer_clip},
    {"dropout", "which elements are dropped", trainer_dropout},
    {"dropout_back", "dropout, backward", trainer_dropout_backward},
    {"evaluate", "evaluation writes nothing else", trainer_evaluate},
    {"learns", "twelve images overfitted", trainer_overfits},
    {"again", "the same bits each time", trainer_deterministic},
    {"frees", "no memory is leaked, errors are returned", trainer_no_leak},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"lenet", "a step of LeNet", trainer_timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"small", "batchnorm, dropout, AdamW; 3 images", trainer_watched_small},
    {"step", "a small network, 8 images", trainer_watched_cost},
    {NULL, NULL, NULL},
};

const struct suite suite_16_cnn_trainer = {"16_cnn_trainer", tests, speeds,
                                           watched};
