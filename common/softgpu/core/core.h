/* SPDX-License-Identifier: MIT */
/** @file
 *  The core's interface to the host side of the runtime: run one grid
 *  synchronously, and look up kernels.  Streams, limits and sticky errors
 *  belong to the host side; the core does not check its arguments.
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
    SOFTGPU_LAUNCH_TIMEOUT = 702,   /**< a block is deadlocked */
    SOFTGPU_ASSERT = 710,           /**< a device assert failed */
    SOFTGPU_STACK_ERROR = 714,      /**< a thread's stack overflowed */
    SOFTGPU_ILLEGAL_INSTRUCTION = 715,
    SOFTGPU_MISALIGNED_ADDRESS = 716,
    SOFTGPU_LAUNCH_FAILURE = 719    /**< __trap and all others */
};

/** With SOFTGPU_POISON=1 the shared memory of a block is filled with these two
 *  bytes: NaN as half, bfloat16, float and double, and a large integer.  Global
 *  memory has another pattern, so a result shows where it came from. */
enum { SOFTGPU_SHARED_POISON = 0x7ff5 };

/** Two bytes of an accumulator of floats (mma.h) that was never filled. */
enum { SOFTGPU_FRAGMENT_POISON = 0x7ff6 };

/** Two bytes of what a shuffle takes from a lane that does not call it, with
 *  SOFTGPU_POISON=1: CUDA leaves the value undefined.  Without, it is 0. */
enum { SOFTGPU_LANE_POISON = 0x7ff7 };

/** Begins the message of a fault in a warp of which lanes have returned. */
#define SOFTGPU_NEEDS_ALL_LANES "a matrix instruction needs all 32 lanes"

/** Where a kernel launched another one. */
struct softgpu_launch_point {
    uint64_t block; /**< linear index of the launching block */
    int is_tail;    /**< of cudaStreamTailLaunch */
    /** What the checks note then (watch/nested_race.c): the launching grid's
     *  number, and the thread's place in the order of its block. */
    uint32_t grid, thread, interval, sequence;
    int has_acquired; /**< the block has executed an atomic */
};

/** One launch; the caller has checked it. */
struct softgpu_grid {
    struct softgpu_kernel *kernel;
    const void *closure; /**< the arguments, a lambda's bytes; read only,
                              valid until the grid has ended */
    size_t closure_bytes;
    dim3 grid;           /**< blocks; product at least 1 */
    dim3 block;          /**< threads per block; product 1 to 1024 */
    uint32_t dynamic_bytes; /**< dynamic shared memory */
    int cooperative;        /**< 1: all blocks are resident together */
    uint32_t clock_khz;     /**< for clock64(); 0: 1 GHz */
    int depth;              /**< launches by kernels that led to it */
    int device;             /**< number of the device */
    const void *order;      /**< of the host side, for the checks; or NULL */
    const struct softgpu_launch_point *launched_at; /**< NULL: by the host */
    void *owner;            /**< of the host side; the core does not read it */
    uint64_t cpu_ns;        /**< written: CPU time of all OS threads, ns */
    uint64_t wall_ns;       /**< written: elapsed time, ns */
};

/** Run a grid to its end; the calling OS thread is one of the workers.
 *
 *  Must not be called from inside a kernel, but in softgpu_run_nested().  Calls
 *  from several OS threads take turns (turns.h): the threads of one grid run at
 *  a time, until it ends or all of them wait.  The first fault stops all
 *  blocks soon; what they have written stays, and one line about the fault is
 *  printed to stderr.
 *
 *  @return 0 or a cudaError_t of enum softgpu_error
 */
int softgpu_run_grid(struct softgpu_grid *grid);

/** Do the grids that run make no progress, since all their threads wait for
 *  something outside them?  Then another one may begin beside them. */
int softgpu_grids_are_stalled(void);
/** Grids, and commands with a turn, that have begun and not ended. */
unsigned softgpu_grids_in_flight(void);
/** Called when a grid or a command of a device gets the turn, before it goes
 *  on; or NULL. */
extern void (*softgpu_turn_begins)(int device);
/** A grid or another command waits for its turn: no thread of other grids runs
 *  then.  Inside softgpu_run_nested() it has that of the waiting grid.
 *  @return its place, for softgpu_turn_close() */
unsigned softgpu_turn_open(int device);
/** The grid or command of a place has ended, with a cudaError_t: if that is not
 *  0, so do all other grids of its device. */
void softgpu_turn_close(unsigned place, int error);

/** Call body(argument) as host code while the running thread of a kernel waits,
 *  and with it all blocks that its OS thread runs.  Grids that the body runs
 *  run at once, on all OS threads if the waiting grid has one only
 *  (SOFTGPU_WAITS_FOR_CHILDREN).  They have stacks and blocks of their own.
 *
 *  If the body returns an error, the waiting grid ends with it; what caused it
 *  was reported before.  `site` is the return address of the program's call. */
void softgpu_run_nested(int (*body)(void *argument), void *argument,
                        const void *site);

/** Let %globaltimer stand still between grids, so that a kernel cannot measure
 *  what host code does there. */
extern int softgpu_hides_host_time;

/** With sparse memory: called before each block that runs, with its number
 *  among these (0, 1, ...) and its linear index; or NULL. */
extern void (*softgpu_before_end)(unsigned number, uint64_t index);
/** Blocks that waited for blocks that do not run, and were ended, so far. */
unsigned softgpu_abandoned_blocks(void);

/** Start a detached OS thread that may run grids.  It blocks all signals but
 *  those that the core handles.  @return 0 or an error of pthread_create() */
int softgpu_start_os_thread(void *(*body)(void *), void *argument);

/** All kernels of the program, linked by `next`, in unspecified order. */
struct softgpu_kernel *softgpu_kernels(void);

/** Bytes of shared memory that the program's device functions declare; each
 *  block has them after the kernel's own. */
uint32_t softgpu_function_shared(void);
/** All __shared__ variables in the order of registration. */
struct softgpu_shared_variable *const *softgpu_shared_variables(size_t *count);

/** Describe where an illegal address lies: of the host side, or NULL. */
extern void (*softgpu_describe_address)(const void *address, char *text,
                                        size_t bytes);
/** Text of the last fault in this process as printed to stderr, or "". */
const char *softgpu_last_fault_report(void);

/** Number of OS threads that run blocks: SOFTGPU_THREADS, or the number of
 *  cores that this process may use. */
int softgpu_worker_count(void);

#ifdef __cplusplus
}
#endif
#endif
