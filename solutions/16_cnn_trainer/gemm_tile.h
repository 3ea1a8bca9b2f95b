/* SPDX-License-Identifier: MIT */
/** @file
 *  The matrix multiplication of step 2, which all layers with weights use:
 *
 *      c[m][n] = sum over k of a[row(m) + term(k).a] * b[term(k).b + n]
 *
 *  A row m or a term k is a position, a tap or an image; the problem says which
 *  by its functions row_offset() and term_offsets().  So the matrix A is never
 *  stored: its elements are gathered.  Rows of B are consecutive in memory, and
 *  aligned to 16 bytes.
 *
 *  A block of 128 threads owns M x N elements of C, a thread 4 x 4.  If that
 *  are fewer than 128 threads, the terms of a tile are divided among SLICES
 *  groups of threads, and the block adds their sums (sliced K).
 */
#ifndef CNN_TRAINER_GEMM_TILE_H
#define CNN_TRAINER_GEMM_TILE_H

#include <cuda_pipeline.h>

#include "grid.h"

enum {
    BLOCK_THREADS = 128, /**< threads of a block */
    SIDE = 4,            /**< rows and columns of C that a thread owns */
    TILE_PAD = 4 /**< floats after a row in shared memory: rows stay aligned to
                      16 bytes, and columns are stored without conflicts */
};

/** How the threads gather a tile of A: which of its elements are consecutive in
 *  global memory. */
enum gather {
    ALONG_ROWS,   /**< consecutive lanes load consecutive rows of a term */
    ALONG_TERMS,  /**< 8 lanes load 8 consecutive terms of a row: a sector */
    FLOAT4_TERMS  /**< a lane loads 4 consecutive terms of a row: 16 bytes */
};

/** Offsets of a term, in floats. */
struct term {
    unsigned a; /**< added to the offset of a row of A */
    unsigned b; /**< of a row of B */
};

/** The offset of a row of A whose elements are all 1. */
#define ROW_OF_ONES 0xffffffffu

/** The operands of a multiplication. */
struct operands {
    const float *a, *b;         /**< first elements */
    int columns;                /**< allocated columns of B: a multiple of 4 */
    int first_row, first_column; /**< of C, of this block */
    int begin, end;             /**< the terms to be added */
    bool ones;                  /**< a row of this block is ROW_OF_ONES */
};

/** Floats of a tile of A that a thread loads: fewer if the tiles have few rows
 *  or many columns for their terms, so that a multiprocessor has room for more
 *  blocks. */
template <int M, int N> struct load_size {
    enum { A_FLOATS = M > 16 && M > N ? 16 : 8 };
};

/** The shared memory of a block: two buffers for each tile, and for the offsets
 *  of its terms. */
template <int M, int N> struct gemm_tile {
    enum {
        TERMS = load_size<M, N>::A_FLOATS * BLOCK_THREADS / M, /**< of a tile */
        GROUP = M * N / (SIDE * SIDE),        /**< threads of a slice */
        SLICES = BLOCK_THREADS / GROUP,
        FLOAT4S = M * N / 4 /**< float4 of the tile of C */
    };
    float a[2][TERMS][M + TILE_PAD]; /**< transposed */
    float b[2][TERMS][N];
    struct term term[2][TERMS];
};

/** Which elements of a tile of A a thread loads: COUNT times WIDTH floats; the
 *  i-th of row `row` + i % ROWS * ROW_STEP and of term `term` + i / ROWS *
 *  TERM_STEP. */
template <int M, int N, enum gather HOW> struct gather_map {
    enum {
        A_FLOATS = load_size<M, N>::A_FLOATS,
        WIDTH = HOW == FLOAT4_TERMS ? 4 : 1,
        COUNT = A_FLOATS / WIDTH,
        LANES_DOWN = HOW == ALONG_ROWS    ? 128
                     : HOW == ALONG_TERMS ? 16
                                          : 64, /**< rows of all threads */
        ROW_STEP = M < LANES_DOWN ? M : LANES_DOWN,
        ROWS = M / ROW_STEP,
        TERM_STEP = HOW == ALONG_ROWS ? 1 : 8 * LANES_DOWN / ROW_STEP
    };
    int row;  /**< in the tile */
    int term; /**< in the tile */
};

/** The elements of this thread. */
template <int M, int N, enum gather HOW>
__device__ static inline struct gather_map<M, N, HOW> gather_map_of_thread(void)
{
    typedef struct gather_map<M, N, HOW> map;
    const int t = threadIdx.x;

    if (HOW == ALONG_ROWS)
        return {t % map::ROW_STEP,
                t / map::ROW_STEP * (map::A_FLOATS / map::ROWS)};
    if (HOW == ALONG_TERMS) return {t / 8 % map::ROW_STEP, t % 8};
    return {t / 2 % map::ROW_STEP, t / 2 / map::ROW_STEP * 8 + t % 2 * 4};
}

/** The threads of the block compute the offsets of the terms from `first` on;
 *  those from x.end on get 0. */
template <int M, int N, typename Problem>
__device__ static inline void
compute_terms(struct gemm_tile<M, N> &s_tile, int stage, const Problem &p,
              const struct operands &x, int first)
{
    const int t = threadIdx.x;
    struct term term = {0, 0};

    if (t >= gemm_tile<M, N>::TERMS) return;
    if (first + t < x.end) term = term_offsets(p, first + t);
    s_tile.term[stage][t] = term;
}

/** Load this thread's elements of A, 0 from term `left` on, and start to copy
 *  its part of B (cp.async).
 *  @tparam WHOLE  all terms and columns of the tile exist, and no row is
 *                 ROW_OF_ONES: nothing is checked */
template <int M, int N, enum gather HOW, bool WHOLE, int A_FLOATS>
__device__ static __forceinline__ void
load_elements(float (&a_regs)[A_FLOATS],
              struct gemm_tile<M, N> &s_tile, int stage,
              const struct operands &x,
              const unsigned (&row)[gather_map<M, N, HOW>::ROWS], int left)
{
    typedef struct gather_map<M, N, HOW> map;
    const int first = gather_map_of_thread<M, N, HOW>().term;

#pragma unroll
    for (int i = 0; i < map::COUNT; i++) {
        const int k = first + i / map::ROWS * map::TERM_STEP;
        const unsigned own = row[i % map::ROWS];
        const unsigned at = own + s_tile.term[stage][k].a;
        if (HOW == FLOAT4_TERMS) {
            float4 q = make_float4(0, 0, 0, 0);
            if (WHOLE || k < left) q = *(const float4 *)(x.a + at);
            a_regs[i * map::WIDTH] = q.x;
            a_regs[i * map::WIDTH + 1 % map::WIDTH] = q.y;
            a_regs[i * map::WIDTH + 2 % map::WIDTH] = q.z;
            a_regs[i * map::WIDTH + 3 % map::WIDTH] = q.w;
        } else if (!WHOLE && own == ROW_OF_ONES)
            a_regs[i] = 1;
        else
            a_regs[i] = WHOLE || k < left ? x.a[at] : 0;
    }
    for (int e = threadIdx.x; e < gemm_tile<M, N>::TERMS * N / 4;
         e += BLOCK_THREADS) {
        const int k = e / (N / 4), n = e % (N / 4) * 4;
        float *const to = &s_tile.b[stage][k][n];
        if (WHOLE || (k < left && x.first_column + n < x.columns))
            __pipeline_memcpy_async(
                to, x.b + s_tile.term[stage][k].b + x.first_column + n,
                sizeof(float4));
        else
            *(float4 *)to = make_float4(0, 0, 0, 0);
    }
    __pipeline_commit();
}

/** Load a tile.  Most of them are whole; the condition is the same for all
 *  threads of a block. */
template <int M, int N, enum gather HOW, int A_FLOATS>
__device__ static __forceinline__ void
load_tile(float (&a_regs)[A_FLOATS],
          struct gemm_tile<M, N> &s_tile, int stage,
          const struct operands &x,
          const unsigned (&row)[gather_map<M, N, HOW>::ROWS], int left)
{
    if (left >= gemm_tile<M, N>::TERMS && x.first_column + N <= x.columns
        && !x.ones)
        load_elements<M, N, HOW, true>(a_regs, s_tile, stage, x, row, left);
    else
        load_elements<M, N, HOW, false>(a_regs, s_tile, stage, x, row, left);
}

/** Store this thread's elements of A, and wait for its copies of B. */
template <int M, int N, enum gather HOW, int A_FLOATS>
__device__ static __forceinline__ void
store_tile(struct gemm_tile<M, N> &s_tile, int stage,
           const float (&a_regs)[A_FLOATS])
{
    typedef struct gather_map<M, N, HOW> map;
    const map own = gather_map_of_thread<M, N, HOW>();

#pragma unroll
    for (int i = 0; i < map::A_FLOATS; i++) {
        const int load = i / map::WIDTH, j = i % map::WIDTH;
        s_tile.a[stage][own.term + load / map::ROWS * map::TERM_STEP + j]
                [own.row + load % map::ROWS * map::ROW_STEP] = a_regs[i];
    }
    __pipeline_wait_prior(0);
}

/** sum += a b' for one term: 2 loads of 16 bytes for 16 multiply-adds. */
template <int M, int N>
__device__ static __forceinline__ void
multiply_term(float (&sum)[SIDE][SIDE], const struct gemm_tile<M, N> &s_tile,
              int stage, int k, int row, int column)
{
    const float4 a = *(const float4 *)&s_tile.a[stage][k][row];
    const float4 b = *(const float4 *)&s_tile.b[stage][k][column];
    const float left[SIDE] = {a.x, a.y, a.z, a.w},
                right[SIDE] = {b.x, b.y, b.z, b.w};

#pragma unroll
    for (int i = 0; i < SIDE; i++)
#pragma unroll
        for (int j = 0; j < SIDE; j++)
            sum[i][j] += left[i] * right[j];
}

/** A thread's place in the tile of C. */
struct thread_place {
    int slice;       /**< the terms that it adds: every SLICES-th */
    int row, column; /**< its first element */
};

template <int M, int N>
__device__ static inline struct thread_place place_of_thread(void)
{
    enum { GROUP = gemm_tile<M, N>::GROUP };
    const int own = threadIdx.x % GROUP;

    return {(int)threadIdx.x / GROUP, own / (N / SIDE) * SIDE,
            own % (N / SIDE) * SIDE};
}

/** Multiply a tile of `left` terms; most tiles are complete, and their loop is
 *  unrolled. */
template <int M, int N>
__device__ static __forceinline__ void
multiply_tile(float (&sum)[SIDE][SIDE], const struct gemm_tile<M, N> &s_tile,
              int stage, int left)
{
    typedef struct gemm_tile<M, N> tile;
    const struct thread_place own = place_of_thread<M, N>();

    if (left >= tile::TERMS) {
#pragma unroll
        for (int k = 0; k < tile::TERMS; k += tile::SLICES)
            multiply_term(sum, s_tile, stage, k + own.slice, own.row,
                          own.column);
        return;
    }
    for (int k = 0; k < left; k += tile::SLICES)
        multiply_term(sum, s_tile, stage, k + own.slice, own.row, own.column);
}

/** Add the products of x.begin to x.end to a thread's sums, those of its slice.
 *
 *  While a tile is multiplied, the next one of B is copied asynchronously, the
 *  next one of A waits in registers, and the offsets of the one after it are
 *  computed.  The barrier separates all of these stores from the loads of the
 *  next iteration, and its stores from the loads of this one. */
template <enum gather HOW, int M, int N, typename Problem>
__device__ static __forceinline__ void
gemm_accumulate(float (&sum)[SIDE][SIDE], struct gemm_tile<M, N> &s_tile,
                const Problem &p, const struct operands &x)
{
    typedef struct gather_map<M, N, HOW> map;
    enum { TERMS = gemm_tile<M, N>::TERMS };
    const map own = gather_map_of_thread<M, N, HOW>();
    unsigned row[map::ROWS];
    float a_regs[map::A_FLOATS];

#pragma unroll
    for (int i = 0; i < map::ROWS; i++)
        row[i] = row_offset(p, x.first_row + own.row + i * map::ROW_STEP);
    compute_terms(s_tile, 0, p, x, x.begin);
    compute_terms(s_tile, 1, p, x, x.begin + TERMS);
    __syncthreads(); /* the offsets are stored */
    load_tile<M, N, HOW>(a_regs, s_tile, 0, x, row, x.end - x.begin);
    store_tile<M, N, HOW>(s_tile, 0, a_regs);
    __syncthreads(); /* the first tile is stored, its offsets are loaded */
    for (int k = x.begin, stage = 0; k < x.end; k += TERMS, stage ^= 1) {
        const bool more = k + TERMS < x.end;
        if (more)
            load_tile<M, N, HOW>(a_regs, s_tile, stage ^ 1, x, row,
                                 x.end - k - TERMS);
        multiply_tile(sum, s_tile, stage, x.end - k);
        if (more) {
            compute_terms(s_tile, stage, p, x, k + 2 * TERMS);
            store_tile<M, N, HOW>(s_tile, stage ^ 1, a_regs);
        }
        __syncthreads();
    }
}

/** Add the sums of all slices, in their order.  The sums pass through the
 *  shared memory of the tiles, in which float4 i of the tile of C is left as
 *  element i, for all threads. */
template <int M, int N>
__device__ static __forceinline__ const float4 *
reduce_slices(const float (&sum)[SIDE][SIDE], struct gemm_tile<M, N> &s_tile)
{
    typedef struct gemm_tile<M, N> tile;
    const struct thread_place own = place_of_thread<M, N>();
    float4 *const s_sum = (float4 *)&s_tile.a[0][0][0];

#pragma unroll
    for (int i = 0; i < SIDE; i++)
        s_sum[own.slice * tile::FLOAT4S
              + ((own.row + i) * N + own.column) / 4] =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
    __syncthreads(); /* all slices are stored */
    for (int i = threadIdx.x; i < tile::FLOAT4S; i += BLOCK_THREADS) {
        float4 all = s_sum[i];
#pragma unroll
        for (int s = 1; s < tile::SLICES; s++) {
            const float4 q = s_sum[s * tile::FLOAT4S + i];
            all.x += q.x, all.y += q.y, all.z += q.z, all.w += q.w;
        }
        s_sum[i] = all;
    }
    __syncthreads(); /* the sums are complete */
    return s_sum;
}

#endif
