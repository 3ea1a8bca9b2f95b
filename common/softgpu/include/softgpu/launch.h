/* SPDX-License-Identifier: MIT */
/** @file
 *  Kernels: registration before main(), and the loops over their threads.
 *
 *  softcc rewrites `__global__ void k(int *a) { BODY }` to a stub:
 *
 *      void k(int *a)
 *      {
 *          struct softgpu_tag {
 *              static constexpr softgpu::source source() ...
 *          };
 *          softgpu::launch_closure<softgpu_tag,
 *                                  static_cast<void (*)(int *)>(&k)>(
 *              [=](const uint3 threadIdx, const uint3 blockIdx,
 *                  const dim3 blockDim, const dim3 gridDim,
 *                  softgpu::guard &) mutable { BODY });
 *      }
 *
 *  The closure's call operator is the kernel's body.
 */
#ifndef SOFTGPU_LAUNCH_H
#define SOFTGPU_LAUNCH_H

#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "abi.h"
#include "inline.h"

#ifdef SOFTGPU_INSTRUMENTED
/** Copy a thread's parameters; the instrumentation does not count the copy as
 *  accesses of the program. */
extern "C" void softgpu_copy_parameters(void *to, const void *from,
                                        size_t bytes);
#endif

namespace softgpu {

/** Properties of a kernel that softcc extracts from its source. */
struct source {
    const char *name;     /**< without template arguments */
    const char *file;     /**< source file */
    int line;             /**< of the kernel's name */
    unsigned flags;       /**< SOFTGPU_MAY_BLOCK ... */
    unsigned max_threads; /**< of __launch_bounds__, or 0 */
    unsigned min_blocks;  /**< of __launch_bounds__, or 0 */
    bool guarded;         /**< the body uses its softgpu::guard */
};

/** The bounds check at the beginning of a kernel: see rewrite_guard.c.
 *
 *  The runtime probes the condition for the first and the last thread of a
 *  block.  If it is true for both, it is true for all, and the loop over the
 *  threads runs without it. */
struct guard {
    bool probing;     /**< evaluate the condition and return */
    bool always_true; /**< the condition is true for all threads of the block;
                           while probing, its value */

    /** Record the condition. @return whether the kernel is to return */
    SOFTGPU_FN bool probe(bool condition)
    {
        if (probing)
            always_true = condition;
        return probing;
    }
};

/** The thread has passed all barriers of its kernel, or left them out. */
#ifdef SOFTGPU_INSTRUMENTED
SOFTGPU_FN void leave_kernel() { softgpu_kernel_end(); }
#else
SOFTGPU_FN void leave_kernel() {}
#endif

/** <<<grid, block, shared_bytes, stream>>>, the last two may be missing. */
inline int push_config(dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                       void *stream = nullptr)
{
    return softgpu_push_config(grid, block, shared_bytes, stream);
}

/** The runtime's record of a kernel, by its tag type. */
template <class Tag> struct kernel_of {
    static inline softgpu_kernel value = {};
};

/** The name with the template arguments, as "scan<float, 256>": part of the
 *  demangled name of the tag type, which is local to the stub. */
template <class Tag> const char *full_name(const char *name)
{
    int status = 0;
    char *text = abi::__cxa_demangle(typeid(Tag).name(), nullptr, nullptr,
                                     &status);
    const std::size_t length = std::strlen(name);
    const char *at = text;
    while (at && (at = std::strstr(at, name)) && at[length] != '<')
        at += length;
    if (!at || status)
        return name;
    const char *end = at + length;
    for (int depth = 0; *end; end++) {
        depth += (*end == '<') - (*end == '>');
        if (depth == 0)
            break;
    }
    return strndup(at, end + 1 - at); /* never freed */
}

/** A thread's copy of the closure, which has the kernel's parameters. */
template <class Closure,
          bool Plain = std::is_trivially_copyable<Closure>::value>
struct thread_copy {
    Closure body;
    /** Inlined in instrumented builds as well, where parameters would otherwise
     *  be loaded from memory at each use. */
    __attribute__((always_inline)) explicit thread_copy(const Closure &closure)
        : body(closure)
    {
    }
};
/** A bitwise copy: copy constructors and destructors run at the launch, on the
 *  host. */
template <class Closure> struct thread_copy<Closure, false> {
    union {
        Closure body;
    };
    explicit thread_copy(const Closure &closure)
    {
#ifdef SOFTGPU_INSTRUMENTED
        softgpu_copy_parameters(static_cast<void *>(&body), &closure,
                                sizeof body);
#else
        std::memcpy(static_cast<void *>(&body), &closure, sizeof body);
#endif
    }
    ~thread_copy() {}
};

/* Inlined late, a kernel's body keeps block frequencies of gcc that make its
 * inner loops look cold: a sum that lives across a barrier would then stay in
 * memory.  The pass of vectors/ needs the call. */
#ifdef __clang__
#define SOFTGPU_RUN_THREAD inline
#else
#define SOFTGPU_RUN_THREAD inline __attribute__((always_inline))
#endif

/** Run the thread that threadIdx selects. */
template <class Closure> SOFTGPU_RUN_THREAD void run_thread(const void *closure)
{
    thread_copy<Closure> own(*static_cast<const Closure *>(closure));
    guard no_guard = { false, false };
    own.body(::threadIdx, ::blockIdx, ::blockDim, ::gridDim, no_guard);
}
/** The same, never inlined: for rare cases. */
template <class Closure>
__attribute__((noinline)) void run_thread_noinline(const void *closure)
{
    run_thread<Closure>(closure);
}

/** softgpu_kernel.run_thread. */
template <class Closure, bool Guarded> void thread_entry(const void *closure)
{
    if constexpr (Guarded)
        run_thread_noinline<Closure>(closure);
    else
        run_thread<Closure>(closure);
    softgpu_thread_exit();
}

#ifdef SOFTGPU_GANGS
/** Run a gang of threads; threadIdx is that of the first.  The pass in vectors/
 *  replaces this body, which runs one thread. */
template <class Closure>
__attribute__((noinline)) void gang_entry(const void *closure)
{
    run_thread<Closure>(closure);
}
/** Threads of a gang; 0: the pass left the kernel to the fiber engine.
 *  @tparam Most  threads that a block may have, by __launch_bounds__, or 0 */
template <class Closure, unsigned Most>
__attribute__((noinline)) int gang_threads()
{
    return 0;
}
/** softgpu_kernel.run_gang. */
template <class Closure> void gang_main(const void *closure)
{
    gang_entry<Closure>(closure);
    softgpu_thread_exit();
}
#endif

/** Is the kernel's bounds check always true for this thread? */
template <class Closure>
inline bool guard_holds(const Closure &parameters, const uint3 thread,
                        const uint3 block)
{
    thread_copy<Closure> own(parameters);
    guard probe_guard = { true, false };
    own.body(thread, block, ::blockDim, ::gridDim, probe_guard);
    return probe_guard.always_true;
}

/** Run all threads, one by one: a block in which the bounds check differs. */
template <class Closure> void run_each_thread(const void *closure)
{
    const dim3 threads = ::blockDim;
    for (unsigned z = 0; z < threads.z; z++)
        for (unsigned y = 0; y < threads.y; y++)
            for (unsigned x = 0; x < threads.x; x++) {
                ::threadIdx = { x, y, z };
                run_thread_noinline<Closure>(closure);
            }
}

/** Tell the compiler the limits of launches that run as loops: then an index
 *  fits in an int, and rises by 1 from thread to thread. */
SOFTGPU_FN void assume_launch_limits(const uint3 block, const dim3 threads)
{
    constexpr unsigned limit = 0x7fffffff - 1024;
    if (threads.x - 1 >= 1024 || threads.y - 1 >= 1024 || threads.z - 1 >= 64
        || block.x * threads.x > limit || block.y * threads.y > limit
        || block.z * threads.z > limit)
        __builtin_unreachable();
}

/** Run all threads of a block in loops that the compiler can vectorize. */
template <class Closure, bool NeedsBuiltins, bool Guarded>
SOFTGPU_FN void run_block(const thread_copy<Closure> &parameters,
                          const uint3 block, const dim3 threads,
                          const dim3 blocks)
{
    guard whole_block = { false, Guarded };
    assume_launch_limits(block, threads);
    for (unsigned z = 0; z < threads.z; z++)
        for (unsigned y = 0; y < threads.y; y++)
            for (unsigned x = 0; x < threads.x; x++) {
                thread_copy<Closure> own(parameters.body);
                const uint3 thread = { x, y, z };
                if constexpr (NeedsBuiltins)
                    ::threadIdx = thread;
                own.body(thread, block, threads, blocks, whole_block);
            }
}

/** softgpu_kernel.run: the blocks of a batch, from blockIdx on.
 *  @tparam Ids      store threadIdx for functions that the body calls
 *  @tparam Guarded  the kernel has a bounds check; the loops are for blocks in
 *                   which it is true for all threads */
template <class Closure, bool NeedsBuiltins, bool Guarded>
void run_blocks(const void *closure)
{
    const thread_copy<Closure> parameters(
        *static_cast<const Closure *>(closure));
    const dim3 threads = ::blockDim, blocks = ::gridDim;
    const uint3 first = { 0, 0, 0 };
    const uint3 last = { threads.x - 1, threads.y - 1, threads.z - 1 };
    uint3 block = ::blockIdx;
    for (;; ::blockIdx.x = ++block.x) {
        if (Guarded
            && !(guard_holds(parameters.body, first, block)
                 && guard_holds(parameters.body, last, block)))
            run_each_thread<Closure>(closure);
        else
            run_block<Closure, NeedsBuiltins, Guarded>(parameters, block,
                                                       threads, blocks);
        if (!softgpu_next_in_batch())
            return;
    }
}

/** Calls a stub with parameters P... from pointers to its arguments. */
template <auto Stub, class Type> struct stub_caller;
template <auto Stub, class... P> struct stub_caller<Stub, void (*)(P...)> {
    /** Bytes of each parameter; ends with 0, since an array is not empty. */
    static inline const uint32_t bytes[] = { uint32_t(sizeof(P))..., 0 };
    /** Alignment of each parameter. */
    static inline const uint32_t aligns[] = { uint32_t(alignof(P))..., 0 };
    static constexpr uint32_t count = sizeof...(P);
    /** Call Stub(*args[0], *args[1], ...). */
    static void call(void **args)
    {
        unpack(args, std::index_sequence_for<P...>());
    }
    template <std::size_t... I>
    static void unpack(void **args, std::index_sequence<I...>)
    {
        (void)args;
        Stub(*static_cast<std::remove_cv_t<std::remove_reference_t<P>> *>(
            args[I])...);
    }
};

/** Fill the kernel's record and register it; once, before main(). */
template <class Tag, auto Stub, class Closure> bool register_kernel()
{
    using call = stub_caller<Stub, decltype(Stub)>;
    constexpr source from = Tag::source();
    softgpu_kernel &kernel = kernel_of<Tag>::value;
    kernel.name = full_name<Tag>(from.name);
    kernel.file = from.file;
    kernel.line = from.line;
    kernel.stub = reinterpret_cast<const void *>(Stub);
#ifdef SOFTGPU_GANGS
    kernel.gang_threads = static_cast<uint32_t>(
        gang_threads<Closure, from.max_threads>());
    kernel.run_gang = kernel.gang_threads ? gang_main<Closure> : nullptr;
#endif
    if constexpr (!(from.flags & SOFTGPU_MAY_BLOCK))
        if (!kernel.gang_threads)
            kernel.run = run_blocks<
                Closure, (from.flags & SOFTGPU_NEEDS_BUILTINS) != 0,
                from.guarded>;
    kernel.run_thread = thread_entry<Closure, from.guarded>;
    kernel.call = call::call;
    kernel.param_bytes = call::bytes;
    kernel.param_aligns = call::aligns;
    kernel.type_name = typeid(Tag).name();
    kernel.params = call::count;
    kernel.flags = from.flags;
    kernel.max_threads = from.max_threads;
    kernel.min_blocks = from.min_blocks;
    kernel.max_dynamic = kernel.carveout = -1;
    softgpu_register_kernel(&kernel);
    return true;
}

/** Calls register_kernel() before main() for each instantiated kernel. */
template <class Tag, auto Stub, class Closure> struct registered {
    static inline const bool done = register_kernel<Tag, Stub, Closure>();
};

/** The body of every stub: enqueue the launch with the pushed
 *  configuration. */
template <class Tag, auto Stub, class Closure>
inline void launch_closure(const Closure &closure)
{
    (void)&registered<Tag, Stub, Closure>::done;
    softgpu_launch(&kernel_of<Tag>::value, &closure, sizeof closure,
                   alignof(Closure));
}

} // namespace softgpu

#endif
