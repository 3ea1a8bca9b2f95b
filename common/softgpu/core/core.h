/* SPDX-License-Identifier: MIT */
/** @file
 *  What the core offers to the host side of the runtime: run one grid now, and
 *  look up kernels.  Queues, streams, limits and error stickiness are the
 *  host side's business; the core believes every number it is given.
 */
#ifndef SOFTGPU_CORE_H
#define SOFTGPU_CORE_H

#include "softgpu/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/** cudaError_t values that a running kernel can end with. */
enum softgpu_error {
    SOFTGPU_SUCCESS = 0,
    SOFTGPU_OUT_OF_MEMORY = 2,      /**< no memory for stacks or blocks */
    SOFTGPU_ILLEGAL_ADDRESS = 700,  /**< a load or store outside memory */
    SOFTGPU_LAUNCH_TIMEOUT = 702,   /**< a block that can never go on */
    SOFTGPU_ASSERT = 710,           /**< a device assert failed */
    SOFTGPU_STACK_ERROR = 714,      /**< a thread ran out of stack */
    SOFTGPU_ILLEGAL_INSTRUCTION = 715,
    SOFTGPU_MISALIGNED_ADDRESS = 716,
    SOFTGPU_LAUNCH_FAILURE = 719    /**< __trap and all else */
};

/** One launch, checked by the caller. */
struct softgpu_grid {
    struct softgpu_kernel *kernel;
    const void *closure; /**< the lambda's bytes; only read, must live on */
    size_t closure_bytes;
    dim3 grid;           /**< blocks; product at least 1 */
    dim3 block;          /**< threads a block; product 1 to 1024 */
    uint32_t dynamic_bytes; /**< dynamic shared memory */
    int cooperative;        /**< 1: all blocks are resident together */
    uint32_t clock_khz;     /**< for clock64(); 0: 1 GHz */
    uint64_t cpu_ns;        /**< written: CPU time of all OS threads */
    uint64_t wall_ns;       /**< written: time from start to end */
};

/** Run a grid to its end; the calling OS thread is one of the workers.
 *
 *  Not to be called from inside a kernel.  Calls from several OS threads are
 *  served one after the other.  The first failure ends all blocks soon; what
 *  they wrote stays.  One line about it has gone to stderr.
 *
 *  @return 0 or a cudaError_t of enum softgpu_error
 */
int softgpu_run_grid(struct softgpu_grid *grid);

/** All kernels, linked by `next`, in no order. */
struct softgpu_kernel *softgpu_kernels(void);

/** Bytes of shared memory that device functions declare, of the whole
 *  program: each block has them behind its own. */
uint32_t softgpu_function_shared(void);

/** Text of the last failure on this process, or "": what stderr was told. */
const char *softgpu_last_report(void);

/** OS threads that take blocks: SOFTGPU_THREADS, or the cores this process
 *  may use. */
int softgpu_worker_count(void);

#ifdef __cplusplus
}
#endif
#endif
