/* SPDX-License-Identifier: MIT */
/* The list of suites: one line a lab, in order. */
#include "suite.h"

extern const struct suite suite_01_vector_add;
extern const struct suite suite_02_blur;
extern const struct suite suite_03_transpose;
extern const struct suite suite_04_reduction;
extern const struct suite suite_05_scan;
extern const struct suite suite_06_histogram;
extern const struct suite suite_07_tiled_gemm;
extern const struct suite suite_08_fast_gemm;
extern const struct suite suite_09_tensor_gemm;
extern const struct suite suite_10_convolution;
extern const struct suite suite_11_conv_layer;
extern const struct suite suite_12_layers;
extern const struct suite suite_13_cudnn_layer;
extern const struct suite suite_14_streams;
extern const struct suite suite_15_optimizers;
extern const struct suite suite_16_cnn_trainer;

const struct suite *const suites[] = {
    &suite_01_vector_add,
    &suite_02_blur,
    &suite_03_transpose,
    &suite_04_reduction,
    &suite_05_scan,
    &suite_06_histogram,
    &suite_07_tiled_gemm,
    &suite_08_fast_gemm,
    &suite_09_tensor_gemm,
    &suite_10_convolution,
    &suite_11_conv_layer,
    &suite_12_layers,
    &suite_13_cudnn_layer,
    &suite_14_streams,
    &suite_15_optimizers,
    &suite_16_cnn_trainer,
    NULL,
};
