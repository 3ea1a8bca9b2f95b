/* SPDX-License-Identifier: MIT */
/* The calls that recommend a convolution algorithm: cudnnGetConvolution...
 * Algorithm_v7 by a heuristic, cudnnFindConvolution...Algorithm by modeled
 * time; and the sizes of workspaces. */
#include <stdint.h>

#include "convolution_algorithms.h"

enum { MAX_ALGORITHMS = 8 };

/** Algorithms in order of preference. */
struct ranking {
    int count;
    struct dnn_algorithm entry[MAX_ALGORITHMS];
};

/* Is `a` preferred to `b`: by modeled time, or by the heuristic? */
static bool is_before(const struct dnn_algorithm *a,
                      const struct dnn_algorithm *b, bool by_time)
{
    if (a->is_supported != b->is_supported)
        return a->is_supported;
    return by_time && a->is_supported ? a->time_ms < b->time_ms
                                      : a->rank < b->rank;
}

/* Sort the algorithms; those that need more workspace than `limit` are not
 * supported. */
static struct ranking rank_algorithms(const struct dnn_conv_shape *shape,
                                      bool by_time, size_t limit)
{
    struct ranking r = {.count = dnn_algorithm_count(shape->direction)};

    for (int i = 0; i < r.count; i++) {
        struct dnn_algorithm algorithm = dnn_algorithm(shape, i);
        int at = i;

        algorithm.is_supported =
            algorithm.is_supported && algorithm.workspace_bytes <= limit;
        for (; at > 0 && is_before(&algorithm, &r.entry[at - 1], by_time); at--)
            r.entry[at] = r.entry[at - 1];
        r.entry[at] = algorithm;
    }
    return r;
}

/** Fill the performance results of one of the three families of calls. */
#define FILL_PERF(perf, found, request, shape, r, Algo, by_time)         \
    do {                                                                 \
        for (int i = 0; i < (r).count && i < (request); i++) {           \
            const struct dnn_algorithm *entry = &(r).entry[i];           \
            const bool is_supported = entry->is_supported;               \
            (perf)[i] = (__typeof__(*(perf))){                           \
                .algo = (Algo)entry->algo,                               \
                .status = is_supported ? CUDNN_STATUS_SUCCESS            \
                                       : CUDNN_STATUS_NOT_SUPPORTED,     \
                .time = is_supported && (by_time) ? entry->time_ms : -1, \
                .memory = is_supported ? entry->workspace_bytes : 0,     \
                .determinism = entry->is_deterministic                   \
                                   ? CUDNN_DETERMINISTIC                 \
                                   : CUDNN_NON_DETERMINISTIC,            \
                .mathType = (shape)->desc.math};                         \
        }                                                                \
        *(found) = (r).count < (request) ? (r).count : (request);        \
    } while (0)

/** The calls of one family.  PLACE orders its descriptors as x, w,
 *  convolution, y. */
#define FAMILY(Long, Short, DIRECTION, TENSORS, PLACE, DATA)                   \
    cudnnStatus_t cudnnGetConvolution##Long##AlgorithmMaxCount(                \
        cudnnHandle_t handle, int *count)                                      \
    {                                                                          \
        DNN_REQUIRE_PARAM(handle && count);                                    \
        *count = dnn_algorithm_count(DIRECTION);                               \
        return CUDNN_STATUS_SUCCESS;                                           \
    }                                                                          \
                                                                               \
    static cudnnStatus_t rank_##Short(                                         \
        cudnnHandle_t handle, const struct dnn_conv_shape *shape, int request, \
        int *found, cudnnConvolution##Short##AlgoPerf_t *perf, bool by_time,   \
        size_t limit)                                                          \
    {                                                                          \
        DNN_REQUIRE_PARAM(handle && found && perf && request > 0);             \
        const struct ranking r = rank_algorithms(shape, by_time, limit);       \
        FILL_PERF(perf, found, request, shape, r,                              \
                  cudnnConvolution##Short##Algo_t, by_time);                   \
        return CUDNN_STATUS_SUCCESS;                                           \
    }                                                                          \
                                                                               \
    cudnnStatus_t cudnnGetConvolution##Long##Algorithm_v7(                     \
        cudnnHandle_t handle, TENSORS, const int request, int *found,          \
        cudnnConvolution##Short##AlgoPerf_t *perf)                             \
    {                                                                          \
        struct dnn_conv_shape shape;                                           \
        const cudnnStatus_t status =                                           \
            DNN_AS_OWN(dnn_conv_shape(&shape, DIRECTION, PLACE));              \
        return status ? status                                                 \
                      : DNN_AS_OWN(rank_##Short(                               \
                            handle, &shape, request, found, perf, false,       \
                            SIZE_MAX));                                        \
    }                                                                          \
                                                                               \
    cudnnStatus_t cudnnFindConvolution##Long##Algorithm(                       \
        cudnnHandle_t handle, TENSORS, const int request, int *found,          \
        cudnnConvolution##Short##AlgoPerf_t *perf)                             \
    {                                                                          \
        struct dnn_conv_shape shape;                                           \
        const cudnnStatus_t status =                                           \
            DNN_AS_OWN(dnn_conv_shape(&shape, DIRECTION, PLACE));              \
        return status ? status                                                 \
                      : DNN_AS_OWN(rank_##Short(                               \
                            handle, &shape, request, found, perf, true,        \
                            SIZE_MAX));                                        \
    }                                                                          \
                                                                               \
    cudnnStatus_t cudnnFindConvolution##Long##AlgorithmEx(                     \
        cudnnHandle_t handle, DATA, const int request, int *found,             \
        cudnnConvolution##Short##AlgoPerf_t *perf, void *workspace,            \
        size_t workspace_bytes)                                                \
    {                                                                          \
        struct dnn_conv_shape shape;                                           \
        const cudnnStatus_t status =                                           \
            DNN_AS_OWN(dnn_conv_shape(&shape, DIRECTION, PLACE));              \
        DNN_REQUIRE_PARAM(a && b && result);                                   \
        return status ? status                                                 \
                      : DNN_AS_OWN(rank_##Short(                               \
                            handle, &shape, request, found, perf, true,        \
                            workspace ? workspace_bytes : 0));                 \
    }                                                                          \
                                                                               \
    cudnnStatus_t cudnnGetConvolution##Long##WorkspaceSize(                    \
        cudnnHandle_t handle, TENSORS, cudnnConvolution##Short##Algo_t algo,   \
        size_t *bytes)                                                         \
    {                                                                          \
        struct dnn_conv_shape shape;                                           \
        const cudnnStatus_t status =                                           \
            DNN_AS_OWN(dnn_conv_shape(&shape, DIRECTION, PLACE));              \
        if (status)                                                            \
            return status;                                                     \
        DNN_REQUIRE_PARAM(handle && bytes && (int)algo >= 0                    \
                  && (int)algo < dnn_algorithm_count(DIRECTION));              \
        const struct dnn_algorithm cost = dnn_algorithm(&shape, (int)algo);    \
        DNN_REQUIRE(cost.is_supported, CUDNN_STATUS_NOT_SUPPORTED,             \
                    "the algorithm does not support this shape");              \
        *bytes = cost.workspace_bytes;                                         \
        return CUDNN_STATUS_SUCCESS;                                           \
    }

#define COMMA ,
#define T const cudnnTensorDescriptor_t
#define W const cudnnFilterDescriptor_t
#define C const cudnnConvolutionDescriptor_t

FAMILY(Forward, Fwd, DNN_FORWARD,
       T x_desc COMMA W w_desc COMMA C conv_desc COMMA T y_desc,
       x_desc COMMA w_desc COMMA conv_desc COMMA y_desc,
       T x_desc COMMA const void *a COMMA W w_desc COMMA const void *b COMMA
       C conv_desc COMMA T y_desc COMMA void *result)

FAMILY(BackwardData, BwdData, DNN_BACKWARD_DATA,
       W w_desc COMMA T dy_desc COMMA C conv_desc COMMA T dx_desc,
       dx_desc COMMA w_desc COMMA conv_desc COMMA dy_desc,
       W w_desc COMMA const void *a COMMA T dy_desc COMMA const void *b COMMA
       C conv_desc COMMA T dx_desc COMMA void *result)

FAMILY(BackwardFilter, BwdFilter, DNN_BACKWARD_FILTER,
       T x_desc COMMA T dy_desc COMMA C conv_desc COMMA W dw_desc,
       x_desc COMMA dw_desc COMMA conv_desc COMMA dy_desc,
       T x_desc COMMA const void *a COMMA T dy_desc COMMA const void *b COMMA
       C conv_desc COMMA W dw_desc COMMA void *result)
