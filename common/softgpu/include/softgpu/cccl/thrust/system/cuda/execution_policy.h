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
namespace cuda_cub
{
using thrust::system::cpp::detail::par_t; /**< the device system's policy */
inline constexpr par_t par{};             /**< wait at the end */
inline constexpr par_t par_nosync{};      /**< the same here */
} // namespace cuda_cub
namespace system
{
namespace cuda
{
namespace detail
{
using thrust::cuda_cub::par_t; /**< the same */
} // namespace detail
using thrust::cuda_cub::par;        /**< the same */
using thrust::cuda_cub::par_nosync; /**< the same */
} // namespace cuda
} // namespace system
namespace cuda
{
using thrust::cuda_cub::par;        /**< the same */
using thrust::cuda_cub::par_nosync; /**< the same */
} // namespace cuda
THRUST_NAMESPACE_END
