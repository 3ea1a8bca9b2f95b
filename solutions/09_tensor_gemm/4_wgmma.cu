/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  GEMM on tensor cores, step 4: on cc 9.0 TMA brings whole boxes and wgmma
 *  reads them from shared memory, four warps at a time; one warpgroup brings,
 *  two multiply.  The kernel is in wgmma.h; all else goes to launch_mma().
 *
 *  A bound, derived and not measured: a stage of 128 x 256 x 64 takes a
 *  multiprocessor 128 * 256 * 64 / 2,048 = 1,024 cycles (dense 16-bit products
 *  and sums a cycle, H100 and H200: 989 TFLOP/s by 132 of them at 1.83 GHz), in
 *  which 48 KiB must arrive: 48 bytes a cycle, more than L2 gives all 132 at
 *  once in the steady state (about 42 a cycle each), were it not that blocks of
 *  a group of tile_at() ask for the same boxes at the same time.  Registers: 2 * 128 * 232 + 128 * 40 of 65,536. */
// HANDOUT
// /** @file
//  *  Lab 09: a GEMM on tensor cores.  The contract is in tensor_gemm.h. */
// END SOLUTION
#include "host.h"
// BEGIN SOLUTION
#include "mma_sync.h"
#include "wgmma.h"
// HANDOUT
//
// enum { WARPS = 4 }; /* of a block: one under the other in threadIdx.y */
//
// /** A warp owns a tile of 16 x 16 of C.  Device pointers; no side is 0. */
// template <typename T>
// __global__ void multiply_tiles(const T *__restrict__ a,
//                                const T *__restrict__ b, float *c,
//                                struct shape s)
// {
//     if constexpr (has_cores<T>) {
//         /* TODO 1: which tile is this warp's?  Three fragments, the sum 0 */
//         /* TODO 2: along k, 16 at a time: bring 16 x 16 of A and of B to
//          * shared memory, T(0.0f) past the sides; load, multiply and add */
//         /* TODO 3: store_tile() */
//     }
// }
// END SOLUTION

template <typename T>
static cudaError_t launch(const T *d_a, const T *d_b, float *d_c,
                          struct shape s)
{
// BEGIN SOLUTION
    const struct matrix a = matrix_a(d_a, s), b = matrix_b(d_b, s);
    bool can = false;
    cudaError_t err = can_wgmma<T>(&can, a, b);

    if (err) return err;
    return can ? launch_wgmma<T>(a, b, d_c, s)
               : launch_mma(d_a, d_b, d_c, s);
// HANDOUT
//     /* TODO 4: as many warps as C has tiles; launch; cudaGetLastError() */
//     return cudaErrorNotSupported;
// END SOLUTION
}
