/* SPDX-License-Identifier: MIT */
/** @file
 *  A layer by cuDNN, step 1: algorithms by the library's rule of thumb, which
 *  costs next to nothing to ask. */
#include "pick.h"
#include "steps.h"

static int choose(struct cudnn_layer *l)
{
    cudnnConvolutionFwdAlgoPerf_t forward[MOST_WAYS];
    cudnnConvolutionBwdDataAlgoPerf_t data[MOST_WAYS];
    cudnnConvolutionBwdFilterAlgoPerf_t weights[MOST_WAYS];
    int n = 0, err = 0;

    DNN(cudnnGetConvolutionForwardAlgorithm_v7(
        l->dnn, l->x, l->filter, l->convolution, l->conv, MOST_WAYS, &n,
        forward));
    if (!err) err = take(l, forward, n, &l->forward);
    DNN(cudnnGetConvolutionBackwardDataAlgorithm_v7(
        l->dnn, l->filter, l->conv, l->convolution, l->x, MOST_WAYS, &n, data));
    if (!err) err = take(l, data, n, &l->data);
    DNN(cudnnGetConvolutionBackwardFilterAlgorithm_v7(
        l->dnn, l->x, l->conv, l->convolution, l->filter, MOST_WAYS, &n,
        weights));
    return err ? err : take(l, weights, n, &l->weights);
}
