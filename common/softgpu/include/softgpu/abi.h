/* SPDX-License-Identifier: MIT */
/** @file
 *  The seam of the software GPU: what code made by softcc, the device headers
 *  and the runtime agree on.
 *
 *  Above it: the rewritten source of a program (C++) and the headers with
 *  CUDA's names.  Below it: `core/` (blocks, threads, warps) and `host/` (the
 *  runtime API), both C11.  Nothing here is meant for lab code to call.
 */
#ifndef SOFTGPU_ABI_H
#define SOFTGPU_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "vector_types.h" /* uint3, dim3 and the other built-in vectors */

#ifdef __cplusplus
extern "C" {
#endif

struct softgpu_block;  /* a resident block: core/block.h */
struct softgpu_thread; /* one thread of it: core/block.h */

/** What each OS thread knows of the CUDA thread it is running.
 *
 *  Plain data in initial-exec TLS: no constructor, no wrapper call.  `block`
 *  is NULL while host code runs, which is the test for "am I in a kernel?".
 */
struct softgpu_tls {
    struct softgpu_block *block;   /**< the block running here, or NULL */
    struct softgpu_thread *thread; /**< the thread running here */
    char *shared;    /**< the block's static shared memory, declared in the kernel */
    char *dynamic;   /**< its dynamic shared memory, 16-byte aligned */
    char *functions; /**< shared memory declared in device functions */
    uint32_t shared_bytes; /**< bytes of the whole arena, from `shared` */
    int32_t spin;          /**< atomics and fences left before a yield */
    int32_t row; /**< blocks in a row that a kernel's loop may go on to */
};

/** Thread-local at a fixed offset: read by one instruction. */
#define SOFTGPU_TLS __thread __attribute__((tls_model("initial-exec")))
extern SOFTGPU_TLS struct softgpu_tls softgpu_tls; /**< this OS thread's */

/* CUDA's built-in variables, written by the scheduler at each switch. */
extern SOFTGPU_TLS uint3 threadIdx; /**< the thread's place in its block */
extern SOFTGPU_TLS uint3 blockIdx;  /**< the block's place in the grid */
extern SOFTGPU_TLS dim3 blockDim;   /**< threads a block */
extern SOFTGPU_TLS dim3 gridDim;    /**< blocks a grid */

/** Take the next block of the row, if there is one.  In one instruction: a
 *  signal handler may take the rest of the row away. */
static inline int softgpu_next_in_row(void)
{
#if defined(__x86_64__)
    int none;
    __asm__ volatile("subl $1, %1" : "=@ccs"(none), "+m"(softgpu_tls.row));
    return !none;
#else
    return __atomic_fetch_sub(&softgpu_tls.row, 1, __ATOMIC_RELAXED) > 0;
#endif
}

/* --- kernels -------------------------------------------------------------- */

/** One instantiation of one kernel; static storage, linked at start-up. */
struct softgpu_kernel {
    const char *name;       /**< as written: "transpose" or "reduce<float, 256>" */
    const char *file;       /**< the student's file */
    int line;               /**< of the kernel's name */
    const void *stub;       /**< address of the host-callable function */
    /** Run all threads of the block in softgpu_tls in one loop, and of the
     *  next blocks in x while softgpu_next_in_row() says so; NULL when
     *  SOFTGPU_MAY_BLOCK is set.  Called by the core only, and only where in
     *  each dimension blocks times threads is at most INT_MAX - 1024. */
    void (*run)(const void *closure);
    /** Run exactly the thread in softgpu_tls, on a copy of the closure; may
     *  end with softgpu_finish(). */
    void (*one)(const void *closure);
    /** Call the stub with *args[0], *args[1], ... (cudaLaunchKernel, graphs). */
    void (*call)(void **args);
    const uint32_t *param_bytes; /**< size of each parameter */
    uint32_t params;             /**< how many */
    uint32_t flags;              /**< SOFTGPU_MAY_BLOCK ... */
    uint32_t max_threads;        /**< from __launch_bounds__, 0 if none */
    uint32_t min_blocks;         /**< second argument of it, 0 if none */
    /* written by the runtime */
    uint32_t static_shared;   /**< bytes of __shared__ declared in the kernel */
    uint32_t function_shared; /**< bytes seen in device functions it called */
    int32_t max_dynamic;      /**< cudaFuncAttributeMaxDynamicSharedMemorySize, -1 unset */
    int32_t carveout;         /**< cudaFuncAttributePreferredSharedMemoryCarveout, -1 unset */
    struct softgpu_kernel *next; /**< in the list of all kernels */
};

/** A thread may stop in the middle: barrier, warp call, atomic, unknown call. */
#define SOFTGPU_MAY_BLOCK 1u
/** It calls a function that may read threadIdx and its like: the loop over
 *  the threads stores them. */
#define SOFTGPU_NEEDS_IDS 2u
/** A library's call: host/library.h. */
#define SOFTGPU_LIBRARY 4u

/** Link a kernel into the list; before main(). */
void softgpu_register_kernel(struct softgpu_kernel *kernel);
/** The kernel whose stub is at this address, or NULL. */
struct softgpu_kernel *softgpu_find_kernel(const void *stub);

/** A __shared__ variable; static storage. */
struct softgpu_slot {
    struct softgpu_kernel *kernel; /**< NULL: declared in a device function */
    const char *name; /**< as written */
    uint32_t bytes;   /**< size */
    uint32_t align;   /**< alignment in bytes, a power of two */
    uint32_t offset;  /**< in softgpu_tls.shared or .functions; set at start-up */
};
/** Link a variable into the list; before main(). */
void softgpu_register_slot(struct softgpu_slot *slot);

/** Which CUDA word a variable has. */
enum softgpu_symbol_kind {
    SOFTGPU_DEVICE_VARIABLE,
    SOFTGPU_CONSTANT_VARIABLE,
    SOFTGPU_MANAGED_VARIABLE
};
/** A variable of the device; static storage. */
struct softgpu_symbol {
    const char *name;    /**< as written */
    const void *address; /**< where it is for device 0, and while it is used
                              for the others */
    size_t bytes;        /**< size */
    enum softgpu_symbol_kind kind; /**< of memory */
    struct softgpu_symbol *next;   /**< in the list of all */
};
/** Link a variable into the list, with the value it has; before main(). */
void softgpu_register_symbol(struct softgpu_symbol *symbol);
/** There are variables that nobody registers: others' addresses may be theirs
 *  (members of class templates). */
void softgpu_open_symbols(void);

/** Remember <<<grid, block, shared, stream>>> for the stub called next.
 *  @return 0, or a cudaError_t already recorded: the call is then skipped. */
int softgpu_push(dim3 grid, dim3 block, size_t shared_bytes, void *stream);

/** Queue the launch that was pushed; copies the closure bit by bit. */
void softgpu_launch(struct softgpu_kernel *kernel, const void *closure,
                    size_t bytes, size_t align);

/* --- inside a kernel: blocks (core/block.c) --------------------------------- */

/** What a barrier tells of its threads' predicates. */
enum softgpu_vote {
    SOFTGPU_COUNT, /**< how many are not 0 */
    SOFTGPU_AND,   /**< 1 if all are */
    SOFTGPU_OR     /**< 1 if one is */
};

/** Calls in two branches stay two: the watchers tell them apart by line. */
#ifdef __clang__
#define SOFTGPU_APART __attribute__((nomerge))
#else
#define SOFTGPU_APART
#endif

SOFTGPU_APART void softgpu_barrier(void); /**< __syncthreads */
/** A barrier that returns the vote of all live threads of the block. */
SOFTGPU_APART int softgpu_barrier_vote(enum softgpu_vote op, int predicate);
void softgpu_grid_barrier(void); /**< every thread of a cooperative launch */
int softgpu_is_cooperative(void); /**< 1 in a cooperative launch */

/* --- inside a kernel: warps (core/warp.c) ------------------------------------ *
 * A call completes when every live lane of the mask has made it.  Lanes that
 * returned count no more.  Lane = linear thread index modulo 32.              */

/** Wait for the live lanes of the mask: __syncwarp. */
void softgpu_warp_sync(unsigned mask);
/** Lane of the running thread: the core keeps threads where their address
 *  tells it. */
static inline unsigned softgpu_lane(void)
{
    return (unsigned)((size_t)softgpu_tls.thread / 64 % 32);
}
enum { SOFTGPU_LANES_AT = 32 /**< entry that names the lanes that took part */ };
/** The values that the lanes of the mask gave, by lane, and at SOFTGPU_LANES_AT
 *  the lanes that took part; other entries mean nothing.  Valid until the
 *  caller's next warp call. */
const uint64_t *softgpu_warp_gather(unsigned mask, uint64_t value);
/** What one lane does with the values of all 32. */
typedef void softgpu_combine(const uint64_t *values);
/** As softgpu_warp_gather() of all lanes, but the last to arrive combines the
 *  values while the others wait. */
void softgpu_warp_combine(uint64_t value, softgpu_combine *combine);
/** The lanes of the mask whose predicate is not 0; valid as above. */
const unsigned *softgpu_warp_vote(unsigned mask, int predicate);

/* The two above wait in their very last step, so that a thread resumes right
 * here; these take what is wanted from the results. */

/** The value of lane `source`; 0, as on a card, if it did not take part. */
static inline uint64_t softgpu_warp_shuffle(unsigned mask, uint64_t value,
                                            int source)
{
    const uint64_t *values = softgpu_warp_gather(mask, value);
    return values[SOFTGPU_LANES_AT] >> (source & 31) & 1 ? values[source & 31]
                                                         : 0;
}
/** The lanes of the mask whose predicate is not 0. */
static inline unsigned softgpu_warp_ballot(unsigned mask, int predicate)
{
    return *softgpu_warp_vote(mask, predicate);
}
/** Lanes that reached this call together: waits until no other lane of the
 *  warp can run without them. */
unsigned softgpu_active_mask(void);
/** Meet the lanes of the warp that can come to one of these calls; those go on
 *  that are furthest behind.
 *  @param place  rises with the place in the source; not 0 */
void softgpu_lockstep(unsigned place);

/** The running thread is over; may return, if its stack is used further. */
void softgpu_finish(void);

/** What an object that orders threads, a cuda::barrier, does for the caller. */
enum softgpu_ordering {
    SOFTGPU_RELEASES, /**< what it did so far is handed over */
    SOFTGPU_ACQUIRES  /**< it goes on knowing what was handed over */
};
/** Tell the watchers of it: `phase` of the object at this address. */
void softgpu_ordered(enum softgpu_ordering how, const volatile void *object,
                     uint64_t phase);

/* --- inside a kernel: giving way ---------------------------------------------- */

/** Let other threads and blocks run; returns when it is this thread's turn. */
void softgpu_yield(void);

/** Called by atomics and fences: yields now and then, so that spinning ends. */
static inline void softgpu_spin(void)
{
    if (__builtin_expect(--softgpu_tls.spin < 0, 0))
        softgpu_yield();
}

/** 1 when p lies in the block's shared memory: then no other OS thread can
 *  touch it and an atomic needs no lock prefix. */
static inline int softgpu_is_shared(const volatile void *p)
{
    return (size_t)((const volatile char *)p - softgpu_tls.shared)
           < softgpu_tls.shared_bytes;
}

/** End the kernel with a cudaError_t and one line of text; never returns. */
void softgpu_fail(int error, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/** Device clock in cycles of the described card, rising; yields. */
int64_t softgpu_clock(void);
/** Nanoseconds on the device's global timer. */
uint64_t softgpu_globaltimer(void);

#ifdef __cplusplus
}
#endif
#endif
