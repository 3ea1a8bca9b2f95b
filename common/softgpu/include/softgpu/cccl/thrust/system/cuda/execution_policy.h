/* SPDX-License-Identifier: MIT */
/** @file
 *  Replaces NVIDIA's header of the same name: thrust::cuda::par and par_nosync,
 *  with a stream or without, are the policy of the device system, whose
 *  algorithms wait for all kernels that were launched before.
 */
#pragma once

#include <thrust/detail/config.h>
#include <thrust/system/cpp/execution_policy.h>
#include <thrust/system/cuda/detail/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace cuda
{
namespace detail
{

/** The device system's policy; a stream has no effect. */
struct par_t : thrust::system::cpp::detail::par_t {
    /** Work of this stream: algorithms end before they return. */
    thrust::system::cpp::detail::par_t on(cudaStream_t) const { return {}; }
};

} // namespace detail

inline constexpr detail::par_t par{};        /**< wait at the end */
inline constexpr detail::par_t par_nosync{}; /**< the same here */

} // namespace cuda
} // namespace system
namespace cuda
{
using thrust::system::cuda::par;        /**< the same */
using thrust::system::cuda::par_nosync; /**< the same */
} // namespace cuda
THRUST_NAMESPACE_END
