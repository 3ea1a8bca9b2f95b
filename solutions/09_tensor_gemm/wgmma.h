/* SPDX-License-Identifier: MIT */
/** @file
 *  The kernel of step 4, for compute capability 9.0: TMA loads the tiles, and
 *  wgmma multiplies them in shared memory. */
#ifndef TENSOR_WGMMA_H
#define TENSOR_WGMMA_H

#include "ptx.h"
#include "load_store.h"

/** A block's tile of C, and a stage: A's box of 128 rows, B's four boxes of 64
 *  columns, all with rows of 128 bytes, which TMA and wgmma swizzle. */
struct tma {
    enum { M = 128, N = 256, K = 64, STAGES = 4, CONSUMER_WARPGROUPS = M / 64 };
    enum {
        WARPGROUP_THREADS = 128,
        THREADS = WARPGROUP_THREADS * (1 + CONSUMER_WARPGROUPS),
        WARPS = 4 * CONSUMER_WARPGROUPS
    };
    enum {
        ROW_BYTES = 128,
        BOX_BYTES = K * ROW_BYTES,
        A_BYTES = M * ROW_BYTES,
        BOXES = N / 64
    };
    enum { STAGE_BYTES = A_BYTES + BOXES * BOX_BYTES, ALIGN = 1024 };
    enum { SHARED_BYTES = STAGES * STAGE_BYTES + ALIGN };
};

/** The stages and the barriers of each: full, the bytes have arrived; empty,
 *  all consumer warps have read them. */
struct pipeline {
    unsigned char *s_stages;
    uint64_t *s_full, *s_empty;
};

/** Number of tiles of C, and of tiles along k for each. */
struct tile_counts {
    unsigned down, across;
    int k_tiles;
};

/** Count the tiles. */
__device__ static inline struct tile_counts count_tiles(struct shape s)
{
    return {(unsigned)((s.m + tma::M - 1) / tma::M),
            (unsigned)((s.n + tma::N - 1) / tma::N),
            (s.k + tma::K - 1) / tma::K};
}

/** The producer: one thread keeps the pipeline full.  As soon as a stage is
 *  empty, it starts the TMA loads of the next boxes, tile after tile. */
__device__ static inline void load_boxes_tma(struct pipeline r,
                                             const ptx_tensor_map *a,
                                             const ptx_tensor_map *b,
                                             struct tile_counts w)
{
    unsigned iteration = 0;

    for (unsigned i = blockIdx.x; i < w.down * w.across; i += gridDim.x) {
        const struct tile_coord at =
            rasterize_tile(i, w.down, w.across, tma::M, tma::N);
        for (int k = 0; k < w.k_tiles; k++, iteration++) {
            const unsigned stage = iteration % tma::STAGES;
            unsigned char *s_a = r.s_stages + stage * tma::STAGE_BYTES;
            ptx_mbarrier_wait(&r.s_empty[stage],
                              (iteration / tma::STAGES & 1) ^ 1);
            ptx_mbarrier_arrive_expect_tx(&r.s_full[stage], tma::STAGE_BYTES);
            ptx_tma_load_2d(s_a, a, k * tma::K, at.row, &r.s_full[stage]);
            for (int j = 0; j < tma::BOXES; j++)
                ptx_tma_load_2d(s_a + tma::A_BYTES + j * tma::BOX_BYTES, b,
                                at.column + j * PTX_BOX_COLUMNS, k * tma::K,
                                &r.s_full[stage]);
        }
    }
}

/** A warp releases a stage: one arrival at its empty barrier. */
__device__ static inline void release_stage(struct pipeline r,
                                            unsigned iteration)
{
    if (threadIdx.x % LANES == 0)
        ptx_mbarrier_arrive(&r.s_empty[iteration % tma::STAGES]);
}

/** A consumer warpgroup accumulates its 64 x 256 sums of a tile, from stages
 *  iteration, iteration + 1, ...; the wgmma of one stage runs while the
 *  warpgroup waits for the next stage. */
template <typename T>
__device__ static inline void
wgmma_tile(float (&sum)[tma::N / 2], struct pipeline r, struct tile_counts w,
           unsigned iteration)
{
    const unsigned warpgroup = threadIdx.x / tma::WARPGROUP_THREADS - 1;

    for (int k = 0; k < w.k_tiles; k++, iteration++) {
        const unsigned stage = iteration % tma::STAGES;
        const unsigned char *s_a = r.s_stages + stage * tma::STAGE_BYTES;
        const uint64_t a = ptx_wgmma_descriptor(
            s_a + warpgroup * 64 * tma::ROW_BYTES, 16, 8 * tma::ROW_BYTES);
        const uint64_t b = ptx_wgmma_descriptor(
            s_a + tma::A_BYTES, tma::BOX_BYTES, 8 * tma::ROW_BYTES);
        ptx_mbarrier_wait(&r.s_full[stage], iteration / tma::STAGES & 1);
        ptx_wgmma_fence();
#pragma unroll
        for (int l = 0; l < tma::K / 16; l++) /* 32 bytes further, 16 rows
                                               * further */
            ptx_wgmma<T, tma::N, true>(sum, a + l * (32 >> 4),
                                       b + l * (16 * tma::ROW_BYTES >> 4),
                                       k > 0 || l > 0);
        ptx_wgmma_commit();
        ptx_wgmma_wait<1>();
        if (k > 0) release_stage(r, iteration - 1);
    }
    ptx_wgmma_wait<0>();
    release_stage(r, iteration - 1);
}

/** A warpgroup stores its sums. */
__device__ static inline void store_warpgroup_tile(float *c, struct shape s,
                                                   struct tile_coord at,
                                                   const float *sum)
{
    const int lane = (int)threadIdx.x % LANES;
    const int warp = (int)threadIdx.x / LANES - tma::WARPGROUP_THREADS / LANES;
    const int row = at.row + 16 * warp + lane / 4;
    const int column = at.column + lane % 4 * 2;

#pragma unroll
    for (int j = 0; j < tma::N / 8; j++) {
        store_float2(c, s, row, column + 8 * j, sum + 4 * j);
        store_float2(c, s, row + 8, column + 8 * j, sum + 4 * j + 2);
    }
}

/** Initialize the pipeline, in shared memory aligned to 1,024 bytes. */
__device__ static inline struct pipeline
init_pipeline(unsigned char *s_unaligned, uint64_t *s_full, uint64_t *s_empty)
{
    const unsigned align_skip =
        (0u - ptx_shared_address(s_unaligned)) % tma::ALIGN;

    if (threadIdx.x == 0) {
        for (int i = 0; i < tma::STAGES; i++) {
            ptx_mbarrier_init(&s_full[i], 1);
            ptx_mbarrier_init(&s_empty[i], tma::WARPS);
        }
        ptx_mbarrier_init_fence();
    }
    __syncthreads();
    return {s_unaligned + align_skip, s_full, s_empty};
}

/** A block owns tiles of 128 x 256 of C, one after another.  Its second and
 *  third warpgroup own 64 rows each (consumers); the first one loads their data
 *  (producer).
 *
 *  As many blocks as the GPU has multiprocessors, or tiles; block 384, 197,632
 *  bytes of dynamic shared memory: four stages.  Only the mbarriers of the
 *  pipeline synchronize the warpgroups, so one tile is stored while the stages
 *  of the next arrive.  For other architectures the kernel is empty, without
 *  static shared memory: launch_wgmma() checks this.
 */
template <typename T>
__global__ void __launch_bounds__(tma::THREADS, 1)
multiply_wgmma(const __grid_constant__ ptx_tensor_map a,
               const __grid_constant__ ptx_tensor_map b, float *c,
               struct shape s)
{
#if PTX_HAS_WGMMA
    extern __shared__ __align__(128) unsigned char s_unaligned[];
    __shared__ uint64_t s_full[tma::STAGES], s_empty[tma::STAGES];
    const struct pipeline r = init_pipeline(s_unaligned, s_full, s_empty);
    const struct tile_counts w = count_tiles(s);

    if (threadIdx.x < tma::WARPGROUP_THREADS) {
        ptx_setmaxnreg_dec<40>();
        if (threadIdx.x == 0) load_boxes_tma(r, &a, &b, w);
        return;
    }
    ptx_setmaxnreg_inc<232>();
    unsigned iteration = 0;
    for (unsigned i = blockIdx.x; i < w.down * w.across; i += gridDim.x) {
        float sum[tma::N / 2];
        wgmma_tile<T>(sum, r, w, iteration);
        iteration += (unsigned)w.k_tiles;
        store_warpgroup_tile(
            c, s, rasterize_tile(i, w.down, w.across, tma::M, tma::N), sum);
    }
#endif
}

/** Can step 4 run: is the compute capability 9.0, was the kernel compiled for
 *  it, and can TMA read both matrices?  Device pointers. */
template <typename T>
static cudaError_t supports_wgmma(bool *supported, struct matrix a,
                                  struct matrix b)
{
    cudaFuncAttributes attributes = {};
    int cc = 0;
    cudaError_t err = compute_capability(&cc);

    if (!err)
        err = CUDA_CHECK(cudaFuncGetAttributes(&attributes, multiply_wgmma<T>));
    *supported = cc == 90 && attributes.sharedSizeBytes > 0
                 && is_vector_aligned(a) && is_vector_aligned(b);
    return err;
}

/** Create the tensor map of a matrix for boxes of `rows` rows. */
static cudaError_t make_tensor_map(ptx_tensor_map *tensor_map, struct matrix x,
                                   int rows)
{
    const struct ptx_matrix matrix = {x.data, (size_t)x.rows,
                                      (size_t)x.columns, (size_t)x.columns};

    return CUDA_CHECK(ptx_tensor_map_2d(tensor_map, &matrix, (unsigned)rows));
}

/** Launch the kernel; device pointers. */
template <typename T>
static cudaError_t launch_wgmma(struct matrix a, struct matrix b, float *d_c,
                                struct shape s)
{
    const size_t tiles =
        ceil_div((size_t)s.m, tma::M) * ceil_div((size_t)s.n, tma::N);
    ptx_tensor_map tensor_map_a, tensor_map_b;
    int device = 0, sms = 1;
    cudaError_t err = make_tensor_map(&tensor_map_a, a, tma::M);

    if (tiles > INT32_MAX) return cudaErrorInvalidValue;
    if (!err) err = make_tensor_map(&tensor_map_b, b, tma::K);
    if (!err) err = CUDA_CHECK(cudaGetDevice(&device));
    if (!err)
        err = CUDA_CHECK(cudaDeviceGetAttribute(
            &sms, cudaDevAttrMultiProcessorCount, device));
    if (!err)
        err = CUDA_CHECK(cudaFuncSetAttribute(
            multiply_wgmma<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
            tma::SHARED_BYTES));
    if (err) return err;
    const unsigned blocks = tiles < (size_t)sms ? (unsigned)tiles
                                                : (unsigned)sms;
    multiply_wgmma<T><<<blocks, tma::THREADS, tma::SHARED_BYTES>>>(
        tensor_map_a, tensor_map_b, d_c, s);
    return CUDA_CHECK(cudaGetLastError());
}

#endif
