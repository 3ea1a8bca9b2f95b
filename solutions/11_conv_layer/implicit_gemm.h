/* SPDX-License-Identifier: MIT */
/** @file
 *  Implicit GEMM: all sums of lab 11 are this matrix multiplication, without
 *  storing the im2col matrix.  Introduced in step 3, used in step 4.
 *
 *      y[i][k] = sum over t of x[x_offset(i) + term_offset(t)] * f[t][k]
 *
 *  i is an output (a pixel), t a term, k a filter.  The matrix of the x is not
 *  stored: only the offsets of its elements are computed, and a tile of it is
 *  gathered in shared memory.
 */
#ifndef CONV_LAYER_IMPLICIT_GEMM_H
#define CONV_LAYER_IMPLICIT_GEMM_H

#include <cuda_pipeline.h>

#include "host.h"

enum {
    GEMM_THREADS = 128,  /* threads per block */
    QUAD = 4,            /* filters, and consecutive outputs, of a thread */
    MAX_TERMS = 16,      /* terms of a tile, fewer for many outputs */
    FILTER_GROUP = 8,    /* packed filters are a multiple: whole sectors */
    TILE_PAD = 4 /* rows in shared memory stay aligned to 16 bytes */
};

/** The arguments of one launch.  Strides are in floats. */
struct implicit_gemm {
    int terms[3]; /**< number of terms: planes, rows, columns */
    /** strides of x from a plane, row, column of terms to the next */
    long long x_term_stride[3];
    int outputs[3]; /**< number of outputs: images, rows, columns */
    /** strides of x from an image, row, column of outputs to the next */
    long long x_output_stride[3];
    int filters; /**< number of filters */
    /** stride of y from an image to the next; a plane of outputs is dense */
    long long y_image_stride;
    long long y_filter_stride; /**< stride of y from a filter to the next */
    int batches;               /**< number of such sums in one launch */
    long long x_batch_stride;  /**< stride of x from a batch to the next */
    long long y_batch_stride;  /**< stride of y from a batch to the next */
    int planes; /**< planes of all batches: the last batch may have fewer */
    bool float4_stores; /**< see store_sums() */
};

/** Terms of a batch. */
__host__ __device__ static inline int term_count(const struct implicit_gemm &g)
{
    return g.terms[0] * g.terms[1] * g.terms[2];
}

/** Terms of this batch: the last one may have fewer planes. */
__device__ static inline int batch_term_count(const struct implicit_gemm &g,
                                              int batch)
{
    const int planes = min(g.terms[0], g.planes - batch * g.terms[0]);

    return planes * g.terms[1] * g.terms[2];
}

/** Filters of a row of packed filters; those past the end are 0. */
__host__ __device__ static inline int
padded_filters(const struct implicit_gemm &g)
{
    return (g.filters + FILTER_GROUP - 1) / FILTER_GROUP * FILTER_GROUP;
}

/** Floats of all packed filters: [batch][term][padded_filters]. */
static inline size_t packed_filter_floats(const struct implicit_gemm &g)
{
    return (size_t)g.batches * term_count(g) * padded_filters(g);
}

/** Offset of element i of a box of planes, rows and columns. */
__device__ static inline long long box_offset(const int (&size)[3],
                                              const long long (&stride)[3],
                                              int i)
{
    const int column = i % size[2], row = i / size[2] % size[1];
    const int plane = i / size[2] / size[1];

    return plane * stride[0] + row * stride[1] + column * stride[2];
}

/** Offset of output i of filter 0 in y. */
__device__ static inline long long y_offset(const struct implicit_gemm &g,
                                            int i)
{
    const int plane = g.outputs[1] * g.outputs[2];

    return i / plane * g.y_image_stride + i % plane;
}

/** The shared memory of a block with M outputs of N filters: two buffers for
 *  each tile, and for the offsets of its terms. */
template <int M, int N> struct gemm_tiles {
    enum {
        TERMS = M > GEMM_THREADS ? MAX_TERMS * GEMM_THREADS / M
                                 : (int)MAX_TERMS, /**< of a tile */
        EACH = TERMS * M / GEMM_THREADS, /**< inputs that a thread loads */
        OUTPUTS = M > GEMM_THREADS ? M / GEMM_THREADS : 1, /**< that a thread
                                                                loads */
        QUADS = M * N / GEMM_THREADS / (QUAD * QUAD) /**< of a thread's sums */
    };
    float x[2][TERMS][M + TILE_PAD];
    float f[2][TERMS][N];
    long long term[2][TERMS];
};

/** Addresses and counts for a thread's loads of a tile of M outputs. */
template <int M, int N> struct gather {
    const float *x[gemm_tiles<M, N>::OUTPUTS]; /**< of its outputs, a block of
                                                    threads apart */
    const float *f; /**< packed filters of the batch, from the block's on */
    int terms;      /**< of the batch */
    int stride;     /**< floats of a row of f */
    int filters;    /**< of that row, from the block's first on */
};

/** The offsets of the terms from t on, one per thread. */
template <int M, int N>
__device__ static inline void
compute_terms(struct gemm_tiles<M, N> &s, int stage,
              const struct implicit_gemm &g, int terms, int t)
{
    const int own = t + threadIdx.x;

    if (threadIdx.x < gemm_tiles<M, N>::TERMS)
        s.term[stage][threadIdx.x] =
            own < terms ? box_offset(g.terms, g.x_term_stride, own) : 0;
}

/** Load a thread's inputs of the tile from term t on into registers, 0 past the
 *  last term, and start to copy its float4 of the filters (cp.async).
 *
 *  A thread loads consecutive terms of its outputs.  Consecutive threads load
 *  consecutive outputs, which are consecutive in x for a stride of 1.
 */
template <int M, int N>
__device__ static __forceinline__ void
load_tile(struct gemm_tiles<M, N> &s, int stage,
          float (&x_regs)[gemm_tiles<M, N>::EACH],
          const struct gather<M, N> &from, int t)
{
    typedef struct gemm_tiles<M, N> tiles;
    enum { FLOAT4S = N / 4 };
    const int first = (int)threadIdx.x / M * tiles::EACH, left = from.terms - t;

#pragma unroll
    for (int i = 0; i < tiles::EACH; i++) {
        const int term = first + i / tiles::OUTPUTS;
        x_regs[i] = term < left
                        ? from.x[i % tiles::OUTPUTS][s.term[stage][term]]
                        : 0;
    }
#pragma unroll
    for (int i = threadIdx.x; i < tiles::TERMS * FLOAT4S; i += GEMM_THREADS) {
        const int row = i / FLOAT4S, column = i % FLOAT4S * 4;
        float *const to = &s.f[stage][row][column];
        if (row < left && column < from.filters)
            __pipeline_memcpy_async(
                to, from.f + (size_t)(t + row) * from.stride + column,
                sizeof(float4));
        else
            *(float4 *)to = make_float4(0, 0, 0, 0);
    }
    __pipeline_commit();
}

/** Store a thread's inputs to the tile, and wait for its copies. */
template <int M, int N>
__device__ static __forceinline__ void
store_tile(struct gemm_tiles<M, N> &s, int stage,
           const float (&x_regs)[gemm_tiles<M, N>::EACH])
{
    typedef struct gemm_tiles<M, N> tiles;
    const int first = (int)threadIdx.x / M * tiles::EACH;
    const int output = threadIdx.x % M;

#pragma unroll
    for (int i = 0; i < tiles::EACH; i++)
        s.x[stage][first + i / tiles::OUTPUTS]
           [output + i % tiles::OUTPUTS * GEMM_THREADS] = x_regs[i];
    __pipeline_wait_prior(0);
}

/** Multiply term t of a tile: a thread loads QUADS float4 of inputs and one of
 *  filters for QUADS * 16 products. */
template <int M, int N, int QUADS>
__device__ static __forceinline__ void
multiply_term(float (&sum)[QUADS][QUAD][QUAD], const struct gemm_tiles<M, N> &s,
              int stage, int t, int output, int filter)
{
    const float4 f = *(const float4 *)&s.f[stage][t][filter];
    const float right[QUAD] = {f.x, f.y, f.z, f.w};

#pragma unroll
    for (int q = 0; q < QUADS; q++) {
        const float4 x =
            *(const float4 *)&s.x[stage][t][output + q * (M / QUADS)];
        const float left[QUAD] = {x.x, x.y, x.z, x.w};
#pragma unroll
        for (int j = 0; j < QUAD; j++)
#pragma unroll
            for (int k = 0; k < QUAD; k++)
                sum[q][j][k] += left[j] * right[k];
    }
}

/** Multiply a tile of `left` terms; the loop over a complete one is unrolled.
 */
template <int M, int N, int QUADS>
__device__ static __forceinline__ void
multiply_tile(float (&sum)[QUADS][QUAD][QUAD], const struct gemm_tiles<M, N> &s,
              int stage, int left, int output, int filter)
{
    enum { TERMS = gemm_tiles<M, N>::TERMS };

    if (left >= TERMS) {
#pragma unroll
        for (int t = 0; t < TERMS; t++)
            multiply_term(sum, s, stage, t, output, filter);
        return;
    }
    for (int t = 0; t < left; t++)
        multiply_term(sum, s, stage, t, output, filter);
}

/** Store a thread's sums: of four outputs from `output` on, and of four filters
 *  from `filter` on.  With g.float4_stores four outputs are consecutive in y:
 *  __stwb() stores them whole, where nvcc would split an assignment, because
 *  the same elements are stored one by one below. */
__device__ static inline void store_sums(const struct implicit_gemm &g,
                                         const float (&sum)[QUAD][QUAD],
                                         float *y, int output, int filter)
{
    const int count = g.outputs[0] * g.outputs[1] * g.outputs[2];
    const int filters = min(g.filters - filter, (int)QUAD);

    if (output >= count) return;
    y += filter * g.y_filter_stride;
    if (g.float4_stores) {
        y += y_offset(g, output);
#pragma unroll
        for (int k = 0; k < QUAD; k++)
            if (k < filters)
                __stwb((float4 *)(y + k * g.y_filter_stride),
                       make_float4(sum[0][k], sum[1][k], sum[2][k],
                                   sum[3][k]));
        return;
    }
#pragma unroll
    for (int j = 0; j < QUAD; j++) {
        if (output + j >= count) continue;
        float *const to = y + y_offset(g, output + j);
#pragma unroll
        for (int k = 0; k < QUAD; k++)
            if (k < filters) to[k * g.y_filter_stride] = sum[j][k];
    }
}

/** A block owns M outputs of N filters, a thread four filters of QUADS times
 *  four outputs, M / QUADS apart.
 *
 *  Grid (outputs / M, filters / N, batches), block 128; two buffers for each
 *  tile.  Each input is gathered once per block, and each filter loaded once.
 *  While a tile is multiplied, the next one of f is copied asynchronously, the
 *  next one of x waits in registers, and the offsets of the one after it are
 *  computed.  The barrier in the loop separates these stores from the loads of
 *  the next iteration, and its stores from the loads of this one.  Threads past
 *  the last output compute it again.
 */
template <int M, int N>
__global__ void __launch_bounds__(GEMM_THREADS)
    implicit_gemm_kernel(const float *__restrict__ x,
                         const float *__restrict__ f, float *__restrict__ y,
                         struct implicit_gemm g)
{
    typedef struct gemm_tiles<M, N> tiles;
    enum { TERMS = tiles::TERMS, QUADS = tiles::QUADS, ACROSS = N / QUAD };
    __shared__ struct gemm_tiles<M, N> s_tiles;
    const int count = g.outputs[0] * g.outputs[1] * g.outputs[2];
    const int batch = blockIdx.z, first_filter = blockIdx.y * N;
    const int first = blockIdx.x * M, stride = padded_filters(g);
    const int output = (int)threadIdx.x / ACROSS * QUAD;
    const int filter = threadIdx.x % ACROSS * QUAD;
    const int terms = batch_term_count(g, batch);
    struct gather<M, N> from = {
        {}, f + (size_t)batch * term_count(g) * stride + first_filter, terms,
        stride, stride - first_filter};
    float sum[QUADS][QUAD][QUAD] = {}, x_regs[tiles::EACH];

#pragma unroll
    for (int i = 0; i < tiles::OUTPUTS; i++) {
        const int own = first + threadIdx.x % M + i * GEMM_THREADS;
        from.x[i] =
            x + batch * g.x_batch_stride
            + box_offset(g.outputs, g.x_output_stride, min(own, count - 1));
    }
    compute_terms(s_tiles, 0, g, terms, 0);
    compute_terms(s_tiles, 1, g, terms, TERMS);
    __syncthreads(); /* the offsets are stored */
    load_tile(s_tiles, 0, x_regs, from, 0);
    store_tile(s_tiles, 0, x_regs);
    __syncthreads(); /* the first tile is stored, its offsets are loaded */
    for (int t = 0, stage = 0; t < terms; t += TERMS, stage ^= 1) {
        const bool more = t + TERMS < terms;
        if (more) load_tile(s_tiles, stage ^ 1, x_regs, from, t + TERMS);
        multiply_tile(sum, s_tiles, stage, terms - t, output, filter);
        if (more) {
            compute_terms(s_tiles, stage, g, terms, t + 2 * TERMS);
            store_tile(s_tiles, stage ^ 1, x_regs);
        }
        __syncthreads();
    }
#pragma unroll
    for (int q = 0; q < QUADS; q++)
        store_sums(g, sum[q], y + batch * g.y_batch_stride,
                   first + output + q * (M / QUADS), first_filter + filter);
}

/** May four consecutive outputs be stored as a float4?  No float4 lies in two
 *  images, and all planes are aligned. */
static inline bool has_float4_outputs(const struct implicit_gemm &g)
{
    return g.outputs[1] * g.outputs[2] % 4 == 0 && g.y_image_stride % 4 == 0
           && g.y_filter_stride % 4 == 0 && g.y_batch_stride % 4 == 0;
}

/** Launch the kernel with tiles of M outputs of N filters. */
template <int M, int N>
static inline void launch_tiles(const struct implicit_gemm &g, const float *d_x,
                                const float *d_f, float *d_y)
{
    const size_t count = (size_t)g.outputs[0] * g.outputs[1] * g.outputs[2];
    const dim3 grid((unsigned)ceil_div(count, M),
                    (unsigned)ceil_div(g.filters, N), g.batches);

    implicit_gemm_kernel<M, N><<<grid, GEMM_THREADS>>>(d_x, d_f, d_y, g);
}

/** Launch the kernel: long and narrow tiles for few filters. */
static inline cudaError_t launch_implicit_gemm(struct implicit_gemm g,
                                               const float *d_x,
                                               const float *d_f, float *d_y)
{
    g.float4_stores = has_float4_outputs(g);
    if (g.filters <= 8)
        launch_tiles<256, 8>(g, d_x, d_f, d_y);
    else if (g.filters <= 16)
        launch_tiles<128, 16>(g, d_x, d_f, d_y);
    else if (g.filters <= 32)
        launch_tiles<64, 32>(g, d_x, d_f, d_y);
    else
        launch_tiles<64, 64>(g, d_x, d_f, d_y);
    return CUDA_CHECK(cudaGetLastError());
}

#endif
