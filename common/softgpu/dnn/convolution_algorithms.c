/* SPDX-License-Identifier: MIT */
/* cuDNN's convolution algorithms: supported shapes, workspace, and the time
 * they would take on the described GPU.
 *
 * All of them are computed in the same way here; a program still has to choose
 * one, allocate its workspace and handle unsupported shapes, as on a GPU.  The
 * time is modeled, so that the choice does not depend on the load of this
 * computer. */
#include <math.h>
#include <stdlib.h>

#include "common/softgpu/host/device.h"
#include "convolution_algorithms.h"

/** Methods behind the algorithms. */
enum method {
    IMPLICIT_GEMM,         /* im2col on the fly */
    IMPLICIT_PRECOMP_GEMM, /* likewise, with a precomputed table of offsets */
    EXPLICIT_GEMM,         /* im2col to the workspace, then GEMM */
    IMPLICIT_ATOMIC,       /* like IMPLICIT_GEMM, accumulated with atomics */
    WINOGRAD,              /* Winograd in one kernel */
    WINOGRAD_NONFUSED,     /* Winograd, transformed tiles in the workspace */
    FFT,                   /* FFT of whole planes */
    FFT_TILING,            /* FFT of tiles of 32 x 32 */
    NOT_PROVIDED           /* not provided by the library */
};

/** A method and its rank in the heuristic: the smallest first. */
struct method_entry {
    enum method method;
    int rank;
};

static const struct method_entry forward[CUDNN_CONVOLUTION_FWD_ALGO_COUNT] = {
    {IMPLICIT_GEMM, 2}, {IMPLICIT_PRECOMP_GEMM, 0}, {EXPLICIT_GEMM, 4},
    {NOT_PROVIDED, 9}, {FFT, 6}, {FFT_TILING, 5}, {WINOGRAD, 1},
    {WINOGRAD_NONFUSED, 3}};
static const struct method_entry data[CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT] = {
    {IMPLICIT_ATOMIC, 2}, {IMPLICIT_PRECOMP_GEMM, 0}, {FFT, 5},
    {FFT_TILING, 4}, {WINOGRAD, 1}, {WINOGRAD_NONFUSED, 3}};
static const struct method_entry
    filter[CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT] = {
        {IMPLICIT_ATOMIC, 2}, {IMPLICIT_PRECOMP_GEMM, 0}, {FFT, 5},
        {EXPLICIT_GEMM, 3}, {NOT_PROVIDED, 9}, {WINOGRAD_NONFUSED, 1},
        {FFT_TILING, 4}};

/* The algorithms of each direction. */
static const struct method_entry *method_entry(enum dnn_direction direction)
{
    return direction == DNN_FORWARD ? forward
           : direction == DNN_BACKWARD_DATA ? data : filter;
}

int dnn_algorithm_count(enum dnn_direction direction)
{
    return direction == DNN_FORWARD ? CUDNN_CONVOLUTION_FWD_ALGO_COUNT
           : direction == DNN_BACKWARD_DATA
               ? CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT
               : CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT;
}

/* Two dimensions, no stride, no dilation, no groups. */
static bool is_plain_2d(const struct dnn_conv_shape *s)
{
    return s->desc.dims == 2 && s->desc.groups == 1 && s->desc.stride[0] == 1
           && s->desc.stride[1] == 1 && s->desc.dilation[0] == 1
           && s->desc.dilation[1] == 1;
}

/* Shapes that a method supports, according to NVIDIA's documentation. */
static bool is_supported(const struct dnn_conv_shape *s,
                         enum method method)
{
    const int r = s->w.size[2], c = s->w.size[3];
    const int *pad = s->desc.pad;

    switch (method) {
    case NOT_PROVIDED:
        return false;
    case WINOGRAD:
        return is_plain_2d(s) && r == 3 && c == 3;
    case WINOGRAD_NONFUSED:
        return is_plain_2d(s) && r == c && (r == 3 || r == 5);
    case FFT:
        return is_plain_2d(s) && r > pad[0] && c > pad[1]
               && s->x.size[2] + 2 * pad[0] <= 256
               && s->x.size[3] + 2 * pad[1] <= 256;
    case FFT_TILING:
        return is_plain_2d(s) && r > pad[0] && c > pad[1] && r <= 32 && c <= 32;
    default:
        return true;
    }
}

/* Elements of the im2col matrix of one image. */
static double im2col_elements(const struct dnn_conv_shape *s)
{
    return dnn_macs(s) / s->w.size[0] / s->y.size[0] * s->desc.groups;
}

/* Elements of a Winograd input tile: 4 x 4 for 2 x 2 outputs of 3 x 3 filters.
 */
static double winograd_tile_elements(const struct dnn_conv_shape *s)
{
    return (s->w.size[2] + 1.0) * (s->w.size[3] + 1.0);
}

/* Elements of all transformed tiles and filters. */
static double winograd_elements(const struct dnn_conv_shape *s)
{
    const double c = s->x.size[1], k = s->y.size[1];
    const double tile_count = (double)s->y.size[0] * ((s->y.size[2] + 1) / 2)
                          * ((s->y.size[3] + 1) / 2);

    return winograd_tile_elements(s) * (tile_count * (c + k) + c * k);
}

/* Number of planes (or tiles) of x, filters and y, and elements of each. */
static double fft_planes(const struct dnn_conv_shape *s,
                         enum method method, double *elements)
{
    const double n = s->x.size[0], c = s->x.size[1], k = s->y.size[1];
    const double h = s->x.size[2] + 2 * s->desc.pad[0];
    const double w = s->x.size[3] + 2 * s->desc.pad[1];
    double count = 1;

    *elements = method == FFT ? h * w : 32 * 32;
    if (method == FFT_TILING)
        count = ceil(h / (33 - s->w.size[2])) * ceil(w / (33 - s->w.size[3]));
    return n * count * (c + k) + c * k;
}

/* Bytes of the table of a precomputed implicit GEMM: an offset for each term of
 * its sums.  Those run over C R S, K R S or the pixels of y. */
static double offset_bytes(const struct dnn_conv_shape *s)
{
    double terms = (double)dnn_count(&s->w);

    if (s->direction == DNN_FORWARD)
        terms /= s->w.size[0];
    else if (s->direction == DNN_BACKWARD_DATA)
        terms /= s->w.size[1];
    else
        terms = (double)dnn_count(&s->y) / s->y.size[0] / s->y.size[1];
    return 8 * terms;
}

/** Cost of a method. */
struct cost {
    double macs, dram_bytes, workspace_bytes;
    double efficiency; /* fraction of the GPU's peak rate that it reaches */
};

/* Operations, bytes, workspace and efficiency from which a time is modeled. */
static struct cost cost(const struct dnn_conv_shape *s,
                        enum method method)
{
    const double all = (double)dnn_bytes(s->x.type)
                       * (double)(dnn_count(&s->x) + dnn_count(&s->w)
                                  + dnn_count(&s->y));
    struct cost n = {dnn_macs(s), all, 0, 0.35};
    double count, elements;

    switch (method) {
    case IMPLICIT_PRECOMP_GEMM:
        n.workspace_bytes = offset_bytes(s);
        n.efficiency = 0.6;
        break;
    case EXPLICIT_GEMM:
        n.workspace_bytes = 4 * im2col_elements(s);
        n.dram_bytes += 8 * im2col_elements(s) * s->y.size[0];
        n.efficiency = 0.75;
        break;
    case IMPLICIT_ATOMIC:
        n.dram_bytes += all;
        break;
    case WINOGRAD:
        n.macs /= 2.25;
        n.workspace_bytes = 64.0 * s->x.size[1] * s->y.size[1];
        n.dram_bytes += 2 * n.workspace_bytes;
        break;
    case WINOGRAD_NONFUSED:
        n.macs *=
            winograd_tile_elements(s) / (4.0 * s->w.size[2] * s->w.size[3]);
        n.workspace_bytes = 4 * winograd_elements(s);
        n.dram_bytes += 2 * n.workspace_bytes;
        n.efficiency = 0.7;
        break;
    case FFT:
    case FFT_TILING:
        count = fft_planes(s, method, &elements);
        n.macs = 2 * elements * (count * log2(elements)
                                 + count * s->x.size[1] * s->y.size[1]
                                       / (s->x.size[1] + s->y.size[1]));
        /* by symmetry half of the complex spectrum */
        n.workspace_bytes = 4 * count * elements;
        n.dram_bytes += 2 * n.workspace_bytes;
        break;
    default:
        break;
    }
    return n;
}

/* Milliseconds: the longer of arithmetic and memory time, plus the launches. */
static double modeled_ms(const struct cost *n, enum method method)
{
    const struct softgpu_card *card = softgpu_card();
    const double rate = (double)card->sms * card->fp32_lanes
                        * (double)card->clock_khz * n->efficiency; /* per ms */
    const double memory_ms = n->dram_bytes / (card->dram_gbs * 1e6);
    const double launches = method >= WINOGRAD_NONFUSED ? 4
                            : method == IMPLICIT_GEMM   ? 1
                                                        : 2;

    return launches * card->launch_ns * 1e-6
           + (n->macs / rate > memory_ms ? n->macs / rate : memory_ms);
}

/* On a GPU, results accumulated with atomics differ from run to run. */
static bool is_deterministic(const struct dnn_conv_shape *s,
                             enum method method)
{
    return method != IMPLICIT_ATOMIC
           && (method != EXPLICIT_GEMM || s->direction != DNN_BACKWARD_FILTER);
}

struct dnn_algorithm dnn_algorithm(const struct dnn_conv_shape *shape,
                                   int algo)
{
    struct dnn_algorithm algorithm = {.algo = algo};
    enum method method;
    struct cost n;

    if (algo < 0 || algo >= dnn_algorithm_count(shape->direction))
        return algorithm;
    method = method_entry(shape->direction)[algo].method;
    algorithm.rank = method_entry(shape->direction)[algo].rank;
    algorithm.is_deterministic = is_deterministic(shape, method);
    algorithm.is_supported = is_supported(shape, method);
    if (!algorithm.is_supported)
        return algorithm;
    n = cost(shape, method);
    algorithm.workspace_bytes = (size_t)n.workspace_bytes;
    algorithm.operations = 2 * n.macs;
    algorithm.dram_bytes = n.dram_bytes;
    algorithm.time_ms = (float)modeled_ms(&n, method);
    return algorithm;
}
