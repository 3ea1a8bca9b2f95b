/* SPDX-License-Identifier: MIT */
/** @file
 *  The kernel of step 4, for cc 9.0: TMA brings the tiles, wgmma multiplies
 *  them where they lie.
 */
#ifndef TENSOR_WGMMA_H
#define TENSOR_WGMMA_H

#include "ptx.h"
#include "rows.h"

/** A block's tile of C, and a stage: A's box of 128 rows, B's four boxes of 64
 *  columns, all in rows of 128 bytes along which TMA and wgmma swizzle. */
struct tma {
    enum { M = 128, N = 256, K = 64, STAGES = 4, GROUPS = M / 64 };
    enum { GROUP = 128, THREADS = GROUP * (1 + GROUPS), WARPS = 4 * GROUPS };
    enum { ROW = 128, BOX = K * ROW, A_BYTES = M * ROW, BOXES = N / 64 };
    enum { STAGE = A_BYTES + BOXES * BOX, ALIGN = 1024 };
    enum { SHARED = STAGES * STAGE + ALIGN };
};

/** The stages and the barriers of each: full, the bytes are there; free, all
 *  warps that multiply are done with them. */
struct ring {
    unsigned char *s_stages;
    uint64_t *s_full, *s_free;
};

/** Tiles of C, turns along k for each. */
struct work {
    unsigned down, across;
    int turns;
};

/** How much there is to do. */
__device__ static inline struct work work_for(struct shape s)
{
    return {(unsigned)((s.m + tma::M - 1) / tma::M),
            (unsigned)((s.n + tma::N - 1) / tma::N),
            (s.k + tma::K - 1) / tma::K};
}

/** One thread keeps the ring full: as soon as a stage is free, it asks TMA for
 *  the next boxes, tile after tile. */
__device__ static inline void bring_boxes(struct ring r,
                                          const ptx_tensor_map *a,
                                          const ptx_tensor_map *b,
                                          struct work w)
{
    unsigned turn = 0;

    for (unsigned i = blockIdx.x; i < w.down * w.across; i += gridDim.x) {
        const struct place at = tile_at(i, w.down, w.across, tma::M, tma::N);
        for (int k = 0; k < w.turns; k++, turn++) {
            const unsigned stage = turn % tma::STAGES;
            unsigned char *s_a = r.s_stages + stage * tma::STAGE;
            ptx_barrier_wait(&r.s_free[stage], (turn / tma::STAGES & 1) ^ 1);
            ptx_barrier_expect(&r.s_full[stage], tma::STAGE);
            ptx_tensor_load(s_a, a, k * tma::K, at.row, &r.s_full[stage]);
            for (int j = 0; j < tma::BOXES; j++)
                ptx_tensor_load(s_a + tma::A_BYTES + j * tma::BOX, b,
                                at.column + j * PTX_BOX_COLUMNS, k * tma::K,
                                &r.s_full[stage]);
        }
    }
}

/** A warp has done with a stage: one arrival. */
__device__ static inline void release(struct ring r, unsigned turn)
{
    if (threadIdx.x % LANES == 0)
        ptx_barrier_arrive(&r.s_free[turn % tma::STAGES]);
}

/** A warpgroup's 64 x 256 sums of a tile, of stages turn, turn + 1, ...; the
 *  product of one stage runs while the next is waited for. */
template <typename T>
__device__ static inline void add_tile(float (&sum)[tma::N / 2], struct ring r,
                                       struct work w, unsigned turn)
{
    const unsigned group = threadIdx.x / tma::GROUP - 1;

    for (int k = 0; k < w.turns; k++, turn++) {
        const unsigned stage = turn % tma::STAGES;
        const unsigned char *s_a = r.s_stages + stage * tma::STAGE;
        const uint64_t a =
            ptx_wgmma_tile(s_a + group * 64 * tma::ROW, 16, 8 * tma::ROW);
        const uint64_t b =
            ptx_wgmma_tile(s_a + tma::A_BYTES, tma::BOX, 8 * tma::ROW);
        ptx_barrier_wait(&r.s_full[stage], turn / tma::STAGES & 1);
        ptx_wgmma_fence();
#pragma unroll
        for (int l = 0; l < tma::K / 16; l++) /* 32 bytes on, 16 rows on */
            ptx_wgmma<T, tma::N, true>(sum, a + l * (32 >> 4),
                                       b + l * (16 * tma::ROW >> 4),
                                       k > 0 || l > 0);
        ptx_wgmma_commit();
        ptx_wgmma_wait<1>();
        if (k > 0) release(r, turn - 1);
    }
    ptx_wgmma_wait<0>();
    release(r, turn - 1);
}

/** A warpgroup stores its sums. */
__device__ static inline void store_group(float *c, struct shape s,
                                          struct place at,
                                          const float *sum)
{
    const int lane = (int)threadIdx.x % LANES;
    const int warp = (int)threadIdx.x / LANES - tma::GROUP / LANES;
    const int row = at.row + 16 * warp + lane / 4;
    const int column = at.column + lane % 4 * 2;

#pragma unroll
    for (int j = 0; j < tma::N / 8; j++) {
        store_pair(c, s, row, column + 8 * j, sum + 4 * j);
        store_pair(c, s, row + 8, column + 8 * j, sum + 4 * j + 2);
    }
}

/** Make the ring, in shared memory from a multiple of 1,024 bytes on. */
__device__ static inline struct ring make_ring(unsigned char *s_raw,
                                               uint64_t *s_full,
                                               uint64_t *s_free)
{
    const unsigned skip = (0u - ptx_shared(s_raw)) % tma::ALIGN;

    if (threadIdx.x == 0) {
        for (int i = 0; i < tma::STAGES; i++) {
            ptx_barrier_init(&s_full[i], 1);
            ptx_barrier_init(&s_free[i], tma::WARPS);
        }
        ptx_barrier_fence();
    }
    __syncthreads();
    return {s_raw + skip, s_full, s_free};
}

/** A block owns tiles of 128 x 256 of C, one after the other; its second and
 *  third warpgroup own 64 rows each, the first brings what they need.
 *
 *  As many blocks as the card has multiprocessors, or tiles; block 384, 197,632
 *  bytes of dynamic shared memory: four stages.  Nothing but the ring's
 *  mbarriers orders the groups, so one tile is stored while the stages of the
 *  next arrive.  Left empty, without static shared memory, in code for other
 *  cards: launch_wgmma() asks.
 */
template <typename T>
__global__ void __launch_bounds__(tma::THREADS, 1)
multiply_wgmma(const __grid_constant__ ptx_tensor_map a,
               const __grid_constant__ ptx_tensor_map b, float *c,
               struct shape s)
{
#if PTX_HAS_WGMMA
    extern __shared__ __align__(128) unsigned char s_raw[];
    __shared__ uint64_t s_full[tma::STAGES], s_free[tma::STAGES];
    const struct ring r = make_ring(s_raw, s_full, s_free);
    const struct work w = work_for(s);

    if (threadIdx.x < tma::GROUP) {
        ptx_give_registers<40>();
        if (threadIdx.x == 0) bring_boxes(r, &a, &b, w);
        return;
    }
    ptx_take_registers<232>();
    unsigned turn = 0;
    for (unsigned i = blockIdx.x; i < w.down * w.across; i += gridDim.x) {
        float sum[tma::N / 2];
        add_tile<T>(sum, r, w, turn);
        turn += (unsigned)w.turns;
        store_group(c, s, tile_at(i, w.down, w.across, tma::M, tma::N), sum);
    }
#endif
}

/** May step 4 run: is the card 9.0, was the kernel built for it, and can TMA
 *  read both matrices?  Device pointers. */
template <typename T>
static cudaError_t can_wgmma(bool *can, struct matrix a, struct matrix b)
{
    cudaFuncAttributes about = {};
    int level = 0;
    cudaError_t err = capability(&level);

    if (!err)
        err = CUDA_CHECK(cudaFuncGetAttributes(&about, multiply_wgmma<T>));
    *can = level == 90 && about.sharedSizeBytes > 0 && is_wide(a)
           && is_wide(b);
    return err;
}

/** The map of a matrix for boxes of `rows` rows. */
static cudaError_t make_map(ptx_tensor_map *map, struct matrix x, int rows)
{
    const struct ptx_matrix matrix = {x.data, (size_t)x.rows,
                                      (size_t)x.columns, (size_t)x.columns};

    return CUDA_CHECK(ptx_tensor_map_2d(map, &matrix, (unsigned)rows));
}

/** Launch it; device pointers. */
template <typename T>
static cudaError_t launch_wgmma(struct matrix a, struct matrix b, float *d_c,
                                struct shape s)
{
    const size_t tiles =
        tiles_for((size_t)s.m, tma::M) * tiles_for((size_t)s.n, tma::N);
    ptx_tensor_map map_a, map_b;
    int device = 0, sms = 1;
    cudaError_t err = make_map(&map_a, a, tma::M);

    if (tiles > INT32_MAX) return cudaErrorInvalidValue;
    if (!err) err = make_map(&map_b, b, tma::K);
    if (!err) err = CUDA_CHECK(cudaGetDevice(&device));
    if (!err)
        err = CUDA_CHECK(cudaDeviceGetAttribute(
            &sms, cudaDevAttrMultiProcessorCount, device));
    if (!err)
        err = CUDA_CHECK(cudaFuncSetAttribute(
            multiply_wgmma<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
            tma::SHARED));
    if (err) return err;
    const unsigned blocks = tiles < (size_t)sms ? (unsigned)tiles
                                                : (unsigned)sms;
    multiply_wgmma<T>
        <<<blocks, tma::THREADS, tma::SHARED>>>(map_a, map_b, d_c, s);
    return CUDA_CHECK(cudaGetLastError());
}

#endif
