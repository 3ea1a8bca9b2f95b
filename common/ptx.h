/* SPDX-License-Identifier: MIT */
/** @file
 *  Instructions that CUDA C has no function for: asynchronous copies with
 *  zero-fill, ldmatrix, mma, mbarrier, TMA, wgmma.
 *
 *  On a card each function is one instruction, named beside it (ptx_asm.h);
 *  the rules and the layouts are those of NVIDIA's PTX ISA, in the sections
 *  of those names.  On the software GPU the same is done step by step in C++
 *  (common/softgpu/include/softgpu/ptx/), at the latest moment that the rules
 *  allow, so that a missing wait shows.  Code for a card without the
 *  instruction compiles, and traps if it is run.
 *
 *  Pointers that begin with s_ are to shared memory.  T is __half or
 *  __nv_bfloat16; a 32-bit register holds two of them, the first one low.
 */
#ifndef PTX_H
#define PTX_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdint.h>

/* --- addresses ------------------------------------------------------------ */

/** The address within shared memory, as instructions and descriptors have
 *  it. */
__device__ inline unsigned ptx_shared(const void *s_place);

/** Where a byte of a tile with rows of 128 bytes lies: the 16-byte chunk c of
 *  row r is kept in place of chunk c ^ (r % 8).  So eight rows' chunks c lie
 *  in all 32 banks.  TMA, wgmma and ptx_load_matrix() agree on it if the tile
 *  begins at a multiple of 1,024 bytes.
 *
 *  @param offset  row * 128 + byte in the row
 */
__host__ __device__ inline unsigned ptx_swizzle_128(unsigned offset);

/* --- cp.async: copies of a thread, cc 8.0 ---------------------------------- */

/** Begin to copy the first `bytes` of 16 bytes, the rest becoming 0
 *  (cp.async.cg).
 *
 *  @param[out] s_to   16 bytes, aligned to 16; not to be touched before
 *                     ptx_copy_wait()
 *  @param[in]  from   global memory, aligned to 16; only `bytes` are read
 *  @param      bytes  0 to 16
 */
__device__ inline void ptx_copy_16(void *s_to, const void *from,
                                   unsigned bytes);
/** Close this thread's group of copies, an empty one too
 *  (cp.async.commit_group). */
__device__ inline void ptx_copy_commit();
/** Wait for all of this thread's groups but the last `keep`
 *  (cp.async.wait_group); other threads know by a barrier after it. */
template <int keep> __device__ inline void ptx_copy_wait();

/* --- ldmatrix, cc 7.5; mma, cc 8.0: all 32 lanes together -------------------- */

/** Read `count` (1, 2, 4) 8 x 8 matrices of 16-bit elements (ldmatrix).
 *
 *  @param[out] r      r[i]: of matrix i this lane's row lane / 4, columns
 *                     2 * (lane % 4) and the next
 *  @param[in]  s_row  lane 8 * i + j brings row j of matrix i: 16 bytes,
 *                     aligned to 16; of lanes from 8 * count on it is unused
 */
template <int count>
__device__ inline void ptx_load_matrix(unsigned *r, const void *s_row);
/** The same, each matrix transposed (ldmatrix.trans): this lane gets column
 *  lane / 4 of the matrix as it is stored, rows 2 * (lane % 4) and the next. */
template <int count>
__device__ inline void ptx_load_matrix_transposed(unsigned *r,
                                                  const void *s_row);

/** d += a b for a 16 x 16 a and a 16 x 8 b (mma.m16n8k16), products exact,
 *  sums in float.  With g = lane / 4, t = 2 * (lane % 4) a lane holds:
 *
 *  @param[in,out] d  4: rows g, g, g + 8, g + 8, columns t, t + 1, t, t + 1
 *  @param[in]     a  4: [g][t], [g + 8][t], [g][t + 8], [g + 8][t + 8], each
 *                    with its right neighbour: four matrices of ldmatrix
 *  @param[in]     b  2: [t][g], [t + 8][g], each with the one below: two
 *                    matrices of ldmatrix.trans, if b lies by rows
 */
template <typename T>
__device__ inline void ptx_mma(float *d, const unsigned *a,
                               const unsigned *b);

/* --- mbarrier, cc 9.0 ---------------------------------------------------------- */

/** Begin phase 0 (mbarrier.init): by one thread, then ptx_barrier_fence() and
 *  __syncthreads().
 *
 *  @param[out] s_barrier  8 bytes, aligned to 8
 *  @param      arrivals   that each phase waits for, 1 to 2^20 - 1
 */
__device__ inline void ptx_barrier_init(uint64_t *s_barrier,
                                        unsigned arrivals);
/** Let TMA know the barriers that this thread began. */
__device__ inline void ptx_barrier_fence();
/** Let TMA and wgmma see what this thread wrote to shared memory itself
 *  (fence.proxy.async); then a barrier, as ever. */
__device__ inline void ptx_shared_fence();
/** Arrive: what this thread did before is done for who waits
 *  (mbarrier.arrive). */
__device__ inline void ptx_barrier_arrive(uint64_t *s_barrier);
/** Arrive, and let the phase wait for `bytes` of copies too
 *  (mbarrier.arrive.expect_tx). */
__device__ inline void ptx_barrier_expect(uint64_t *s_barrier,
                                          unsigned bytes);
/** Wait until the phase of this parity is complete (mbarrier.try_wait.parity,
 *  again and again).  Phase n has parity n % 2; before phase 0 is complete,
 *  that of parity 1 counts as it, so who waits for free space goes on. */
__device__ inline void ptx_barrier_wait(uint64_t *s_barrier,
                                        unsigned parity);

/* --- TMA: boxes of a matrix, cc 9.0 ----------------------------------------- */

/** A matrix of 16-bit elements in global memory, by rows. */
struct ptx_matrix {
    const void *d_data; /**< device, aligned to 16 */
    size_t rows;        /**< 1 to 2^32 */
    size_t columns;     /**< 1 to 2^32 */
    size_t stride; /**< elements from row to row, a multiple of 8 */
};

/** How to cut boxes from a matrix; a kernel's
 *  `const __grid_constant__ ptx_tensor_map`. */
struct ptx_tensor_map;

/** Describe boxes of `box_rows` rows (1 to 256) of 64 columns, 128 bytes, laid
 *  out by ptx_swizzle_128() (cuTensorMapEncodeTiled).  Host.
 *  @return cudaSuccess; cudaErrorInvalidValue if TMA cannot take the matrix;
 *  cudaErrorNotSupported if the driver has no TMA */
inline cudaError_t ptx_tensor_map_2d(struct ptx_tensor_map *map,
                                     const struct ptx_matrix *matrix,
                                     unsigned box_rows);
/** Columns of a box: with 16-bit elements a row is 128 bytes. */
enum { PTX_BOX_COLUMNS = 64 };

/** Begin to copy a box (cp.async.bulk.tensor.2d): by one thread.  What lies
 *  outside of the matrix becomes 0, and counts as copied.
 *
 *  @param[out] s_to       box_rows * 128 bytes, from a multiple of 1,024 on
 *  @param[in]  map        the kernel's parameter
 *  @param      column     first of the box, may be outside
 *  @param      row        likewise
 *  @param      s_barrier  counts the box's bytes; who has waited there may
 *                         touch them
 */
__device__ inline void ptx_tensor_load(void *s_to,
                                       const struct ptx_tensor_map *map,
                                       int column, int row,
                                       uint64_t *s_barrier);

/* --- wgmma: 128 threads, four warps together, cc 9.0 only --------------------- */

/** Describe a tile in shared memory to wgmma, laid out in rows of 128 bytes
 *  by ptx_swizzle_128().
 *
 *  Rows along k (A; B as n x k): groups of 8 rows lie `stride` bytes apart;
 *  `leading` is unused.  16 further along k: 32 bytes on.
 *  Rows along n (B as k x n): groups of 8 rows lie `stride` bytes apart, the
 *  next 64 columns `leading` bytes.  16 further along k: 16 rows on.
 *
 *  @param s_tile   from a multiple of 1,024 bytes on, or so much further
 *  @param leading  a multiple of 16 below 2^18
 *  @param stride   likewise
 */
__device__ inline uint64_t ptx_wgmma_tile(const void *s_tile,
                                          unsigned leading, unsigned stride);
/** Before the first ptx_wgmma() and after each touch of d (wgmma.fence). */
__device__ inline void ptx_wgmma_fence();
/** Begin d = a b, or d += a b if `adds`, for a 64 x 16 a and a 16 x n b
 *  (wgmma.mma_async m64nNk16), n = 128 or 256; by_rows: rows of b's tile run
 *  along n.
 *
 *  @param[in,out] d  of warp w's rows 16 * w + ... as in ptx_mma(), eight
 *                    columns after eight; not to be touched before
 *                    ptx_wgmma_wait()
 *  @param a, b  by ptx_wgmma_tile(); read until the wait
 *  @param adds  the same for all threads
 */
template <typename T, int n, bool by_rows>
__device__ inline void ptx_wgmma(float (&d)[n / 2], uint64_t a, uint64_t b,
                                 bool adds);
/** Close the group of products (wgmma.commit_group). */
__device__ inline void ptx_wgmma_commit();
/** Wait for all groups but the last `keep` (wgmma.wait_group). */
template <int keep> __device__ inline void ptx_wgmma_wait();

/** Registers a thread of this warpgroup from here on, a multiple of 8 from 24
 *  to 256, more or fewer than it has (setmaxnreg): what one gives up, another
 *  may take. */
template <int registers> __device__ inline void ptx_take_registers();
/** See above. */
template <int registers> __device__ inline void ptx_give_registers();

__host__ __device__ inline unsigned ptx_swizzle_128(unsigned offset)
{
    return offset ^ (offset >> 3 & 0x70);
}

#ifdef __SOFTCC__
/** Is wgmma there in the code being compiled? */
#define PTX_HAS_WGMMA 1
#include "softgpu/ptx/all.h"
#else
#include "ptx_asm.h"
#endif

__device__ inline uint64_t ptx_wgmma_tile(const void *s_tile,
                                          unsigned leading, unsigned stride)
{
    return (uint64_t)1 << 62 /* swizzle of 128 bytes */
           | (uint64_t)(stride >> 4) << 32 | (uint64_t)(leading >> 4) << 16
           | (ptx_shared(s_tile) & 0x3ffff) >> 4;
}

#endif
