/* SPDX-License-Identifier: MIT */
/** @file
 *  Replaces NVIDIA's header of the same name: the tag and the policies of
 *  CUDA's system, which CUB's headers name, are those of the device system,
 *  which is the C++ one.
 */
#pragma once

#include <thrust/detail/config.h>
#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/system/cpp/detail/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub
{

using thrust::system::cpp::tag; /**< of the device system */
/** Base of its policies. */
template <class Derived>
using execution_policy = thrust::system::cpp::detail::execution_policy<Derived>;

} // namespace cuda_cub
namespace system
{
namespace cuda
{
namespace detail
{

using thrust::cuda_cub::execution_policy; /**< the same */
using thrust::cuda_cub::tag;              /**< the same */

} // namespace detail

using thrust::cuda_cub::execution_policy; /**< the same */
using thrust::cuda_cub::tag;              /**< the same */

} // namespace cuda
} // namespace system
namespace cuda
{

using thrust::cuda_cub::execution_policy; /**< the same */
using thrust::cuda_cub::tag;              /**< the same */

} // namespace cuda
THRUST_NAMESPACE_END
