/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Fast product, step 5: the next tiles are on their way while these are used:
 *  two buffers, one barrier a tile, and a smaller tile for a smaller C.
 *
 *  What to expect of 128 x 128 on sm_90, worked out, not measured.  A tile of 8
 *  terms takes a warp 1,024 multiply-adds, 48 loads from shared memory and 70
 *  other instructions (counted in what ptxas made); an SM issues four a clock,
 *  as many as it multiplies: at most 1,024 / 1,142 = 90 % of its peak.  Shared
 *  memory is busy for 4 * 48 of those 286 clocks, 67 %; L2 gives 8 KB in the
 *  1,142 clocks of a block's four warps, an eighth of its 64 bytes a clock.  Two
 *  blocks an SM (registers) leave the next tile 2,284 clocks to arrive, where
 *  memory takes 700: more buffers would gain nothing, and so would another
 *  order of blocks, as a 4096^3 product reads 0.3 GB in its 2 ms.
 */
#include <cuda_pipeline.h>

#include "warp.h"
// END SOLUTION
#include "product.h"

// BEGIN SOLUTION
/** Begin to copy four elements into shared memory; 0 outside of the matrix. */
__device__ static inline void copy_quad(float *to, const struct matrix *x,
                                        unsigned row, unsigned col)
{
    const float *from = &x->first[(size_t)row * x->cols + col];

    if (x->wide && row < x->rows && col < x->cols) {
        __pipeline_memcpy_async(to, from, sizeof(float4));
        return;
    }
    for (int j = 0; j < 4; j++)
        if (row < x->rows && col + j < x->cols)
            __pipeline_memcpy_async(to + j, from + j, sizeof(float));
        else
            to[j] = 0;
}

/** Bring the quads of two tiles that are this thread's, from term `at` on:
 *  those of A into registers, 64 rows apart; those of B are copied to s_b,
 *  which takes a while.  `inside`: rows and columns need no test.
 */
template <int Y, int WIDTH>
__device__ static __forceinline__ void fetch(float4 (&held)[Y],
                                             float (*s_b)[WIDTH],
                                             const struct product *p,
                                             struct place tile, unsigned at,
                                             bool inside)
{
    enum { QUADS = WIDTH / 4, ROWS = THREADS / QUADS /* of B, a turn */ };
    const unsigned t = threadIdx.x, y = t / QUADS, x = t % QUADS * 4;
    const unsigned row = tile.y + t / 2, col = at + t % 2 * 4;

    if (inside && at + DEEP <= p->a.cols) {
        const float *a = p->a.first + (size_t)row * p->a.cols + col;
        const float *b = p->b.first + (size_t)(at + y) * p->b.cols + tile.x + x;
#pragma unroll
        for (int i = 0; i < Y; i++)
            held[i] = *(const float4 *)(a + (size_t)64 * i * p->a.cols);
#pragma unroll
        for (int i = 0; i < DEEP / ROWS; i++)
            __pipeline_memcpy_async(&s_b[y + ROWS * i][x],
                                    b + (size_t)ROWS * i * p->b.cols,
                                    sizeof(float4));
    } else {
        for (int i = 0; i < Y; i++)
            held[i] = quad(&p->a, row + 64 * i, col);
        for (int i = 0; i < DEEP / ROWS; i++)
            copy_quad(&s_b[y + ROWS * i][x], &p->b, at + y + ROWS * i,
                      tile.x + x);
    }
    __pipeline_commit();
}

/** Turn A's quads into their tile, and wait for all copies. */
template <int Y, int LONG>
__device__ static __forceinline__ void land(float (*s_a)[LONG],
                                            const float4 (&held)[Y])
{
#pragma unroll
    for (int i = 0; i < Y; i++)
        put_turned(s_a, threadIdx.x / 2 + 64 * i, threadIdx.x % 2 * 4,
                   held[i]);
    __pipeline_wait_prior(0);
    __syncthreads();
}

/** A thread owns Y quads of rows and X quads of columns, a block 64 Y by 32 X
 *  elements of C.
 *
 *  Block 128; two buffers for each tile.  While a tile is used, B's next one is
 *  copied behind the threads' backs (cp.async; below sm_80 the same calls copy
 *  at once), and A's waits in registers, as a copy cannot turn it.  Operands,
 *  too, are read one term ahead.  `land`'s barrier before a tile's last
 *  term separates writing the next tiles from reading them, and, as everybody has
 *  read the last term by then, reading these from writing them again.
 */
template <int Y, int X>
__global__ void __launch_bounds__(THREADS, 2) multiply(const struct product p)
{
    enum { HEIGHT = 64 * Y, WIDTH = 32 * X, LONG = HEIGHT + PAD };
    __shared__ __align__(16) float s_a[2][DEEP][LONG], s_b[2][DEEP][WIDTH];
    const struct place tile = {first_row(HEIGHT), blockIdx.x * WIDTH};
    const struct place own = place_in_tile(HEIGHT / 2, WIDTH / 2);
    const bool inside = p.a.wide && p.b.wide && tile.y + HEIGHT <= p.a.rows
                        && tile.x + WIDTH <= p.b.cols;
    float sum[4 * Y][4 * X] = {{0}}, left[2][4 * Y], right[2][4 * X];
    float4 held[Y];

    fetch(held, s_b[0], &p, tile, 0, inside);
    land(s_a[0], held);
    read_quads(left[0], &s_a[0][0][own.y], GAP_Y);
    read_quads(right[0], &s_b[0][0][own.x], GAP_X);
    for (unsigned at = 0, now = 0; at < p.a.cols; at += DEEP, now ^= 1) {
        const float *a = &s_a[now][0][own.y], *b = &s_b[now][0][own.x];
        const bool more = at + DEEP < p.a.cols;
        if (more) fetch(held, s_b[now ^ 1], &p, tile, at + DEEP, inside);
#pragma unroll
        for (int d = 0; d < DEEP; d += 2) {
            read_quads(left[1], a + (d + 1) * LONG, GAP_Y);
            read_quads(right[1], b + (d + 1) * WIDTH, GAP_X);
            multiply_add(sum, left[0], right[0]);
            if (d + 2 < DEEP) {
                read_quads(left[0], a + (d + 2) * LONG, GAP_Y);
                read_quads(right[0], b + (d + 2) * WIDTH, GAP_X);
            } else if (more) {
                land(s_a[now ^ 1], held);
                read_quads(left[0], &s_a[now ^ 1][0][own.y], GAP_Y);
                read_quads(right[0], &s_b[now ^ 1][0][own.x], GAP_X);
            }
            multiply_add(sum, left[1], right[1]);
        }
    }
    store_quads(&p, tile.y + own.y, tile.x + own.x, sum, GAP_Y, GAP_X);
}
// HANDOUT
// /** A block computes TILE by TILE elements of C, a thread EACH of them: a
//  *  first choice, to be changed. */
// enum { TILE = 64, DEEP = 8, EACH = 8, THREADS = TILE * TILE / EACH };
//
// /** One block a tile of C. */
// __global__ void __launch_bounds__(THREADS) multiply(const struct product p)
// {
//     /* Tiles: __shared__ float s_a[TILE][DEEP], s_b[DEEP][TILE]; */
//     /* TODO 1: which elements of C are this thread's? A sum for each, in
//      * registers: an array whose indices are all known once loops unroll */
//     /* TODO 2: fill both tiles; outside of the matrices `element` gives 0 */
//     /* TODO 3: for each of the DEEP terms: what of s_a and s_b does the thread
//      * need? Read it once, use it for all its sums */
//     /* TODO 4: store the sums */
// }
// END SOLUTION

static cudaError_t launch(const struct product *p)
{
// BEGIN SOLUTION
    int device = 0, sms = 1;
    cudaError_t err = CUDA_CHECK(cudaGetDevice(&device));

    if (!err)
        err = CUDA_CHECK(cudaDeviceGetAttribute(
            &sms, cudaDevAttrMultiProcessorCount, device));
    if (err) return err;
    const dim3 large = grid_over(p, 128, 128);
    if ((size_t)large.x * large.y * large.z >= (size_t)sms)
        multiply<2, 4><<<large, THREADS>>>(*p);
    else /* four times as many blocks: no SM is left without */
        multiply<1, 2><<<grid_over(p, 64, 64), THREADS>>>(*p);
    return cudaSuccess;
// HANDOUT
//     /* TODO 5: a block for each tile: grid_over(p, TILE, TILE); launch */
//     return cudaErrorNotSupported;
// END SOLUTION
}
