/* SPDX-License-Identifier: MIT */
/** @file
 *  PTX instructions without a CUDA C function: asynchronous copies with
 *  zero-fill, ldmatrix, mma, mbarrier, TMA, wgmma.
 *
 *  On a GPU each function is one instruction, named in its comment
 *  (ptx_asm.h); rules and layouts are those of NVIDIA's PTX ISA, in the
 *  sections with these names.  The software GPU executes the same in C++
 *  (common/softgpu/include/softgpu/ptx/) and completes an asynchronous
 *  operation at the latest moment that the rules allow, so that a missing wait
 *  is visible.  Code for a GPU without the instruction compiles, and traps
 *  when executed.
 *
 *  Pointers that begin with s_ point to shared memory.  T is __half or
 *  __nv_bfloat16; a 32-bit register holds two of them, the first in the low
 *  half. */
#ifndef PTX_H
#define PTX_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdint.h>

/* --- addresses ----------------------------------------------------------- */

/** The 32-bit shared-memory address that instructions and descriptors take. */
__device__ inline unsigned ptx_shared_address(const void *s_ptr);

/** Offset of a byte in a tile with rows of 128 bytes and the 128-byte swizzle:
 *  the 16-byte chunk c of row r is stored in the place of chunk c ^ (r % 8),
 *  so that the same chunk of eight consecutive rows covers all 32 banks.  TMA,
 *  wgmma and ptx_ldmatrix() use the same layout if the tile is aligned to
 *  1,024 bytes.
 *
 *  @param offset  row * 128 + byte in the row */
__host__ __device__ inline unsigned ptx_swizzle_128(unsigned offset);

/* --- cp.async: copies of a thread, cc 8.0 -------------------------------- */

/** Start an asynchronous copy of 16 bytes from global to shared memory; source
 *  bytes from `bytes` on are filled with zeros (cp.async.cg).
 *
 *  @param[out] s_to   16 bytes, aligned to 16; not to be accessed before
 *                     ptx_cp_async_wait()
 *  @param[in]  from   global memory, aligned to 16; only `bytes` are read
 *  @param      bytes  0 to 16 */
__device__ inline void ptx_cp_async_16(void *s_to, const void *from,
                                       unsigned bytes);
/** Commit this thread's copies as one group, which may be empty
 *  (cp.async.commit_group). */
__device__ inline void ptx_cp_async_commit();
/** Wait until at most `pending` of this thread's groups are incomplete
 *  (cp.async.wait_group).  Other threads need a barrier after it. */
template <int pending> __device__ inline void ptx_cp_async_wait();

/* --- ldmatrix, cc 7.5; mma, cc 8.0: all 32 lanes together ---------------- */

/** Load `count` (1, 2, 4) 8 x 8 matrices of 16-bit elements (ldmatrix).
 *
 *  @param[out] r      r[i]: of matrix i this lane's row lane / 4, columns
 *                     2 * (lane % 4) and the next
 *  @param[in]  s_row  lane 8 * i + j passes row j of matrix i: 16 bytes,
 *                     aligned to 16; lanes from 8 * count on are ignored */
template <int count>
__device__ inline void ptx_ldmatrix(unsigned *r, const void *s_row);
/** The same with each matrix transposed (ldmatrix.trans): this lane receives
 *  column lane / 4 of the matrix as stored, rows 2 * (lane % 4) and the next.
 */
template <int count>
__device__ inline void ptx_ldmatrix_trans(unsigned *r, const void *s_row);

/** d += a b for a 16 x 16 a and a 16 x 8 b (mma.m16n8k16); exact products,
 *  accumulated in float.  With g = lane / 4, t = 2 * (lane % 4) a lane holds:
 *
 *  @param[in,out] d  4: rows g, g, g + 8, g + 8, columns t, t + 1, t, t + 1
 *  @param[in]     a  4: [g][t], [g + 8][t], [g][t + 8], [g + 8][t + 8], each
 *                    with its right neighbor: four matrices of ldmatrix
 *  @param[in]     b  2: [t][g], [t + 8][g], each with the one below: two
 *                    matrices of ldmatrix.trans, if b is row-major */
template <typename T>
__device__ inline void ptx_mma(float *d, const unsigned *a,
                               const unsigned *b);

/* --- mbarrier, cc 9.0 ---------------------------------------------------- */

/** Initialize a barrier in phase 0 (mbarrier.init): called by one thread,
 *  followed by ptx_mbarrier_init_fence() and __syncthreads().
 *
 *  @param[out] s_barrier  8 bytes, aligned to 8
 *  @param      arrivals   expected in each phase, 1 to 2^20 - 1 */
__device__ inline void ptx_mbarrier_init(uint64_t *s_barrier,
                                         unsigned arrivals);
/** Make this thread's barrier initializations visible to TMA
 *  (fence.mbarrier_init). */
__device__ inline void ptx_mbarrier_init_fence();
/** Make this thread's writes to shared memory visible to TMA and wgmma
 *  (fence.proxy.async); a barrier for the other threads must follow. */
__device__ inline void ptx_fence_proxy_async();
/** Arrive; this thread's earlier writes are visible to threads that wait
 *  (mbarrier.arrive). */
__device__ inline void ptx_mbarrier_arrive(uint64_t *s_barrier);
/** Arrive, and expect `bytes` of copies in this phase
 *  (mbarrier.arrive.expect_tx). */
__device__ inline void ptx_mbarrier_arrive_expect_tx(uint64_t *s_barrier,
                                                     unsigned bytes);
/** Wait until the phase of this parity is complete (mbarrier.try_wait.parity
 *  in a loop).  Phase n has parity n % 2.  Before phase 0 is complete, parity
 *  1 counts as complete: a producer's first wait for a free buffer returns at
 *  once. */
__device__ inline void ptx_mbarrier_wait(uint64_t *s_barrier, unsigned parity);

/* --- TMA: boxes of a matrix, cc 9.0 -------------------------------------- */

/** A row-major matrix of 16-bit elements in global memory. */
struct ptx_matrix {
    const void *d_data; /**< device, aligned to 16 */
    size_t rows;        /**< 1 to 2^32 */
    size_t columns;     /**< 1 to 2^32 */
    size_t stride; /**< row stride in elements, a multiple of 8 */
};

/** A tensor map; passed to a kernel as `const __grid_constant__
 *  ptx_tensor_map`. */
struct ptx_tensor_map;

/** Encode a tensor map for boxes of `box_rows` rows (1 to 256) of 64 columns,
 *  128 bytes, with the layout of ptx_swizzle_128() (cuTensorMapEncodeTiled).
 *  Host.
 *  @return cudaSuccess; cudaErrorInvalidValue if TMA cannot take the matrix;
 *  cudaErrorNotSupported if the driver has no TMA */
inline cudaError_t ptx_tensor_map_2d(struct ptx_tensor_map *map,
                                     const struct ptx_matrix *matrix,
                                     unsigned box_rows);
/** Columns of a box: with 16-bit elements a row is 128 bytes. */
enum { PTX_BOX_COLUMNS = 64 };

/** Start the asynchronous copy of a box to shared memory
 *  (cp.async.bulk.tensor.2d): called by one thread.  Elements outside of the
 *  matrix become 0; their bytes count as copied.
 *
 *  @param[out] s_to       box_rows * 128 bytes, aligned to 1,024
 *  @param[in]  map        the kernel's parameter
 *  @param      column     first column of the box, may be outside
 *  @param      row        first row, likewise
 *  @param      s_barrier  counts the box's bytes; threads may access the box
 *                         after they have waited there */
__device__ inline void ptx_tma_load_2d(void *s_to,
                                       const struct ptx_tensor_map *map,
                                       int column, int row,
                                       uint64_t *s_barrier);

/* --- wgmma: 128 threads, four warps together, cc 9.0 only ---------------- */

/** The matrix descriptor of a tile in shared memory for wgmma; rows of 128
 *  bytes with the layout of ptx_swizzle_128().
 *
 *  K-major (A; B as n x k): groups of 8 rows are `stride` bytes apart;
 *  `leading` is unused.  The next 16 elements along k begin 32 bytes later.
 *  MN-major (B as k x n): groups of 8 rows are `stride` bytes apart, the next
 *  64 columns `leading` bytes.  The next 16 along k begin 16 rows later.
 *
 *  @param s_tile   aligned to 1,024 bytes, or at one of the offsets above
 *  @param leading  a multiple of 16 below 2^18
 *  @param stride   likewise */
__device__ inline uint64_t ptx_wgmma_descriptor(const void *s_tile,
                                                unsigned leading,
                                                unsigned stride);
/** Before the first ptx_wgmma() and after each other access to d
 *  (wgmma.fence). */
__device__ inline void ptx_wgmma_fence();
/** Start d = a b, or d += a b if `accumulates`, for a 64 x 16 a and a 16 x n b
 *  (wgmma.mma_async m64nNk16), n = 128 or 256; by_rows: b's tile is MN-major.
 *
 *  @param[in,out] d  of warp w's rows 16 * w + ... as in ptx_mma(), eight
 *                    columns after eight; not to be accessed before
 *                    ptx_wgmma_wait()
 *  @param a, b  by ptx_wgmma_descriptor(); read until the wait
 *  @param accumulates  the same for all threads */
template <typename T, int n, bool by_rows>
__device__ inline void ptx_wgmma(float (&d)[n / 2], uint64_t a, uint64_t b,
                                 bool accumulates);
/** Commit the issued products as one group (wgmma.commit_group). */
__device__ inline void ptx_wgmma_commit();
/** Wait until at most `pending` groups are incomplete (wgmma.wait_group). */
template <int pending> __device__ inline void ptx_wgmma_wait();

/** Increase the registers of each thread of this warpgroup (setmaxnreg.inc).
 *  @tparam registers  the new number, a multiple of 8 from 24 to 256; other
 *                     warpgroups must have released as many */
template <int registers> __device__ inline void ptx_setmaxnreg_inc();
/** Decrease them (setmaxnreg.dec); other warpgroups may then take them. */
template <int registers> __device__ inline void ptx_setmaxnreg_dec();

__host__ __device__ inline unsigned ptx_swizzle_128(unsigned offset)
{
    return offset ^ (offset >> 3 & 0x70);
}

#ifdef __SOFTCC__
/** 1 if the code being compiled may use wgmma. */
#define PTX_HAS_WGMMA 1
#include "softgpu/ptx/all.h"
#else
#include "ptx_asm.h"
#endif

__device__ inline uint64_t ptx_wgmma_descriptor(const void *s_tile,
                                                unsigned leading,
                                                unsigned stride)
{
    return (uint64_t)1 << 62 /* swizzle of 128 bytes */
           | (uint64_t)(stride >> 4) << 32 | (uint64_t)(leading >> 4) << 16
           | (ptx_shared_address(s_tile) & 0x3ffff) >> 4;
}

#endif
