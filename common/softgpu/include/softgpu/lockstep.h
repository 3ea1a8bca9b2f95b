/* SPDX-License-Identifier: MIT */
/** @file
 *  Warp-synchronous programs: older reductions write shared memory through a
 *  volatile pointer without __syncwarp() and rely on lockstep: all lanes of a
 *  warp execute a statement before the next one.  softcc wraps the target of
 *  such a store, and reads of the same arrays in other statements.  With
 *  --lockstep it does so for every array; without, it marks statements that may
 *  rely on lockstep, so that the program says once that it does.
 */
#ifndef SOFTGPU_LOCKSTEP_H
#define SOFTGPU_LOCKSTEP_H

#include <type_traits>

#include "abi.h"
#include "inline.h"

namespace softgpu {

/** Store a value.  In shared memory the lanes synchronize before the store,
 *  when all have loaded, and after it; in other memory only for an exchange.
 *  To the checks such a store is a plain one: it hands nothing over.
 *  @param target    of type T or volatile T
 *  @param at        position of the statement in source order, even
 *  @param exchange  the value comes from another element of the same array */
template <class T, class V>
SOFTGPU_FN void lockstep_store(T &target, const V &value, unsigned at,
                               bool exchange)
{
    const bool in_shared_memory = softgpu_is_shared(&target);
    if (!in_shared_memory && !exchange) {
        target = value;
        return;
    }
    softgpu_lockstep(at);
    if (in_shared_memory)
        target = value;
    else
        const_cast<std::remove_volatile_t<T> &>(target) = value;
    softgpu_lockstep(at + 1);
}

/** A reference to a volatile array element, whose stores are
 *  lockstep_store(). */
template <class T> class lockstep_reference {
public:
    SOFTGPU_FN lockstep_reference(volatile T &target, unsigned at,
                                  bool exchange)
        : target_(target), at_(at), exchange_(exchange)
    {
    }

    SOFTGPU_FN T operator=(T value) { return store(value); }
    template <class V> SOFTGPU_FN T operator+=(const V &v)
    {
        return store(static_cast<T>(target_ + v));
    }
    template <class V> SOFTGPU_FN T operator-=(const V &v)
    {
        return store(static_cast<T>(target_ - v));
    }
    template <class V> SOFTGPU_FN T operator*=(const V &v)
    {
        return store(static_cast<T>(target_ * v));
    }
    template <class V> SOFTGPU_FN T operator/=(const V &v)
    {
        return store(static_cast<T>(target_ / v));
    }
    template <class V> SOFTGPU_FN T operator%=(const V &v)
    {
        return store(static_cast<T>(target_ % v));
    }
    template <class V> SOFTGPU_FN T operator&=(const V &v)
    {
        return store(static_cast<T>(target_ & v));
    }
    template <class V> SOFTGPU_FN T operator|=(const V &v)
    {
        return store(static_cast<T>(target_ | v));
    }
    template <class V> SOFTGPU_FN T operator^=(const V &v)
    {
        return store(static_cast<T>(target_ ^ v));
    }

private:
    volatile T &target_;
    unsigned at_;
    bool exchange_;

    SOFTGPU_FN T store(T value)
    {
        lockstep_store(target_, value, at_, exchange_);
        return value;
    }
};

/** The target of a store to a volatile number.
 *  @param at        position in source order, even
 *  @param exchange  another element of the same array is loaded */
template <class T>
SOFTGPU_FN std::enable_if_t<std::is_arithmetic<T>::value, lockstep_reference<T>>
lockstep(volatile T &target, unsigned at, bool exchange = false)
{
    return lockstep_reference<T>(target, at, exchange);
}
/** The target of any other store: unchanged. */
template <class T> SOFTGPU_FN T &lockstep(T &target, unsigned, bool = false)
{
    return target;
}

/** A load of a volatile number that the function also stores: lanes that are at
 *  an earlier store continue first. */
template <class T>
SOFTGPU_FN std::enable_if_t<std::is_arithmetic<T>::value, T> lockstep_value(
    volatile T &target, unsigned at)
{
    if (softgpu_is_shared(&target))
        softgpu_lockstep(at);
    return target;
}
/** A load of any other element: unchanged. */
template <class T> SOFTGPU_FN T &lockstep_value(T &target, unsigned)
{
    return target;
}

/** For instrumented code: what a call returns, in a local variable that it is
 *  assigned from: that store is instrumented. */
template <class T> SOFTGPU_FN constexpr T &&seen_result(T &&value)
{
    return static_cast<T &&>(value);
}

/** For instrumented code in which copies are calls: a local variable of type T
 *  is returned, and is copied once more than in the program as it is.  Its
 *  class must not free what a copy of its bytes still uses. */
template <class T> SOFTGPU_FN constexpr void may_copy()
{
    static_assert(!std::is_class<T>::value
                      || std::is_trivially_destructible<T>::value
                      || !std::is_copy_constructible<T>::value
                      || !__has_trivial_copy(T),
                  "a class with a destructor and no copy constructor");
}

/** For softcc --lockstep: a reference to an element of any array and type. */
template <class T> class lockstep_element {
public:
    SOFTGPU_FN lockstep_element(T &target, unsigned at, bool exchange)
        : target_(target), at_(at), exchange_(exchange)
    {
    }

    template <class V> SOFTGPU_FN T &operator=(const V &v)
    {
        const T value = static_cast<T>(v);
        return store(value);
    }
    SOFTGPU_FN T &operator=(const lockstep_element &other)
    {
        const T value = other.target_;
        return store(value);
    }
#define SOFTGPU_LOCKSTEP_OPERATOR(op)                                         \
    template <class V> SOFTGPU_FN T &operator op(const V &v)                  \
    {                                                                         \
        T value = target_;                                                    \
        value op v;                                                           \
        return store(value);                                                  \
    }
    SOFTGPU_LOCKSTEP_OPERATOR(+=)
    SOFTGPU_LOCKSTEP_OPERATOR(-=)
    SOFTGPU_LOCKSTEP_OPERATOR(*=)
    SOFTGPU_LOCKSTEP_OPERATOR(/=)
    SOFTGPU_LOCKSTEP_OPERATOR(%=)
    SOFTGPU_LOCKSTEP_OPERATOR(&=)
    SOFTGPU_LOCKSTEP_OPERATOR(|=)
    SOFTGPU_LOCKSTEP_OPERATOR(^=)
#undef SOFTGPU_LOCKSTEP_OPERATOR

private:
    T &target_;
    unsigned at_;
    bool exchange_;

    SOFTGPU_FN T &store(const T &value)
    {
        lockstep_store(target_, value, at_, exchange_);
        return target_;
    }
};

/** softcc --lockstep: the target of a store to an element. */
template <class T>
SOFTGPU_FN lockstep_element<T> lockstep_any(T &target, unsigned at,
                                            bool exchange = false)
{
    return lockstep_element<T>(target, at, exchange);
}
/** softcc --lockstep: a load of an element that the function also stores. */
template <class T> SOFTGPU_FN T &lockstep_any_value(T &target, unsigned at)
{
    if (softgpu_is_shared(&target))
        softgpu_lockstep(at);
    return target;
}

/** 0: enough accesses were noted. */
inline int notes_lockstep = 1;

/** An access of a statement whose result may depend on the order of lanes. */
template <bool is_store, class T> SOFTGPU_FN T &note_lockstep(T &target)
{
    if (__atomic_load_n(&notes_lockstep, __ATOMIC_RELAXED)
        && softgpu_is_shared(&target))
        __atomic_store_n(&notes_lockstep,
                         softgpu_note_lockstep(&target, is_store),
                         __ATOMIC_RELAXED);
    return target;
}

} // namespace softgpu

#endif
