/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's atomic functions, for the types that CUDA has them for.
 *
 *  They are templates, so that a program's own overload (the old
 *  `__device__ double atomicAdd(double *, double)`) is preferred, not refused.
 *  Every call may give way, so that a thread that spins lets others run.  On
 *  shared memory no other OS thread looks on: there one instruction is enough
 *  and needs no lock, for the only thing that can interrupt it is a signal.
 */
#ifndef SOFTGPU_ATOMIC_H
#define SOFTGPU_ATOMIC_H

#include <type_traits>

#include "abi.h"
#include "inline.h"

/** CUDA's atomics order nothing else; the watchers must know. */
#ifdef SOFTGPU_WATCHED
#define SOFTGPU_ATOMIC_ORDER __ATOMIC_RELAXED
#else
#define SOFTGPU_ATOMIC_ORDER __ATOMIC_SEQ_CST
#endif

namespace softgpu {

/** Is T one of Ts? */
template <class T, class... Ts>
constexpr bool is_one_of = (std::is_same<T, Ts>::value || ...);
/** R, if T is one of Ts. */
template <class R, class T, class... Ts>
using if_one_of = std::enable_if_t<is_one_of<T, Ts...>, R>;
/** A parameter that takes no part in deducing T. */
template <class T> struct same_as {
    using type = T; /**< T */
};
/** T, not deduced. */
template <class T> using given = typename same_as<T>::type;

/** The unsigned integer of so many bytes. */
template <int Bytes> struct word_of;
template <> struct word_of<2> { using type = uint16_t; };
template <> struct word_of<4> { using type = uint32_t; };
template <> struct word_of<8> { using type = uint64_t; };

/** The bits of a value as a value of type To, of the same size. */
template <class To, class From> SOFTGPU_FN To bits_as(const From &from)
{
    static_assert(sizeof(To) == sizeof(From), "same size");
    To to;
    __builtin_memcpy(static_cast<void *>(&to), &from, sizeof to);
    return to;
}

} // namespace softgpu

#ifdef SOFTGPU_WATCHED

extern "C" {
/** Show one atomic to who looks on; the swap must follow.
 *  @return what is at p now */
uint64_t softgpu_watched_atomic(const void *p, uint32_t bytes);
/** If the bytes at p are `expected`, make them `desired`; shown to nobody.
 *  @return what they were */
uint64_t softgpu_unwatched_swap(void *p, uint32_t bytes, uint64_t expected,
                                uint64_t desired);
}

namespace softgpu {

/** *p = next(*p) in one step; what it was.  Who looks on sees one atomic,
 *  however often it had to be tried. */
template <class T, class Next> SOFTGPU_FN T modify(T *p, Next next)
{
    using word = typename word_of<sizeof(T)>::type;
    softgpu_spin();
    word seen = static_cast<word>(softgpu_watched_atomic(p, sizeof(T)));
    for (;;) {
        const word desired = bits_as<word>(next(bits_as<T>(seen)));
        const word was = static_cast<word>(
            softgpu_unwatched_swap(p, sizeof(T), seen, desired));
        if (was == seen)
            return bits_as<T>(was);
        seen = was;
    }
}

/** *p += value in one step; what it was. */
template <class T> SOFTGPU_FN T add_integer(T *p, T value)
{
    return modify(p, [value](T old) -> T { return old + value; });
}

/** If *p is `expected`, make it desired.  @return what it was */
template <class W> SOFTGPU_FN W swap_if(void *p, W expected, W desired)
{
    softgpu_watched_atomic(p, sizeof(W));
    return static_cast<W>(
        softgpu_unwatched_swap(p, sizeof(W), expected, desired));
}

} // namespace softgpu

#else

namespace softgpu {

/** If *p is `expected`, make it desired.  @return what it was.
 *  The word may be read as any type: it is memory of the program's own. */
template <class W> SOFTGPU_FN W swap_if(void *p, W expected, W desired)
{
    typedef W __attribute__((may_alias)) word;
    word *at = static_cast<word *>(p);
#if defined(__x86_64__)
    if (softgpu_is_shared(p)) {
        __asm__ volatile("cmpxchg %2, %1"
                         : "+a"(expected), "+m"(*at)
                         : "r"(desired)
                         : "memory", "cc");
        return expected;
    }
#endif
    __atomic_compare_exchange_n(at, &expected, desired, false,
                                SOFTGPU_ATOMIC_ORDER, SOFTGPU_ATOMIC_ORDER);
    return expected;
}

/** *p = next(*p) in one step; what it was. */
template <class T, class Next> SOFTGPU_FN T modify(T *p, Next next)
{
    using word = typename word_of<sizeof(T)>::type;
    typedef word __attribute__((may_alias)) aliasing;
    word seen = *reinterpret_cast<const volatile aliasing *>(p);
    softgpu_spin();
    for (;;) {
        const word was = swap_if<word>(p, seen,
                                       bits_as<word>(next(bits_as<T>(seen))));
        if (was == seen)
            return bits_as<T>(was);
        seen = was;
    }
}

/** *p += value in one step; what it was. */
template <class T> SOFTGPU_FN T add_integer(T *p, T value)
{
    softgpu_spin();
#if defined(__x86_64__)
    if (softgpu_is_shared(p)) {
        __asm__ volatile("xadd %0, %1"
                         : "+r"(value), "+m"(*p)
                         :
                         : "memory");
        return value;
    }
#endif
    return __atomic_fetch_add(p, value, SOFTGPU_ATOMIC_ORDER);
}

} // namespace softgpu

#endif

/** @cond each as CUDA's guide says; returns what was there */

#define SOFTGPU_ATOMIC(name, scope, types, expression)                       \
    template <class T>                                                       \
    SOFTGPU_FN softgpu::if_one_of<T, T, SOFTGPU_LIST types>                  \
    name##scope(T *p, softgpu::given<T> v)                                   \
    {                                                                        \
        return softgpu::modify(p, [v](T old) -> T { return expression; });   \
    }
#define SOFTGPU_LIST(...) __VA_ARGS__

/* Half, bfloat16 and their pairs: any class with a sum and a word's size. */
#define SOFTGPU_ATOMIC_ADD(scope)                                            \
    template <class T>                                                       \
    SOFTGPU_FN                                                               \
    softgpu::if_one_of<T, T, int, unsigned, unsigned long long>              \
    atomicAdd##scope(T *p, softgpu::given<T> v)                              \
    {                                                                        \
        return softgpu::add_integer(p, v);                                   \
    }                                                                        \
    template <class T>                                                       \
    SOFTGPU_FN std::enable_if_t<softgpu::is_one_of<T, float, double>         \
                                    || std::is_class<T>::value,              \
                                T>                                           \
    atomicAdd##scope(T *p, softgpu::given<T> v)                              \
    {                                                                        \
        return softgpu::modify(p, [v](T old) -> T { return old + v; });      \
    }                                                                        \
    template <class T>                                                       \
    SOFTGPU_FN softgpu::if_one_of<T, T, int, unsigned>                       \
    atomicSub##scope(T *p, softgpu::given<T> v)                              \
    {                                                                        \
        return softgpu::add_integer(p, static_cast<T>(0u - v));              \
    }                                                                        \
    SOFTGPU_FN float2 atomicAdd##scope(float2 *p, float2 v)                  \
    {                                                                        \
        return float2{atomicAdd##scope(&p->x, v.x),                          \
                      atomicAdd##scope(&p->y, v.y)};                         \
    }                                                                        \
    SOFTGPU_FN float4 atomicAdd##scope(float4 *p, float4 v)                  \
    {                                                                        \
        return float4{atomicAdd##scope(&p->x, v.x),                          \
                      atomicAdd##scope(&p->y, v.y),                          \
                      atomicAdd##scope(&p->z, v.z),                          \
                      atomicAdd##scope(&p->w, v.w)};                         \
    }

#define SOFTGPU_ATOMIC_CAS(scope)                                            \
    template <class T>                                                       \
    SOFTGPU_FN softgpu::if_one_of<T, T, int, unsigned, unsigned long long,   \
                                  unsigned short>                            \
    atomicCAS##scope(T *p, softgpu::given<T> compare, softgpu::given<T> v)   \
    {                                                                        \
        using word = typename softgpu::word_of<sizeof(T)>::type;             \
        softgpu_spin();                                                      \
        return static_cast<T>(softgpu::swap_if<word>(                        \
            p, static_cast<word>(compare), static_cast<word>(v)));           \
    }

#define SOFTGPU_WORDS (int, unsigned, unsigned long long)
#define SOFTGPU_EXTREMES (int, unsigned, unsigned long long, long long)

#define SOFTGPU_ATOMICS(scope)                                               \
    SOFTGPU_ATOMIC_ADD(scope)                                                \
    SOFTGPU_ATOMIC_CAS(scope)                                                \
    SOFTGPU_ATOMIC(atomicExch, scope,                                        \
                   (int, unsigned, unsigned long long, float),               \
                   ((void)old, v))                                           \
    SOFTGPU_ATOMIC(atomicMin, scope, SOFTGPU_EXTREMES, v < old ? v : old)    \
    SOFTGPU_ATOMIC(atomicMax, scope, SOFTGPU_EXTREMES, v > old ? v : old)    \
    SOFTGPU_ATOMIC(atomicInc, scope, (unsigned), old >= v ? 0 : old + 1)     \
    SOFTGPU_ATOMIC(atomicDec, scope, (unsigned),                             \
                   old == 0 || old > v ? v : old - 1)                        \
    SOFTGPU_ATOMIC(atomicAnd, scope, SOFTGPU_WORDS, old & v)                 \
    SOFTGPU_ATOMIC(atomicOr, scope, SOFTGPU_WORDS, old | v)                  \
    SOFTGPU_ATOMIC(atomicXor, scope, SOFTGPU_WORDS, old ^ v)

SOFTGPU_ATOMICS()
SOFTGPU_ATOMICS(_block)
SOFTGPU_ATOMICS(_system)

#undef SOFTGPU_ATOMICS
#undef SOFTGPU_ATOMIC
#undef SOFTGPU_ATOMIC_ADD
#undef SOFTGPU_ATOMIC_CAS
#undef SOFTGPU_WORDS
#undef SOFTGPU_EXTREMES
#undef SOFTGPU_LIST
/** @endcond */

#endif
