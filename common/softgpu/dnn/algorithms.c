/* SPDX-License-Identifier: MIT */
/* The ways to convolve: which shapes they can do, the workspace they need and
 * the time they would take on the described card.
 *
 *  All of them are computed alike here; a program still has to choose, to
 *  allocate and to live with a limit as on a card.  The time is modelled, so
 *  that the choice does not depend on what else this computer does. */
#include <math.h>
#include <stdlib.h>

#include "../host/device.h"
#include "convolve.h"

/** How a way works. */
enum method {
    IMPLICIT,    /* columns are formed as they are needed */
    PRECOMPUTED, /* likewise, with a table of offsets */
    COLUMNS,     /* columns of an image are written, then multiplied */
    ATOMIC,      /* like IMPLICIT, adding up by atomics */
    TILES,       /* Winograd in one kernel */
    TILES_APART, /* Winograd, transformed tiles written between */
    FOURIER,       /* whole planes transformed, multiplied, and back */
    FOURIER_TILES, /* likewise, tiles of 32 x 32 */
    ABSENT       /* no way of this library */
};

/** A way and how a heuristic ranks it: small first. */
struct known {
    enum method method;
    int rank;
};

static const struct known forward[CUDNN_CONVOLUTION_FWD_ALGO_COUNT] = {
    {IMPLICIT, 2}, {PRECOMPUTED, 0}, {COLUMNS, 4}, {ABSENT, 9}, {FOURIER, 6},
    {FOURIER_TILES, 5}, {TILES, 1}, {TILES_APART, 3}};
static const struct known data[CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT] = {
    {ATOMIC, 2}, {PRECOMPUTED, 0}, {FOURIER, 5}, {FOURIER_TILES, 4},
    {TILES, 1}, {TILES_APART, 3}};
static const struct known filter[CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT] = {
    {ATOMIC, 2}, {PRECOMPUTED, 0}, {FOURIER, 5}, {COLUMNS, 3}, {ABSENT, 9},
    {TILES_APART, 1}, {FOURIER_TILES, 4}};

static const struct known *known(enum dnn_direction direction)
{
    return direction == DNN_FORWARD ? forward
           : direction == DNN_BACKWARD_DATA ? data : filter;
}

int dnn_ways(enum dnn_direction direction)
{
    return direction == DNN_FORWARD ? CUDNN_CONVOLUTION_FWD_ALGO_COUNT
           : direction == DNN_BACKWARD_DATA
               ? CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT
               : CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT;
}

/* Two dimensions, no stride, no dilation, no groups. */
static bool is_simple(const struct dnn_shape *s)
{
    return s->desc.dims == 2 && s->desc.groups == 1 && s->desc.stride[0] == 1
           && s->desc.stride[1] == 1 && s->desc.dilation[0] == 1
           && s->desc.dilation[1] == 1;
}

/* Which shapes a way can do, as NVIDIA's documents say. */
static bool can_do(const struct dnn_shape *s, enum method method)
{
    const int r = s->w.size[2], c = s->w.size[3];
    const int *pad = s->desc.pad;

    switch (method) {
    case ABSENT:
        return false;
    case TILES:
        return is_simple(s) && r == 3 && c == 3;
    case TILES_APART:
        return is_simple(s) && r == c && (r == 3 || r == 5);
    case FOURIER:
        return is_simple(s) && r > pad[0] && c > pad[1]
               && s->x.size[2] + 2 * pad[0] <= 256
               && s->x.size[3] + 2 * pad[1] <= 256;
    case FOURIER_TILES:
        return is_simple(s) && r > pad[0] && c > pad[1] && r <= 32 && c <= 32;
    default:
        return true;
    }
}

/* Elements of the columns of one image. */
static double columns(const struct dnn_shape *s)
{
    return dnn_work(s) / s->w.size[0] / s->y.size[0] * s->desc.groups;
}

/* Elements of a tile of Winograd's: 4 x 4 for 2 x 2 results of 3 x 3. */
static double tile(const struct dnn_shape *s)
{
    return (s->w.size[2] + 1.0) * (s->w.size[3] + 1.0);
}

/* Elements of all transformed tiles and filters. */
static double tiles(const struct dnn_shape *s)
{
    const double c = s->x.size[1], k = s->y.size[1];
    const double places = (double)s->y.size[0] * ((s->y.size[2] + 1) / 2)
                          * ((s->y.size[3] + 1) / 2);

    return tile(s) * (places * (c + k) + c * k);
}

/* Planes (or tiles) of x, of filters and of y, and elements of each. */
static double planes(const struct dnn_shape *s, enum method method,
                     double *elements)
{
    const double n = s->x.size[0], c = s->x.size[1], k = s->y.size[1];
    const double h = s->x.size[2] + 2 * s->desc.pad[0];
    const double w = s->x.size[3] + 2 * s->desc.pad[1];
    double pieces = 1;

    *elements = method == FOURIER ? h * w : 32 * 32;
    if (method == FOURIER_TILES)
        pieces = ceil(h / (33 - s->w.size[2])) * ceil(w / (33 - s->w.size[3]));
    return n * pieces * (c + k) + c * k;
}

/** Multiply-adds, bytes through memory and workspace of a way. */
struct need {
    double work, traffic, memory;
    double share; /* of the card's rate that it reaches */
};

static struct need need(const struct dnn_shape *s, enum method method)
{
    const double all = (double)dnn_bytes(s->x.type)
                       * (double)(dnn_count(&s->x) + dnn_count(&s->w)
                                  + dnn_count(&s->y));
    struct need n = {dnn_work(s), all, 0, 0.35};
    double pieces, elements;

    switch (method) {
    case PRECOMPUTED:
        n.memory = 8.0 * (double)dnn_count(&s->w) / s->w.size[0];
        n.share = 0.6;
        break;
    case COLUMNS:
        n.memory = 4 * columns(s);
        n.traffic += 8 * columns(s) * s->y.size[0];
        n.share = 0.75;
        break;
    case ATOMIC:
        n.traffic += all;
        break;
    case TILES:
        n.work /= 2.25;
        n.memory = 64.0 * s->x.size[1] * s->y.size[1];
        n.traffic += 2 * n.memory;
        break;
    case TILES_APART:
        n.work *= tile(s) / (4.0 * s->w.size[2] * s->w.size[3]);
        n.memory = 4 * tiles(s);
        n.traffic += 2 * n.memory;
        n.share = 0.7;
        break;
    case FOURIER:
    case FOURIER_TILES:
        pieces = planes(s, method, &elements);
        n.work = 2 * elements * (pieces * log2(elements)
                                 + pieces * s->x.size[1] * s->y.size[1]
                                       / (s->x.size[1] + s->y.size[1]));
        n.memory = 4 * pieces * elements; /* half of the complex numbers */
        n.traffic += 2 * n.memory;
        break;
    default:
        break;
    }
    return n;
}

/* Milliseconds: what is slower, arithmetic or memory, and the launches. */
static double model(const struct need *n, enum method method)
{
    const struct softgpu_card *card = softgpu_card();
    const double rate = (double)card->sms * card->fp32_lanes
                        * (double)card->clock_khz * n->share; /* a ms */
    const double moved = n->traffic / (card->dram_gbs * 1e6);
    const double launches = method >= TILES_APART ? 4 : method == IMPLICIT
                                                            ? 1 : 2;

    return launches * card->launch_ns * 1e-6
           + (n->work / rate > moved ? n->work / rate : moved);
}

struct dnn_way dnn_way(const struct dnn_shape *shape, int algo)
{
    struct dnn_way way = {.algo = algo};
    enum method method;
    struct need n;

    if (algo < 0 || algo >= dnn_ways(shape->direction))
        return way;
    method = known(shape->direction)[algo].method;
    way.fits = can_do(shape, method);
    if (!way.fits)
        return way;
    n = need(shape, method);
    way.memory = (size_t)n.memory;
    way.operations = 2 * n.work;
    way.traffic = n.traffic;
    way.time = (float)model(&n, method);
    return way;
}

/* --- ranking ------------------------------------------------------------- */

enum { MOST_WAYS = 8 };

/** Ways in order. */
struct ranking {
    int count;
    struct dnn_way way[MOST_WAYS];
};

/* Whether a comes before b: by the model, or by the rule of thumb. */
static bool is_before(const struct dnn_shape *s, const struct dnn_way *a,
                      const struct dnn_way *b, bool by_time)
{
    const struct known *k = known(s->direction);

    if (a->fits != b->fits)
        return a->fits;
    return by_time && a->fits ? a->time < b->time
                              : k[a->algo].rank < k[b->algo].rank;
}

/* Ways that need more than `limit` do not fit. */
static struct ranking rank(const struct dnn_shape *shape, bool by_time,
                           size_t limit)
{
    struct ranking r = {.count = dnn_ways(shape->direction)};

    for (int i = 0; i < r.count; i++) {
        struct dnn_way way = dnn_way(shape, i);
        int at = i;

        way.fits = way.fits && way.memory <= limit;
        for (; at > 0 && is_before(shape, &way, &r.way[at - 1], by_time); at--)
            r.way[at] = r.way[at - 1];
        r.way[at] = way;
    }
    return r;
}

/* On a card, those that add up by atomics differ from run to run. */
static cudnnDeterminism_t determinism(const struct dnn_shape *s, int algo)
{
    const enum method m = known(s->direction)[algo].method;

    return m == ATOMIC || (m == COLUMNS && s->direction == DNN_BACKWARD_FILTER)
               ? CUDNN_NON_DETERMINISTIC
               : CUDNN_DETERMINISTIC;
}

/** What the three families of calls have in common. */
#define TELL(perf, given, wanted, shape, r, Algo, by_time)                  \
    do {                                                                    \
        for (int i = 0; i < (r).count && i < (wanted); i++) {               \
            const struct dnn_way *way = &(r).way[i];                        \
            (perf)[i] = (__typeof__(*(perf))){                              \
                .algo = (Algo)way->algo,                                    \
                .status = way->fits ? CUDNN_STATUS_SUCCESS                  \
                                    : CUDNN_STATUS_NOT_SUPPORTED,           \
                .time = way->fits && (by_time) ? way->time : -1,            \
                .memory = way->fits ? way->memory : 0,                      \
                .determinism = determinism(shape, way->algo),               \
                .mathType = (shape)->desc.math};                            \
        }                                                                   \
        *(given) = (r).count < (wanted) ? (r).count : (wanted);             \
    } while (0)

/** The calls of one family.  PLACE puts its descriptors in their places. */
#define FAMILY(Long, Short, DIRECTION, TENSORS, PLACE, DATA)                   \
    cudnnStatus_t cudnnGetConvolution##Long##AlgorithmMaxCount(                \
        cudnnHandle_t handle, int *count)                                      \
    {                                                                          \
        DNN_LEGAL(handle && count);                                            \
        *count = dnn_ways(DIRECTION);                                          \
        return CUDNN_STATUS_SUCCESS;                                           \
    }                                                                          \
                                                                               \
    static cudnnStatus_t rank_##Short(                                         \
        cudnnHandle_t handle, const struct dnn_shape *shape, int wanted,       \
        int *given, cudnnConvolution##Short##AlgoPerf_t *perf, bool by_time,   \
        size_t limit)                                                          \
    {                                                                          \
        DNN_LEGAL(handle && given && perf && wanted > 0);                      \
        const struct ranking r = rank(shape, by_time, limit);                  \
        TELL(perf, given, wanted, shape, r, cudnnConvolution##Short##Algo_t,   \
             by_time);                                                         \
        return CUDNN_STATUS_SUCCESS;                                           \
    }                                                                          \
                                                                               \
    cudnnStatus_t cudnnGetConvolution##Long##Algorithm_v7(                     \
        cudnnHandle_t handle, TENSORS, const int wanted, int *given,           \
        cudnnConvolution##Short##AlgoPerf_t *perf)                             \
    {                                                                          \
        struct dnn_shape shape;                                                \
        const cudnnStatus_t status = dnn_shape(&shape, DIRECTION, PLACE);      \
        return status ? status                                                 \
                      : rank_##Short(handle, &shape, wanted, given, perf,      \
                                     false, SIZE_MAX);                         \
    }                                                                          \
                                                                               \
    cudnnStatus_t cudnnFindConvolution##Long##Algorithm(                       \
        cudnnHandle_t handle, TENSORS, const int wanted, int *given,           \
        cudnnConvolution##Short##AlgoPerf_t *perf)                             \
    {                                                                          \
        struct dnn_shape shape;                                                \
        const cudnnStatus_t status = dnn_shape(&shape, DIRECTION, PLACE);      \
        return status ? status                                                 \
                      : rank_##Short(handle, &shape, wanted, given, perf,      \
                                     true, SIZE_MAX);                          \
    }                                                                          \
                                                                               \
    cudnnStatus_t cudnnFindConvolution##Long##AlgorithmEx(                     \
        cudnnHandle_t handle, DATA, const int wanted, int *given,              \
        cudnnConvolution##Short##AlgoPerf_t *perf, void *workspace,            \
        size_t workspace_bytes)                                                \
    {                                                                          \
        struct dnn_shape shape;                                                \
        const cudnnStatus_t status = dnn_shape(&shape, DIRECTION, PLACE);      \
        DNN_LEGAL(a && b && result);                                           \
        return status ? status                                                 \
                      : rank_##Short(handle, &shape, wanted, given, perf,      \
                                     true, workspace ? workspace_bytes : 0);   \
    }                                                                          \
                                                                               \
    cudnnStatus_t cudnnGetConvolution##Long##WorkspaceSize(                    \
        cudnnHandle_t handle, TENSORS, cudnnConvolution##Short##Algo_t algo,   \
        size_t *bytes)                                                         \
    {                                                                          \
        struct dnn_shape shape;                                                \
        const cudnnStatus_t status = dnn_shape(&shape, DIRECTION, PLACE);      \
        if (status)                                                            \
            return status;                                                     \
        DNN_LEGAL(handle && bytes && (int)algo >= 0                            \
                  && (int)algo < dnn_ways(DIRECTION));                         \
        const struct dnn_way way = dnn_way(&shape, (int)algo);                 \
        DNN_NEED(way.fits, CUDNN_STATUS_NOT_SUPPORTED,                         \
                 "this algorithm cannot do this shape");                       \
        *bytes = way.memory;                                                   \
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
