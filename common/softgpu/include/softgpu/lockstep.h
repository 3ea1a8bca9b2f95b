/* SPDX-License-Identifier: MIT */
/** @file
 *  Stores of warp-synchronous programs: older reductions write shared memory
 *  through a volatile pointer, without __syncwarp(), and count on a warp to
 *  take each statement together.  softcc wraps what such a store goes to.
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
    SOFTGPU_FN explicit lockstep_place(volatile T &place) : place_(place) {}

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

    SOFTGPU_FN T store(T value)
    {
        const bool together = softgpu_is_shared(&place_);
        if (together)
            softgpu_active_mask();
        place_ = value;
        if (together)
            softgpu_active_mask();
        return value;
    }
};

/** What a store to a volatile number goes through. */
template <class T>
SOFTGPU_FN std::enable_if_t<std::is_arithmetic<T>::value, lockstep_place<T>>
lockstep(volatile T &place)
{
    return lockstep_place<T>(place);
}
/** Other stores are what they were. */
template <class T> SOFTGPU_FN T &lockstep(T &place)
{
    return place;
}

} // namespace softgpu

#endif
