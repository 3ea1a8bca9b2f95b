/* SPDX-License-Identifier: MIT */
/** @file
 *  Select the first algorithm in a list, fastest first, that supports the
 *  shape, is deterministic, computes in float and needs no more workspace than
 *  the limit. */
#ifndef CUDNN_LAYER_SELECT_ALGORITHM_H
#define CUDNN_LAYER_SELECT_ALGORITHM_H

#include "layer.h"

enum { MAX_ALGORITHMS = 16 };

/** Its index among n; n if none is allowed.  T is one of the three
 *  cudnnConvolution...AlgoPerf_t, which differ only in the type of `algo`. */
template <class T> static int pick(const T *candidates, int n, size_t limit)
{
    int i = 0;

    while (
        i < n
        && (candidates[i].status != CUDNN_STATUS_SUCCESS
            || candidates[i].determinism != CUDNN_DETERMINISTIC
            || candidates[i].mathType == CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION
            || candidates[i].memory > limit))
        i++;
    return i;
}

/** Use it: store its algorithm, and enlarge the workspace if necessary. */
template <class T, class Algorithm>
static int use_algorithm(struct cudnn_layer *l, const T *candidates, int n,
                         Algorithm *algo)
{
    const int i = pick(candidates, n, l->limit);

    if (i == n) return CUDNN_STATUS_NOT_SUPPORTED;
    *algo = candidates[i].algo;
    if (candidates[i].memory > l->workspace)
        l->workspace = candidates[i].memory;
    return 0;
}

#endif
