/* SPDX-License-Identifier: MIT */
/** @file
 *  Replaces NVIDIA's header of the same name: thrust::device can name a stream
 *  and an allocator, as on a card.  Its algorithms wait for all kernels that
 *  were launched before, and end before they return.
 */
#pragma once

#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/detail/config.h>
#include <thrust/system/cpp/detail/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace cpp
{
namespace detail
{

/** Base of the policies that can name a stream. */
template <typename Derived>
struct execute_on_stream_base : execution_policy<Derived> {
    /** @return the same policy; the stream has no effect */
    Derived on(cudaStream_t) const
    {
        return static_cast<const Derived &>(*this);
    }
};

/** The policy with a stream. */
struct execute_on_stream : execute_on_stream_base<execute_on_stream> {};

/** The policy; called with an allocator it is one with that allocator. */
struct par_t
    : execution_policy<par_t>,
      thrust::detail::allocator_aware_execution_policy<execute_on_stream_base> {
    /** A constant. */
    constexpr par_t() {}
    /** @return the policy with a stream */
    execute_on_stream on(cudaStream_t) const { return {}; }
};

} // namespace detail

inline constexpr detail::par_t par{}; /**< of the device system */

} // namespace cpp
} // namespace system
namespace cpp
{
using thrust::system::cpp::par; /**< the same */
} // namespace cpp
THRUST_NAMESPACE_END
