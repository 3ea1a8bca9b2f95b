/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Out of a list of algorithms, best first: the first that can do the shape,
 *  gives the same bits each time, computes in float and needs no more
 *  workspace than the limit.
 */
#ifndef CUDNN_LAYER_PICK_H
#define CUDNN_LAYER_PICK_H

#include "layer.h"

// END SOLUTION
enum { MOST_WAYS = 16 };

/** Its place among n; n when none will do.  T is one of the three
 *  cudnnConvolution...AlgoPerf_t, which differ in `algo` alone. */
template <class T> static int pick(const T *ways, int n, size_t limit)
{
    int i = 0;

    while (i < n
           && (ways[i].status != CUDNN_STATUS_SUCCESS
               || ways[i].determinism != CUDNN_DETERMINISTIC
               || ways[i].mathType == CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION
               || ways[i].memory > limit))
        i++;
    return i;
}

/** Take it: its algorithm, and room for it in the workspace. */
template <class T, class Algo>
static int take(struct cudnn_layer *l, const T *ways, int n, Algo *algo)
{
    const int i = pick(ways, n, l->limit);

    if (i == n) return CUDNN_STATUS_NOT_SUPPORTED;
    *algo = ways[i].algo;
    if (ways[i].memory > l->workspace) l->workspace = ways[i].memory;
    return 0;
}

// BEGIN SOLUTION
#endif
// END SOLUTION
