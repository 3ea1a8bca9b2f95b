/* SPDX-License-Identifier: MIT */
/** @file
 *  NVIDIA's header of the same name, and what Thrust 3 has no longer: to
 *  programs softcc is CUDA 12.8, whose Thrust has it.
 */
#pragma once

#include_next <thrust/functional.h>

#if CCCL_MAJOR_VERSION >= 3

THRUST_NAMESPACE_BEGIN

/** A function object of one argument tells its types. */
template <typename Argument, typename Result>
struct unary_function {
    using argument_type = Argument; /**< of the argument */
    using result_type = Result;     /**< of the result */
};

/** A function object of two arguments tells its types. */
template <typename First, typename Second, typename Result>
struct binary_function {
    using first_argument_type = First;   /**< of the first argument */
    using second_argument_type = Second; /**< of the second argument */
    using result_type = Result;          /**< of the result */
};

/** The argument itself. */
template <typename T = void>
struct identity : unary_function<T, T> {
    /** @return x */
    constexpr const T &operator()(const T &x) const { return x; }
};

/** The argument itself, of any type. */
template <>
struct identity<void> {
    /** @return x */
    template <typename T>
    constexpr T &&operator()(T &&x) const
    {
        return static_cast<T &&>(x);
    }
};

THRUST_NAMESPACE_END

#endif
