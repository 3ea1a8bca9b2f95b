/* SPDX-License-Identifier: MIT */
/** @file
 *  Let the library run all algorithms, and use the fastest one that is allowed.
 */
#ifndef CUDNN_LAYER_FIND_ALGORITHMS_H
#define CUDNN_LAYER_FIND_ALGORITHMS_H

#include "select_algorithm.h"

static int choose_algorithms(struct cudnn_layer *l)
{
    cudnnConvolutionFwdAlgoPerf_t forward[MAX_ALGORITHMS];
    cudnnConvolutionBwdDataAlgoPerf_t data[MAX_ALGORITHMS];
    cudnnConvolutionBwdFilterAlgoPerf_t weights[MAX_ALGORITHMS];
    int n = 0, err = 0;

    TRY_CUDNN(cudnnFindConvolutionForwardAlgorithm(
        l->dnn, l->x, l->filter, l->convolution, l->conv, MAX_ALGORITHMS, &n,
        forward));
    if (!err) err = use_algorithm(l, forward, n, &l->forward);
    TRY_CUDNN(cudnnFindConvolutionBackwardDataAlgorithm(
        l->dnn, l->filter, l->conv, l->convolution, l->x, MAX_ALGORITHMS, &n,
        data));
    if (!err) err = use_algorithm(l, data, n, &l->data);
    TRY_CUDNN(cudnnFindConvolutionBackwardFilterAlgorithm(
        l->dnn, l->x, l->conv, l->convolution, l->filter, MAX_ALGORITHMS, &n,
        weights));
    return err ? err : use_algorithm(l, weights, n, &l->weights);
}

#endif
