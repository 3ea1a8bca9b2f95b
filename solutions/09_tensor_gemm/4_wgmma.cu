/* SPDX-License-Identifier: MIT */
/** @file
 *  GEMM on tensor cores, step 4: on compute capability 9.0 TMA loads whole
 *  boxes, and wgmma reads them from shared memory, one instruction for four
 *  warps.  One producer warpgroup loads, two consumer warpgroups multiply.  The
 *  kernel is in wgmma.h; all other cases run launch_mma().
 *
 *  An upper bound, derived, not measured: a stage of 128 x 256 x 64 takes a
 *  multiprocessor 128 * 256 * 64 / 2,048 = 1,024 cycles (dense 16-bit
 *  multiply-adds per cycle, H100 and H200: 989 TFLOP/s with 132 SMs at 1.83
 *  GHz).  In this time 48 KiB must arrive: 48 bytes per cycle.  L2 delivers
 *  about 42 per cycle to each of 132 SMs in the steady state.  It is enough
 *  only because the blocks of a group of rasterize_tile() load the same boxes
 *  at the same time.  Registers: 2 * 128 * 232 + 128 * 40 of 65,536.
 */
#include "host.h"
#include "mma_sync.h"
#include "wgmma.h"

template <typename T>
static cudaError_t launch(const T *d_a, const T *d_b, float *d_c,
                          struct shape s)
{
    const struct matrix a = matrix_a(d_a, s), b = matrix_b(d_b, s);
    bool supported = false;
    cudaError_t err = supports_wgmma<T>(&supported, a, b);

    if (err) return err;
    return supported ? launch_wgmma<T>(a, b, d_c, s)
               : launch_mma(d_a, d_b, d_c, s);
}
