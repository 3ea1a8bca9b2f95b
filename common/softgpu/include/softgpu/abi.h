/* SPDX-License-Identifier: MIT */
/** @file
 *  The ABI of the software GPU: between the code that softcc generates, CUDA's
 *  headers, and the runtime.
 *
 *  The rewritten source of a program (C++) and the headers call these
 *  functions; `core/` (blocks, threads, warps) and `host/` (the runtime API),
 *  both C11, define them.  Programs do not call them.
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
struct softgpu_thread; /* one of its threads: core/block.h */

/** State of the CUDA thread that an OS thread runs.
 *
 *  Plain data in initial-exec thread-local storage: no constructor, no call.
 *  `block` is NULL in host code, which is the test for device code.
 */
struct softgpu_tls {
    struct softgpu_block *block;   /**< running block, or NULL */
    struct softgpu_thread *thread; /**< running thread */
    char *shared;          /**< static shared memory declared in the kernel */
    char *dynamic;         /**< dynamic shared memory, aligned to 16 bytes */
    char *functions;       /**< static shared memory of device functions */
    uint32_t shared_bytes; /**< bytes of all three, from `shared` on */
    int32_t spin;          /**< atomics and fences left before a yield */
    int32_t batch_blocks;  /**< blocks of the batch not yet begun */
};

/** Thread-local at a fixed offset: read by one instruction. */
#define SOFTGPU_TLS __thread __attribute__((tls_model("initial-exec")))
extern SOFTGPU_TLS struct softgpu_tls softgpu_tls; /**< of this OS thread */

/* CUDA's built-in variables; the scheduler sets them at each switch. */
extern SOFTGPU_TLS uint3 threadIdx; /**< index of the thread in its block */
extern SOFTGPU_TLS uint3 blockIdx;  /**< index of the block in the grid */
extern SOFTGPU_TLS dim3 blockDim;   /**< threads per block */
extern SOFTGPU_TLS dim3 gridDim;    /**< blocks per grid */

/** Begin the next block of the batch.  One instruction, since a signal handler
 *  can take the remaining blocks away.
 *  @return 0 if there is none */
static inline int softgpu_next_in_batch(void)
{
#if defined(__x86_64__)
    int none;
    __asm__ volatile("subl $1, %1"
                     : "=@ccs"(none), "+m"(softgpu_tls.batch_blocks));
    return !none;
#else
    return __atomic_fetch_sub(&softgpu_tls.batch_blocks, 1, __ATOMIC_RELAXED)
           > 0;
#endif
}

/* --- kernels ------------------------------------------------------------- */

/** Threads that the code of the vector engine runs (vectors/vectors.h). */
enum {
    SOFTGPU_GANG_THREADS = 32,   /**< a gang, which is a warp */
    SOFTGPU_WHOLE_BLOCK = 0xffff /**< all gangs of a block */
};

/** One instantiation of a kernel; static storage. */
struct softgpu_kernel {
    const char *name; /**< "transpose" or "reduce<float, 256>" */
    const char *file; /**< source file */
    int line;         /**< of the kernel's name */
    const void *stub; /**< address of the host function */
    /** Run all threads of the block in softgpu_tls in one loop, and then the
     *  next blocks in x while softgpu_next_in_batch() returns 1; NULL with
     *  SOFTGPU_MAY_BLOCK.  Only for launches in which, in each dimension,
     *  blocks times threads is at most INT_MAX - 1024. */
    void (*run)(const void *closure);
    /** Run the thread in softgpu_tls on a copy of the closure; can end in
     *  softgpu_thread_exit(). */
    void (*run_thread)(const void *closure);
    /** Run the gang whose first thread is in softgpu_tls: gang_threads
     *  consecutive threads; ends as run_thread does.  NULL: none was made. */
    void (*run_gang)(const void *closure);
    /** Threads of a gang: SOFTGPU_GANG_THREADS, SOFTGPU_WHOLE_BLOCK if it is
     *  the whole block, in multiples of the former; 0 without run_gang. */
    uint32_t gang_threads;
    /** Call the stub with *args[0], *args[1] ... (cudaLaunchKernel, graphs). */
    void (*call)(void **args);
    const uint32_t *param_bytes; /**< size of each parameter */
    const uint32_t *param_aligns; /**< alignment of each parameter */
    const char *type_name; /**< mangled name of the tag type in the stub */
    uint32_t params;             /**< number of parameters */
    uint32_t flags;              /**< SOFTGPU_MAY_BLOCK ... */
    uint32_t max_threads;        /**< of __launch_bounds__, or 0 */
    uint32_t min_blocks;         /**< of __launch_bounds__, or 0 */
    /* written by the runtime */
    uint32_t static_shared;   /**< bytes of __shared__ in the kernel */
    uint32_t function_shared; /**< bytes of __shared__ in device functions
                                   that it called */
    int32_t max_dynamic; /**< cudaFuncAttributeMaxDynamicSharedMemorySize, or
                              -1 */
    int32_t carveout;    /**< cudaFuncAttributePreferredSharedMemoryCarveout,
                              or -1 */
    struct softgpu_kernel *next; /**< in the list of all kernels */
};

/** A thread of the kernel can block: it calls a barrier, a warp function, an
 *  atomic, or an unknown function. */
#define SOFTGPU_MAY_BLOCK 1u
/** The kernel calls a function that can read threadIdx or another built-in
 *  variable: the loop over the threads stores threadIdx. */
#define SOFTGPU_NEEDS_BUILTINS 2u
/** The kernel is a call of a library: host/library.h. */
#define SOFTGPU_LIBRARY 4u
/** A thread of the kernel may wait for grids that it launched: the kernel's
 *  blocks run on one OS thread, which leaves the others to those grids. */
#define SOFTGPU_WAITS_FOR_CHILDREN 8u

/** Some thread of the program may wait for grids that it launched; before
 *  main(). */
void softgpu_announce_waits(void);
/** Add a kernel to the list of kernels; before main(). */
void softgpu_register_kernel(struct softgpu_kernel *kernel);
/** The kernel whose stub is at this address, or NULL. */
struct softgpu_kernel *softgpu_find_kernel(const void *stub);

/** The memory of shared variables begins at a multiple of so many bytes. */
#define SOFTGPU_SHARED_ALIGN 128u

/** A __shared__ variable; static storage. */
struct softgpu_shared_variable {
    struct softgpu_kernel *kernel; /**< NULL: declared in a device function */
    const char *name;              /**< as written */
    uint32_t bytes;                /**< size */
    uint32_t align;                /**< alignment in bytes, a power of two */
    uint32_t offset; /**< in softgpu_tls.shared or .functions, set before the
                          first launch */
};
/** Add a variable to the list of shared variables; before main(). */
void softgpu_register_shared(struct softgpu_shared_variable *variable);

/** Memory space of a variable. */
enum softgpu_symbol_kind {
    SOFTGPU_DEVICE_VARIABLE,   /**< __device__ */
    SOFTGPU_CONSTANT_VARIABLE, /**< __constant__ */
    SOFTGPU_MANAGED_VARIABLE   /**< __managed__ */
};
/** A device variable; static storage. */
struct softgpu_symbol {
    const char *name;              /**< as written */
    const void *address;           /**< its memory, that of device 0; while
                                        another device runs, the memory of that
                                        one is swapped in */
    size_t bytes;                  /**< size */
    enum softgpu_symbol_kind kind; /**< memory space */
    struct softgpu_symbol *next;   /**< in the list of all symbols */
};
/** Add a variable with its current value to the list of symbols; before
 *  main(). */
void softgpu_register_symbol(struct softgpu_symbol *symbol);
/** End the program, with a message, if a variable is not all zero: its
 *  constructor would have to run on the device. */
void softgpu_require_zero(const struct softgpu_symbol *symbol,
                          const char *file, int line);
/** The program has device variables that are not registered (members of class
 *  templates): an unknown address can be one of them. */
void softgpu_symbols_incomplete(void);

/** Set the launch configuration for the stub that is called next.
 *  @return 0, or a cudaError_t that is recorded: the stub is not called */
int softgpu_push_config(dim3 grid, dim3 block, size_t shared_bytes,
                        void *stream);

/** Enqueue a launch with that configuration.
 *  @param closure  copied bit by bit */
void softgpu_launch(struct softgpu_kernel *kernel, const void *closure,
                    size_t bytes, size_t align);

/* --- device code: blocks (core/barrier.c) --------------------------------- */

/** The reduction of a barrier over the predicates of its threads. */
enum softgpu_vote {
    SOFTGPU_COUNT, /**< number of predicates that are not 0 */
    SOFTGPU_AND,   /**< 1 if all are not 0 */
    SOFTGPU_OR     /**< 1 if one is not 0 */
};

/** The compiler must not merge calls in two branches: each is a meeting of its
 *  own threads, and the checks tell them apart by their source line. */
#ifdef __clang__
#define SOFTGPU_NOMERGE __attribute__((nomerge))
#else
#define SOFTGPU_NOMERGE
#endif

SOFTGPU_NOMERGE void softgpu_barrier(void); /**< __syncthreads() */
/** Barrier of all threads of the block that have not returned.
 *  @return the vote on their predicates */
SOFTGPU_NOMERGE int softgpu_barrier_vote(enum softgpu_vote op, int predicate);
/** The same for a gang of threads (vectors/vectors.h).
 *  @param votes    how many of its predicates are not 0
 *  @param threads  threads of the gang */
SOFTGPU_NOMERGE int softgpu_gang_vote(enum softgpu_vote op, uint32_t votes,
                                      uint32_t threads);
/** bar.sync and bar.arrive of PTX: a barrier of some warps of the block.
 *  @param id       0 to 15
 *  @param threads  that arrive, a multiple of 32, those that do not wait
 *                  included; 0: all threads of the block
 *  @param wait     whether to wait for the others */
SOFTGPU_NOMERGE void softgpu_numbered_barrier(unsigned id, unsigned threads,
                                              int wait);
/** Report that the running thread reaches no further barrier of its kernel. */
void softgpu_kernel_end(void);
/** Barrier of all threads of a cooperative launch. */
SOFTGPU_NOMERGE void softgpu_grid_barrier(void);
/** @return 1 in a cooperative launch, else 0 */
int softgpu_is_cooperative(void);

/* --- device code: warps (core/warp.c) -------------------------------------- *
 * A call returns when every lane of the mask that has not returned from the
 * kernel has made it.  Lane = linear thread index modulo 32. */

/** __syncwarp(). */
SOFTGPU_NOMERGE void softgpu_warp_sync(unsigned mask);
/** Lane of the running thread; the core allocates threads so that their
 *  address gives it. */
static inline unsigned softgpu_lane_id(void)
{
    return (unsigned)((size_t)softgpu_tls.thread / 64 % 32);
}
enum {
    SOFTGPU_LANE_MASK_ENTRY = 32 /**< index of the mask of participating lanes
                                      in gathered values */
};
/** Gather one value from each lane of the mask.
 *  @return 33 values: by lane, then the mask of the participating lanes;
 *          entries of other lanes are undefined.  Valid until the caller's
 *          next warp call. */
SOFTGPU_NOMERGE const uint64_t *softgpu_warp_gather(unsigned mask,
                                                    uint64_t value);
/** A function of the values of all 32 lanes. */
typedef void softgpu_warp_function(const uint64_t *values);
/** Gather the values of all lanes; the last lane to arrive calls `combine`
 *  while the others wait. */
SOFTGPU_NOMERGE void softgpu_warp_combine(uint64_t value,
                                          softgpu_warp_function *combine);
/** The mask of lanes whose predicate is not 0; valid as the result of
 *  softgpu_warp_gather(). */
SOFTGPU_NOMERGE const unsigned *softgpu_warp_vote(unsigned mask, int predicate);

/* The functions above block in their last instruction, so that a thread resumes
 * in its caller; the inline functions below take the result. */

/** The value of lane `source`.  If it does not participate, CUDA leaves the
 *  value undefined: it is 0, as on a card, or a pattern (SOFTGPU_POISON=1). */
static inline uint64_t softgpu_warp_shuffle(unsigned mask, uint64_t value,
                                            int source)
{
    const uint64_t *values = softgpu_warp_gather(mask, value);
    return values[source & 31];
}
/** The mask of lanes whose predicate is not 0. */
static inline unsigned softgpu_warp_ballot(unsigned mask, int predicate)
{
    return *softgpu_warp_vote(mask, predicate);
}
/** The mask of lanes that execute this call together: waits until every other
 *  lane of the warp is blocked. */
SOFTGPU_NOMERGE unsigned softgpu_active_mask(void);
/** Lockstep: wait for the lanes of the warp that can reach this call or an
 *  earlier one; the lanes with the smallest position continue first.
 *  @param position  of the call in source order, not 0 */
SOFTGPU_NOMERGE void softgpu_lockstep(unsigned position);
/** Note an access to shared memory: does the program rely on lockstep?
 *  @return whether to note more */
int softgpu_note_lockstep(const void *at, int is_store);
/** Note an access of each active thread of a gang (vectors/vectors.h).
 *  @param at     addresses of the active threads, by lane; any memory
 *  @param first  its first thread, after the running one
 *  @param epoch  how often the gang has synchronized
 *  @return whether to note more */
int softgpu_note_gang(const void *const *at, unsigned active, int is_store,
                      unsigned first, uint32_t epoch, const char *file,
                      int line);

/** End the running thread.  Returns if its stack is reused for the next
 *  thread. */
void softgpu_thread_exit(void);

/** The operation of an atomic function. */
enum softgpu_atomic_kind {
    SOFTGPU_ATOMIC_UPDATE,  /**< store a value computed from the old one */
    SOFTGPU_ATOMIC_COMPARE, /**< compare and swap */
    SOFTGPU_ATOMIC_LOAD,    /**< load it: add 0, or swap a value for itself */
    SOFTGPU_ATOMIC_BLOCK = 4, /**< added to one of these: atomic for the threads
                                   of the block alone, as atomicAdd_block() */
    SOFTGPU_ATOMIC_STATED = 8 /**< likewise: its memory order is stated, as of
                                   cuda::atomic; fences beside it have it */
};

/** Memory ordering of a synchronization object, as a cuda::barrier. */
enum softgpu_ordering {
    SOFTGPU_RELEASES, /**< the thread's earlier accesses happen before an
                           acquire of the same phase */
    SOFTGPU_ACQUIRES, /**< the thread's later accesses happen after the
                           releases of the phase */
    SOFTGPU_OF_DEVICE = 2 /**< added to one of these: for threads of other
                               blocks, too */
};
/** Report an ordering to the race check.
 *  @param how     enum softgpu_ordering
 *  @param object  address of the synchronization object
 *  @param phase   of it */
void softgpu_ordered(unsigned how, const volatile void *object,
                     uint64_t phase);

/** In an instrumented program: an access by what is not instrumented.  An
 *  operand on the stack of the running thread is none.
 *  @param writes  1: a store; 0: a load
 *  @param site    return address in the program */
void softgpu_instrumented_operand(const volatile void *p, size_t bytes,
                                  int writes, const void *site);
/** In a program with --check: the thread's next atomic or volatile access is
 *  what a loop polls. */
void softgpu_note_poll(void);
#if defined __cplusplus && __cplusplus >= 201402L
/** constexpr where C++ allows loops in it: the result may be a constant, as that
 *  of a lambda in device code, whose loops softcc changes, too. */
#define SOFTGPU_CONSTEXPR constexpr
/** Is the call evaluated by the compiler?  No thread runs then. */
#define SOFTGPU_IS_CONSTANT __builtin_is_constant_evaluated()
#else
#define SOFTGPU_CONSTEXPR /**< see above */
#define SOFTGPU_IS_CONSTANT 0 /**< see above */
#endif
/** The same as an operand of && or ||, without a branch.  @return 1 */
SOFTGPU_CONSTEXPR static inline int softgpu_polls(void)
{
    if (!SOFTGPU_IS_CONSTANT)
        softgpu_note_poll();
    return 1;
}

/* --- device code: yielding ------------------------------------------------ */

/** Let other threads and blocks run; returns when the scheduler selects this
 *  thread again. */
void softgpu_yield(void);

/** Yield every now and then.  Atomics and fences call it, so that a spin loop
 *  lets the thread it waits for run. */
SOFTGPU_CONSTEXPR static inline void softgpu_spin(void)
{
    if (!SOFTGPU_IS_CONSTANT
        && __builtin_expect(--softgpu_tls.spin < 0, 0))
        softgpu_yield();
}

/** Is p in the block's shared memory?  No other OS thread accesses it, so an
 *  atomic needs no lock prefix. */
static inline int softgpu_is_shared(const volatile void *p)
{
    return (size_t)((const volatile char *)p - softgpu_tls.shared)
           < softgpu_tls.shared_bytes;
}

/** End the kernel with a cudaError_t and a message of one line. */
void softgpu_fail(int error, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* --- host code ------------------------------------------------------------ */

/** An algorithm begins that runs on the calling thread of the host where a card
 *  runs a kernel (Thrust's device system).  Waits for the kernels launched
 *  before.  From here on the program's host code may access device memory,
 *  where it else faults, and the checks take the memory that is allocated now
 *  as written. */
void softgpu_begin_host_algorithm(void);

/* --- device code: clocks -------------------------------------------------- */

/** Clock cycles of the described card, monotonic; yields. */
int64_t softgpu_clock(void);
/** Nanoseconds of the device's global timer. */
uint64_t softgpu_globaltimer(void);

#ifdef __cplusplus
}
#endif
#endif
