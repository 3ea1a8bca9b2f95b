/* SPDX-License-Identifier: MIT */
/** @file
 *  Stores of warp-synchronous programs: older reductions write shared memory
 *  through a volatile pointer, without __syncwarp(), and count on a warp to
 *  take each statement together.  softcc wraps what such a store goes to, and
 *  reads of the same arrays in other statements.
 */
#ifndef SOFTGPU_LOCKSTEP_H
#define SOFTGPU_LOCKSTEP_H

#include <type_traits>

#include "abi.h"
#include "inline.h"

namespace softgpu {

/** A volatile element of an array.  In shared memory the lanes that run
 *  together meet before they store, when all have read, and after it. */
template <class T> class lockstep_place {
public:
    SOFTGPU_FN lockstep_place(volatile T &place, unsigned at)
        : place_(place), at_(at)
    {
    }

    SOFTGPU_FN T operator=(T value) { return store(value); }
    template <class V> SOFTGPU_FN T operator+=(const V &v)
    {
        return store(static_cast<T>(place_ + v));
    }
    template <class V> SOFTGPU_FN T operator-=(const V &v)
    {
        return store(static_cast<T>(place_ - v));
    }
    template <class V> SOFTGPU_FN T operator*=(const V &v)
    {
        return store(static_cast<T>(place_ * v));
    }
    template <class V> SOFTGPU_FN T operator/=(const V &v)
    {
        return store(static_cast<T>(place_ / v));
    }
    template <class V> SOFTGPU_FN T operator%=(const V &v)
    {
        return store(static_cast<T>(place_ % v));
    }
    template <class V> SOFTGPU_FN T operator&=(const V &v)
    {
        return store(static_cast<T>(place_ & v));
    }
    template <class V> SOFTGPU_FN T operator|=(const V &v)
    {
        return store(static_cast<T>(place_ | v));
    }
    template <class V> SOFTGPU_FN T operator^=(const V &v)
    {
        return store(static_cast<T>(place_ ^ v));
    }

private:
    volatile T &place_;
    unsigned at_;

    SOFTGPU_FN T store(T value)
    {
        const bool together = softgpu_is_shared(&place_);
        if (together)
            softgpu_lockstep(at_);
        place_ = value;
        if (together)
            softgpu_lockstep(at_ + 1);
        return value;
    }
};

/** What a store to a volatile number goes through.
 *  @param at  even, and higher further down in the source */
template <class T>
SOFTGPU_FN std::enable_if_t<std::is_arithmetic<T>::value, lockstep_place<T>>
lockstep(volatile T &place, unsigned at)
{
    return lockstep_place<T>(place, at);
}
/** Other stores are what they were. */
template <class T> SOFTGPU_FN T &lockstep(T &place, unsigned)
{
    return place;
}

/** A volatile number that the function also stores: lanes that are about to
 *  store it further up do so first. */
template <class T>
SOFTGPU_FN std::enable_if_t<std::is_arithmetic<T>::value, T>
lockstep_value(volatile T &place, unsigned at)
{
    if (softgpu_is_shared(&place))
        softgpu_lockstep(at);
    return place;
}
/** Other elements are read as they were. */
template <class T> SOFTGPU_FN T &lockstep_value(T &place, unsigned)
{
    return place;
}

} // namespace softgpu

#endif
