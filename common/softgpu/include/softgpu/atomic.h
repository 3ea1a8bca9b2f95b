/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's atomic functions, for the types that CUDA defines them for.
 *
 *  They are templates, so that a program's own overload (the old
 *  `__device__ double atomicAdd(double *, double)`) is preferred and no
 *  redefinition.  Every call can yield, so that a spinning thread lets others
 *  run.  Shared memory is accessed by one OS thread only: there one instruction
 *  without a lock prefix is atomic enough, since only a signal can interrupt
 *  it.
 */
#ifndef SOFTGPU_ATOMIC_H
#define SOFTGPU_ATOMIC_H

#include <type_traits>

#include "abi.h"
#include "inline.h"

/** CUDA's atomics are relaxed; the race check must see that. */
#ifdef SOFTGPU_INSTRUMENTED
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
/** A parameter type from which T is not deduced. */
template <class T> struct type_identity {
    using type = T; /**< T */
};
/** T, not deduced. */
template <class T> using non_deduced = typename type_identity<T>::type;

/** The unsigned integer type of a size. */
template <int Bytes> struct uint_of_size;
template <> struct uint_of_size<2> { using type = uint16_t; };
template <> struct uint_of_size<4> { using type = uint32_t; };
template <> struct uint_of_size<8> { using type = uint64_t; };

/** The bits of a value as a value of type To, of the same size. */
template <class To, class From> SOFTGPU_FN auto bit_cast(const From &from)
{
    static_assert(sizeof(To) == sizeof(From), "same size");
    To to;
    __builtin_memcpy(static_cast<void *>(&to), &from, sizeof to);
    return to;
}

} // namespace softgpu

#ifdef SOFTGPU_INSTRUMENTED

extern "C" {
/** Report an atomic access to the instrumentation; the swap must follow.
 *  @return the value at p */
uint64_t softgpu_instrumented_atomic(const void *p, uint32_t bytes,
                                     enum softgpu_atomic_kind kind);
/** Compare and swap without instrumentation.
 *  @return the old value at p */
uint64_t softgpu_uninstrumented_cas(void *p, uint32_t bytes, uint64_t expected,
                                    uint64_t desired);
}

namespace softgpu {

/** Atomically *p = next(*p).  Retries are not instrumented: it is one access.
 *  @return the old value */
template <class T, class Next>
SOFTGPU_FN auto atomic_update(T *p, Next next,
                              softgpu_atomic_kind kind = SOFTGPU_ATOMIC_UPDATE)
{
    using word = typename uint_of_size<sizeof(T)>::type;
    softgpu_spin();
    word current =
        static_cast<word>(softgpu_instrumented_atomic(p, sizeof(T), kind));
    for (;;) {
        const word desired = bit_cast<word>(next(bit_cast<T>(current)));
        const word found_value = static_cast<word>(
            softgpu_uninstrumented_cas(p, sizeof(T), current, desired));
        if (found_value == current)
            return bit_cast<T>(found_value);
        current = found_value;
    }
}

/** Adding 0 is how programs load a word atomically. */
template <class T> SOFTGPU_FN auto kind_of_add(const T &value)
{
    if constexpr (std::is_arithmetic<T>::value)
        return value == T() ? SOFTGPU_ATOMIC_LOAD : SOFTGPU_ATOMIC_UPDATE;
    else
        return SOFTGPU_ATOMIC_UPDATE;
}

/** A kind of atomic with the scope of a function's suffix. */
SOFTGPU_FN softgpu_atomic_kind scope_of(softgpu_atomic_kind kind)
{
    return kind;
}
/** Likewise, of _block. */
SOFTGPU_FN softgpu_atomic_kind scope_of_block(softgpu_atomic_kind kind)
{
    return static_cast<softgpu_atomic_kind>(kind | SOFTGPU_ATOMIC_BLOCK);
}
/** Likewise, of _system. */
SOFTGPU_FN softgpu_atomic_kind scope_of_system(softgpu_atomic_kind kind)
{
    return kind;
}

/** Atomically *p += value.  @return the old value */
template <class T>
SOFTGPU_FN T add_integer(T *p, T value, softgpu_atomic_kind kind)
{
    return atomic_update(p, [value](T old) -> T { return old + value; }, kind);
}

/** Compare and swap.
 *  @param scope  SOFTGPU_ATOMIC_BLOCK, or 0
 *  @return the old value */
template <class W>
SOFTGPU_FN auto compare_and_swap(void *p, W expected, W desired, int scope = 0)
{
    const int kind = expected == desired ? SOFTGPU_ATOMIC_LOAD
                                         : SOFTGPU_ATOMIC_COMPARE;
    softgpu_instrumented_atomic(
        p, sizeof(W), static_cast<softgpu_atomic_kind>(kind | scope));
    return static_cast<W>(
        softgpu_uninstrumented_cas(p, sizeof(W), expected, desired));
}

} // namespace softgpu

#else

namespace softgpu {

/** Compare and swap of a word that may alias any type; every scope is the
 *  device's.
 *  @return the old value */
template <class W>
SOFTGPU_FN auto compare_and_swap(void *p, W expected, W desired, int = 0)
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

/** Instrumented programs use the result of kind_of_add(). */
template <class T> SOFTGPU_FN auto kind_of_add(const T &)
{
    return SOFTGPU_ATOMIC_UPDATE;
}

/** Atomically *p = next(*p).  @return the old value */
template <class T, class Next>
SOFTGPU_FN auto atomic_update(T *p, Next next,
                              softgpu_atomic_kind = SOFTGPU_ATOMIC_UPDATE)
{
    using word = typename uint_of_size<sizeof(T)>::type;
    typedef word __attribute__((may_alias)) aliasing;
    word current = *reinterpret_cast<const volatile aliasing *>(p);
    softgpu_spin();
    for (;;) {
        const word found_value = compare_and_swap<word>(
            p, current, bit_cast<word>(next(bit_cast<T>(current))));
        if (found_value == current)
            return bit_cast<T>(found_value);
        current = found_value;
    }
}

/** Scopes are for instrumented programs, too. */
SOFTGPU_FN softgpu_atomic_kind scope_of(softgpu_atomic_kind kind)
{
    return kind;
}
/** Likewise, of _block. */
SOFTGPU_FN softgpu_atomic_kind scope_of_block(softgpu_atomic_kind kind)
{
    return kind;
}
/** Likewise, of _system. */
SOFTGPU_FN softgpu_atomic_kind scope_of_system(softgpu_atomic_kind kind)
{
    return kind;
}

/** Atomically *p += value.  @return the old value */
template <class T>
SOFTGPU_FN T add_integer(T *p, T value,
                         softgpu_atomic_kind = SOFTGPU_ATOMIC_UPDATE)
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

/** @cond the functions of the CUDA Programming Guide; @return the old value */

#define SOFTGPU_ATOMIC(name, scope, types, expression)                         \
    template <class T>                                                         \
    SOFTGPU_FN softgpu::if_one_of<T, T, SOFTGPU_LIST types> name##scope(       \
        T *p, softgpu::non_deduced<T> v)                                       \
    {                                                                          \
        return softgpu::atomic_update(                                         \
            p, [v](T old) -> T { return expression; },                         \
            softgpu::scope_of##scope(SOFTGPU_ATOMIC_UPDATE));                  \
    }
#define SOFTGPU_LIST(...) __VA_ARGS__

/* Half, bfloat16 and their pairs: classes with operator+ and a word's size. */
#define SOFTGPU_ATOMIC_ADD(scope)                                              \
    template <class T>                                                         \
    SOFTGPU_FN softgpu::if_one_of<T, T, int, unsigned, unsigned long long>     \
        atomicAdd##scope(T *p, softgpu::non_deduced<T> v)                      \
    {                                                                          \
        return softgpu::add_integer(                                           \
            p, v, softgpu::scope_of##scope(softgpu::kind_of_add(v)));          \
    }                                                                          \
    template <class T>                                                         \
    SOFTGPU_FN std::enable_if_t<                                               \
        softgpu::is_one_of<T, float, double> || std::is_class<T>::value, T>    \
        atomicAdd##scope(T *p, softgpu::non_deduced<T> v)                      \
    {                                                                          \
        return softgpu::atomic_update(                                         \
            p, [v](T old) -> T { return old + v; },                            \
            softgpu::scope_of##scope(softgpu::kind_of_add(v)));                \
    }                                                                          \
    template <class T>                                                         \
    SOFTGPU_FN softgpu::if_one_of<T, T, int, unsigned> atomicSub##scope(       \
        T *p, softgpu::non_deduced<T> v)                                       \
    {                                                                          \
        return softgpu::add_integer(                                           \
            p, static_cast<T>(0u - v),                                         \
            softgpu::scope_of##scope(softgpu::kind_of_add(v)));                \
    }                                                                          \
    SOFTGPU_FN float2 atomicAdd##scope(float2 *p, float2 v)                    \
    {                                                                          \
        return float2{ atomicAdd##scope(&p->x, v.x),                           \
                       atomicAdd##scope(&p->y, v.y) };                         \
    }                                                                          \
    SOFTGPU_FN float4 atomicAdd##scope(float4 *p, float4 v)                    \
    {                                                                          \
        return float4{ atomicAdd##scope(&p->x, v.x),                           \
                       atomicAdd##scope(&p->y, v.y),                           \
                       atomicAdd##scope(&p->z, v.z),                           \
                       atomicAdd##scope(&p->w, v.w) };                         \
    }

#define SOFTGPU_ATOMIC_CAS(scope)                                              \
    template <class T>                                                         \
    SOFTGPU_FN softgpu::if_one_of<T, T, int, unsigned, unsigned long long,     \
                                  unsigned short>                              \
        atomicCAS##scope(T *p, softgpu::non_deduced<T> compare,                \
                         softgpu::non_deduced<T> v)                            \
    {                                                                          \
        using word = typename softgpu::uint_of_size<sizeof(T)>::type;          \
        softgpu_spin();                                                        \
        return static_cast<T>(softgpu::compare_and_swap<word>(                 \
            p, static_cast<word>(compare), static_cast<word>(v),               \
            softgpu::scope_of##scope(SOFTGPU_ATOMIC_UPDATE)));                 \
    }

#define SOFTGPU_BITWISE_TYPES (int, unsigned, unsigned long long)
#define SOFTGPU_MINMAX_TYPES (int, unsigned, unsigned long long, long long)

#define SOFTGPU_ATOMICS(scope)                                                 \
    SOFTGPU_ATOMIC_ADD(scope)                                                  \
    SOFTGPU_ATOMIC_CAS(scope)                                                  \
    SOFTGPU_ATOMIC(atomicExch, scope,                                          \
                   (int, unsigned, unsigned long long, float), ((void)old, v)) \
    SOFTGPU_ATOMIC(atomicMin, scope, SOFTGPU_MINMAX_TYPES, v < old ? v : old)  \
    SOFTGPU_ATOMIC(atomicMax, scope, SOFTGPU_MINMAX_TYPES, v > old ? v : old)  \
    SOFTGPU_ATOMIC(atomicInc, scope, (unsigned), old >= v ? 0 : old + 1)       \
    SOFTGPU_ATOMIC(atomicDec, scope, (unsigned),                               \
                   old == 0 || old > v ? v : old - 1)                          \
    SOFTGPU_ATOMIC(atomicAnd, scope, SOFTGPU_BITWISE_TYPES, old & v)           \
    SOFTGPU_ATOMIC(atomicOr, scope, SOFTGPU_BITWISE_TYPES, old | v)            \
    SOFTGPU_ATOMIC(atomicXor, scope, SOFTGPU_BITWISE_TYPES, old ^ v)

SOFTGPU_ATOMICS()
SOFTGPU_ATOMICS(_block)
SOFTGPU_ATOMICS(_system)

#undef SOFTGPU_ATOMICS
#undef SOFTGPU_ATOMIC
#undef SOFTGPU_ATOMIC_ADD
#undef SOFTGPU_ATOMIC_CAS
#undef SOFTGPU_BITWISE_TYPES
#undef SOFTGPU_MINMAX_TYPES
#undef SOFTGPU_LIST
/** @endcond */

#endif
