/* SPDX-License-Identifier: MIT */
/** @file
 *  The tiles of the later steps of the GEMM ladder: 128 x 128 elements of C per
 *  block, A's tile kept transposed in shared memory so that both tiles are
 *  read along their rows, four floats at a time.
 */
#ifndef SOFTGPU_LADDER_GEMM_TILES_H
#define SOFTGPU_LADDER_GEMM_TILES_H

#include "ladder.h"

enum { DEPTH = 16 /* of the warp tiles */ };

/** sums += left * right, the outer product, all in registers. */
template <int M, int N>
__device__ void accumulate_outer_product(float (&sums)[M][N],
                                         const float (&left)[M],
                                         const float (&right)[N])
{
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int j = 0; j < N; j++)
            sums[i][j] += left[i] * right[j];
}

/** Read COUNT floats, four at a time. */
template <int COUNT> __device__ void read_row(float *to, const float *from)
{
#pragma unroll
    for (int i = 0; i < COUNT; i += 4) {
        const float4 v = *(const float4 *)(from + i);
        to[i] = v.x;
        to[i + 1] = v.y;
        to[i + 2] = v.z;
        to[i + 3] = v.w;
    }
}

/** Write a row of C, four floats at a time. */
template <int COUNT> __device__ void write_row(float *to, const float *from)
{
#pragma unroll
    for (int i = 0; i < COUNT; i += 4)
        *(float4 *)(to + i) =
            make_float4(from[i], from[i + 1], from[i + 2], from[i + 3]);
}

/** 128 rows of A, DEEP columns of each, into shared memory, transposed.
 *  @param a  the first element of the tile */
template <int DEEP, int THREADS>
__device__ void load_a(float (*s_a)[128], const float *a, int n)
{
    const int t = threadIdx.x, column = t % (DEEP / 4) * 4;
#pragma unroll
    for (int row = t / (DEEP / 4); row < 128; row += THREADS / (DEEP / 4)) {
        const float4 v = *(const float4 *)(a + row * n + column);
        s_a[column][row] = v.x;
        s_a[column + 1][row] = v.y;
        s_a[column + 2][row] = v.z;
        s_a[column + 3][row] = v.w;
    }
}

/** DEEP rows of B, 128 columns of each, into shared memory. */
template <int DEEP, int THREADS, int PAD>
__device__ void load_b(float (*s_b)[128 + PAD], const float *b, int n)
{
    const int t = threadIdx.x, column = t % 32 * 4;
#pragma unroll
    for (int row = t / 32; row < DEEP; row += THREADS / 32) {
        const float4 v = *(const float4 *)(b + row * n + column);
        float *to = &s_b[row][column];
        if (PAD == 0) {
            *(float4 *)to = v;
        } else {
            to[0] = v.x;
            to[1] = v.y;
            to[2] = v.z;
            to[3] = v.w;
        }
    }
}

/** 256 threads, 8 x 8 elements each.  With PAD, rows of B are not aligned and
 *  are read one float at a time. */
template <int DEEP, int PAD>
__device__ void vector_tile(const float *a, const float *b, float *c, int n,
                            int deep)
{
    __shared__ float s_a[DEEP][128];
    __shared__ float s_b[DEEP][128 + PAD];
    const int x = threadIdx.x % 16 * 8, y = threadIdx.x / 16 * 8;
    const int row = blockIdx.y * 128, column = blockIdx.x * 128;
    float sums[8][8] = {{0}};
    for (int at = 0; at < deep; at += DEEP) {
        load_a<DEEP, 256>(s_a, a + row * deep + at, deep);
        load_b<DEEP, 256, PAD>(s_b, b + at * n + column, n);
        __syncthreads(); /* the tiles are loaded */
#pragma unroll
        for (int k = 0; k < DEEP; k++) {
            float left[8], right[8];
            read_row<8>(left, &s_a[k][y]);
            if (PAD == 0)
                read_row<8>(right, &s_b[k][x]);
            for (int j = 0; PAD && j < 8; j++)
                right[j] = s_b[k][x + j];
            accumulate_outer_product<8, 8>(sums, left, right);
        }
        __syncthreads(); /* all threads have read them */
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        write_row<8>(c + (row + y + i) * n + column + x, sums[i]);
}

/** 128 threads in 2 x 2 warps; a thread owns 8 rows and four groups of four
 *  columns, 16 apart.  With two BUFFERS the next tile is loaded before this
 *  one is used, and one barrier per tile suffices. */
template <int BUFFERS>
__device__ void warp_tile(float (*s_a)[DEPTH][128], float (*s_b)[DEPTH][128],
                          const float *a, const float *b, float *c, int n,
                          int deep)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int y = warp / 2 * 64 + lane / 4 * 8;
    const int x = warp % 2 * 64 + lane % 4 * 4;
    const float *left_of = a + blockIdx.y * 128 * deep;
    const float *above = b + blockIdx.x * 128;
    float sums[8][16] = {{0}};
    load_a<DEPTH, 128>(s_a[0], left_of, deep);
    load_b<DEPTH, 128, 0>(s_b[0], above, n);
    for (int at = 0; at < deep; at += DEPTH) {
        const int now = at / DEPTH % BUFFERS, next = (now + 1) % BUFFERS;
        __syncthreads(); /* this tile is loaded, the last one has been read */
        if (BUFFERS == 2 && at + DEPTH < deep) {
            load_a<DEPTH, 128>(s_a[next], left_of + at + DEPTH, deep);
            load_b<DEPTH, 128, 0>(s_b[next], above + (at + DEPTH) * n, n);
        }
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            float left[8], right[16];
            read_row<8>(left, &s_a[now][k][y]);
#pragma unroll
            for (int group = 0; group < 4; group++)
                read_row<4>(right + group * 4, &s_b[now][k][x + group * 16]);
            accumulate_outer_product<8, 16>(sums, left, right);
        }
        if (BUFFERS == 1 && at + DEPTH < deep) {
            __syncthreads(); /* all threads have read it */
            load_a<DEPTH, 128>(s_a[0], left_of + at + DEPTH, deep);
            load_b<DEPTH, 128, 0>(s_b[0], above + (at + DEPTH) * n, n);
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int group = 0; group < 4; group++)
            write_row<4>(c + (blockIdx.y * 128 + y + i) * n + blockIdx.x * 128
                             + x + group * 16,
                         sums[i] + group * 4);
}

#endif
