/* SPDX-License-Identifier: MIT */
/** @file
 *  A layer with cuDNN, step 1: algorithms from the library's heuristic, a query
 *  that costs almost nothing. */
#include "select_algorithm.h"
#include "unfused.h"

static int choose_algorithms(struct cudnn_layer *l)
{
    cudnnConvolutionFwdAlgoPerf_t forward[MAX_ALGORITHMS];
    cudnnConvolutionBwdDataAlgoPerf_t data[MAX_ALGORITHMS];
    cudnnConvolutionBwdFilterAlgoPerf_t weights[MAX_ALGORITHMS];
    int n = 0, err = 0;

    TRY_CUDNN(cudnnGetConvolutionForwardAlgorithm_v7(
        l->dnn, l->x, l->filter, l->convolution, l->conv, MAX_ALGORITHMS, &n,
        forward));
    if (!err) err = use_algorithm(l, forward, n, &l->forward);
    TRY_CUDNN(cudnnGetConvolutionBackwardDataAlgorithm_v7(
        l->dnn, l->filter, l->conv, l->convolution, l->x, MAX_ALGORITHMS, &n,
        data));
    if (!err) err = use_algorithm(l, data, n, &l->data);
    TRY_CUDNN(cudnnGetConvolutionBackwardFilterAlgorithm_v7(
        l->dnn, l->x, l->conv, l->convolution, l->filter, MAX_ALGORITHMS, &n,
        weights));
    return err ? err : use_algorithm(l, weights, n, &l->weights);
}
