/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Let the library try all algorithms, and take the fastest that will do.
 */
#ifndef CUDNN_LAYER_SEARCH_H
#define CUDNN_LAYER_SEARCH_H

#include "pick.h"

// END SOLUTION
static int choose(struct cudnn_layer *l)
{
// BEGIN SOLUTION
    cudnnConvolutionFwdAlgoPerf_t forward[MOST_WAYS];
    cudnnConvolutionBwdDataAlgoPerf_t data[MOST_WAYS];
    cudnnConvolutionBwdFilterAlgoPerf_t weights[MOST_WAYS];
    int n = 0, err = 0;

    DNN(cudnnFindConvolutionForwardAlgorithm(
        l->dnn, l->x, l->filter, l->convolution, l->conv, MOST_WAYS, &n,
        forward));
    if (!err) err = take(l, forward, n, &l->forward);
    DNN(cudnnFindConvolutionBackwardDataAlgorithm(
        l->dnn, l->filter, l->conv, l->convolution, l->x, MOST_WAYS, &n, data));
    if (!err) err = take(l, data, n, &l->data);
    DNN(cudnnFindConvolutionBackwardFilterAlgorithm(
        l->dnn, l->x, l->conv, l->convolution, l->filter, MOST_WAYS, &n,
        weights));
    return err ? err : take(l, weights, n, &l->weights);
// HANDOUT
//     /* TODO 5: ask for the algorithms of all three directions, best first,
//      * and take() the first of each that will do */
//     return CUDNN_STATUS_NOT_SUPPORTED;
// END SOLUTION
}

// BEGIN SOLUTION
#endif
// END SOLUTION
