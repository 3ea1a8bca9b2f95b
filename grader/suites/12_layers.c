/* SPDX-License-Identifier: MIT */
/* Suite of lab 12: the list of its tests, which are in 12_layers/. */
#include "grader/suites/12_layers/suite_12.h"

/* Tensors of a realistic size. */
static void timed(void)
{
    static const struct layer_shape images = {64, 32, 24, 24};

    layers_check_fused(&images);
}

static const struct suite_test tests[] = {
    {"bias", "a bias for each channel", layers_test_bias},
    {"bias_grad", "its gradient: sums over channels", layers_test_bias_grad},
    {"relu", "ReLU, forward and backward", layers_test_relu},
    {"fused", "bias and ReLU at once", layers_test_fused},
    {"pool", "max-pooling: windows of all kinds", layers_test_pool},
    {"pool_ties", "equal numbers, infinities and NaN in a window",
     layers_test_pool_ties},
    {"pool_grad", "its gradient goes to the maxima", layers_test_pool_grad},
    {"softmax", "rows of all lengths", layers_test_softmax},
    {"stable", "rows whose exponentials overflow", layers_test_stable},
    {"loss", "cross-entropy and its gradient", layers_test_loss},
    {"labels", "labels outside the classes", layers_test_labels},
    {"dropout", "the elements that the generator selects", layers_test_dropout},
    {"drop_share", "probabilities from 0 to nearly 1",
     layers_test_dropout_rate},
    {"norm", "batch-norm, training", layers_test_norm},
    {"norm_hard", "far from 0, all equal, a single number",
     layers_test_norm_hard},
    {"norm_later", "batch-norm with the running averages",
     layers_test_norm_inference},
    {"norm_grad", "batch-norm, backward", layers_test_norm_grad},
    {"gradients", "gradient check of each backward pass",
     layers_test_gradients},
    {"empty", "no images, rows or channels", layers_test_empty},
    {"refused", "invalid sizes", layers_test_rejects_invalid},
    {"nan", "NaN propagates", layers_test_nan},
    {"in_place", "outputs that are the input", layers_test_in_place},
    {"large", "57,600 elements, 5,003 rows", layers_test_large},
    {"again", "the same bits each time", layers_test_deterministic},
    {"frees", "no memory is leaked, errors are returned", layers_test_no_leak},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"fused", "bias and ReLU of 1.2 million elements", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"few", "small images and rows", layers_watched_small},
    {"fused", "8 images of 6 x 16 x 24, 256 rows of 40", layers_watched_fused},
    {NULL, NULL, NULL},
};

const struct suite suite_12_layers = {"12_layers", tests, speeds, watched};
