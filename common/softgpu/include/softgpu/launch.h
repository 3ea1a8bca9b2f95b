/* SPDX-License-Identifier: MIT */
/** @file
 *  What the stub of a kernel calls: describe the kernel, link it into the
 *  runtime's list before main(), and queue a launch of its closure.
 *
 *  softcc makes of `__global__ void k(int *a) { BODY }`
 *
 *      void k(int *a)
 *      {
 *          struct softgpu_tag { static constexpr softgpu::source source() ... };
 *          softgpu::enter<softgpu_tag, static_cast<void (*)(int *)>(&k)>(
 *              [=](const uint3 threadIdx, const uint3 blockIdx,
 *                  const dim3 blockDim, const dim3 gridDim,
 *                  softgpu::guard &) mutable { BODY });
 *      }
 *
 *  The closure's type is the kernel's body; the loops over it live here.
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

#ifdef SOFTGPU_WATCHED
/** Copy a thread's parameters; who looks on takes the copy for what it is. */
extern "C" void softgpu_watched_parameters(void *to, const void *from,
                                           size_t bytes);
#endif

namespace softgpu {

/** What softcc knows of a kernel from its source. */
struct source {
    const char *name;     /**< without template arguments */
    const char *file;     /**< the student's */
    int line;             /**< of the name */
    unsigned flags;       /**< SOFTGPU_MAY_BLOCK ... */
    unsigned max_threads; /**< __launch_bounds__, or 0 */
    unsigned min_blocks;  /**< its second argument, or 0 */
    bool guarded;         /**< the body uses its softgpu::guard */
};

/** What a kernel's first `if` is told, and asked: see rewrite_guard.c. */
struct guard {
    bool asked; /**< only say whether it holds */
    bool holds; /**< it is known to hold; the answer, when asked */

    /** True if that was all that was wanted. */
    SOFTGPU_FN bool asks(bool condition)
    {
        if (asked)
            holds = condition;
        return asked;
    }
};

/** <<<grid, block, shared_bytes, stream>>>, the last two may be missing. */
inline int push(dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                void *stream = nullptr)
{
    return softgpu_push(grid, block, shared_bytes, stream);
}

/** The runtime's record of the kernel that Tag stands for. */
template <class Tag> struct kernel_of {
    static inline softgpu_kernel value = {};
};

/** "scan<float, 256>": the name with what the template was given; it is in
 *  the demangled name of the tag, which is local to the stub. */
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
    return strndup(at, end + 1 - at); /* kept for the program's life */
}

/** A thread's copy of the parameters. */
template <class Closure, bool Plain = std::is_trivially_copyable<Closure>::value>
struct copy_of {
    Closure body;
    /** Inlined also by a watched build, where parameters would otherwise be
     *  read from memory each time. */
    __attribute__((always_inline)) explicit copy_of(const Closure &closure)
        : body(closure)
    {
    }
};
/** A copy of the bits only: copy constructors ran at the launch, on the host,
 *  and destructors run there too. */
template <class Closure> struct copy_of<Closure, false> {
    union {
        Closure body;
    };
    explicit copy_of(const Closure &closure)
    {
#ifdef SOFTGPU_WATCHED
        softgpu_watched_parameters(static_cast<void *>(&body), &closure,
                                   sizeof body);
#else
        std::memcpy(static_cast<void *>(&body), &closure, sizeof body);
#endif
    }
    ~copy_of() {}
};

/** Run the thread that threadIdx names. */
template <class Closure> inline void run_one(const void *closure)
{
    copy_of<Closure> own(*static_cast<const Closure *>(closure));
    guard nothing = {false, false};
    own.body(::threadIdx, ::blockIdx, ::blockDim, ::gridDim, nothing);
}
/** The same, not repeated where it is used: for what is rare. */
template <class Closure>
__attribute__((noinline)) void run_one_apart(const void *closure)
{
    run_one<Closure>(closure);
}

/** One thread of the block, on its own copy of the parameters. */
template <class Closure, bool Guarded> void one_thread(const void *closure)
{
    if constexpr (Guarded)
        run_one_apart<Closure>(closure);
    else
        run_one<Closure>(closure);
    softgpu_finish();
}

/** Does the kernel's guard hold for this thread of the block? */
template <class Closure>
inline bool holds_for(const Closure &parameters, const uint3 thread,
                      const uint3 block)
{
    copy_of<Closure> own(parameters);
    guard question = {true, false};
    own.body(thread, block, ::blockDim, ::gridDim, question);
    return question.holds;
}

/** All threads, one by one: a block that the guard splits. */
template <class Closure> void each_thread(const void *closure)
{
    const dim3 threads = ::blockDim;
    for (unsigned z = 0; z < threads.z; z++)
        for (unsigned y = 0; y < threads.y; y++)
            for (unsigned x = 0; x < threads.x; x++) {
                ::threadIdx = {x, y, z};
                run_one_apart<Closure>(closure);
            }
}

/** The core runs a block whole only where these hold: then an index is no
 *  larger than an int, and rises by 1 from thread to thread. */
SOFTGPU_FN void promise(const uint3 block, const dim3 threads)
{
    constexpr unsigned limit = 0x7fffffff - 1024;
    if (threads.x - 1 >= 1024 || threads.y - 1 >= 1024 || threads.z - 1 >= 64
        || block.x * threads.x > limit || block.y * threads.y > limit
        || block.z * threads.z > limit)
        __builtin_unreachable();
}

/** All threads of a block in loops that the compiler sees whole. */
template <class Closure, bool Ids, bool Guarded>
SOFTGPU_FN void one_block(const copy_of<Closure> &parameters,
                          const uint3 block, const dim3 threads,
                          const dim3 blocks)
{
    guard all = {false, Guarded};
    promise(block, threads);
    for (unsigned z = 0; z < threads.z; z++)
        for (unsigned y = 0; y < threads.y; y++)
            for (unsigned x = 0; x < threads.x; x++) {
                copy_of<Closure> own(parameters.body);
                const uint3 thread = {x, y, z};
                if constexpr (Ids)
                    ::threadIdx = thread;
                own.body(thread, block, threads, blocks, all);
            }
}

/** Blocks in a row, from blockIdx on.
 *  @tparam Ids      store threadIdx for functions that the body calls
 *  @tparam Guarded  the loops are for blocks where the guard holds for all */
template <class Closure, bool Ids, bool Guarded>
void all_threads(const void *closure)
{
    const copy_of<Closure> parameters(*static_cast<const Closure *>(closure));
    const dim3 threads = ::blockDim, blocks = ::gridDim;
    const uint3 first = {0, 0, 0};
    const uint3 last = {threads.x - 1, threads.y - 1, threads.z - 1};
    uint3 block = ::blockIdx;
    for (;; ::blockIdx.x = ++block.x) {
        if (Guarded && !(holds_for(parameters.body, first, block)
                         && holds_for(parameters.body, last, block)))
            each_thread<Closure>(closure);
        else
            one_block<Closure, Ids, Guarded>(parameters, block, threads,
                                             blocks);
        if (!softgpu_next_in_row())
            return;
    }
}

/** Calls a stub of parameters P... with pointers to its arguments. */
template <auto Stub, class Type> struct caller;
template <auto Stub, class... P> struct caller<Stub, void (*)(P...)> {
    /** Bytes of each parameter, and a 0 so that it is never empty. */
    static inline const uint32_t bytes[] = {uint32_t(sizeof(P))..., 0};
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

/** Fill the kernel's record and link it; run once, before main(). */
template <class Tag, auto Stub, class Closure> bool describe()
{
    using call = caller<Stub, decltype(Stub)>;
    constexpr source from = Tag::source();
    softgpu_kernel &kernel = kernel_of<Tag>::value;
    kernel.name = full_name<Tag>(from.name);
    kernel.file = from.file;
    kernel.line = from.line;
    kernel.stub = reinterpret_cast<const void *>(Stub);
    if constexpr (!(from.flags & SOFTGPU_MAY_BLOCK))
        kernel.run = all_threads<Closure, (from.flags & SOFTGPU_NEEDS_IDS) != 0,
                                 from.guarded>;
    kernel.one = one_thread<Closure, from.guarded>;
    kernel.call = call::call;
    kernel.param_bytes = call::bytes;
    kernel.params = call::count;
    kernel.flags = from.flags;
    kernel.max_threads = from.max_threads;
    kernel.min_blocks = from.min_blocks;
    kernel.max_dynamic = kernel.carveout = -1;
    softgpu_register_kernel(&kernel);
    return true;
}

/** Makes describe() run at start-up for each kernel that is compiled. */
template <class Tag, auto Stub, class Closure> struct registered {
    static inline const bool done = describe<Tag, Stub, Closure>();
};

/** The body of every stub: queue the launch whose shape was pushed. */
template <class Tag, auto Stub, class Closure>
inline void enter(const Closure &closure)
{
    (void)&registered<Tag, Stub, Closure>::done;
    softgpu_launch(&kernel_of<Tag>::value, &closure, sizeof closure,
                   alignof(Closure));
}

} // namespace softgpu

#endif
