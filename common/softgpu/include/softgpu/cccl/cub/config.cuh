/* SPDX-License-Identifier: MIT */
/** @file
 *  NVIDIA's header of the same name, which every header of CUB includes, and
 *  the function objects that CUB 3 has no longer: to programs softcc is CUDA
 *  12.8, whose CUB has them.
 */
#pragma once

#include_next <cub/config.cuh>

#if CCCL_MAJOR_VERSION >= 3

#include <cuda/functional>
#include <cuda/std/functional>

CUB_NAMESPACE_BEGIN

using Equality = ::cuda::std::equal_to<>;       /**< a == b */
using Inequality = ::cuda::std::not_equal_to<>; /**< a != b */
using Sum = ::cuda::std::plus<>;                /**< a + b */
using Difference = ::cuda::std::minus<>;        /**< a - b */
using Division = ::cuda::std::divides<>;        /**< a / b */
using Max = ::cuda::maximum<>;                  /**< the larger one */
using Min = ::cuda::minimum<>;                  /**< the smaller one */

/** A number as a type. */
template <int N>
struct Int2Type {
    enum { VALUE = N }; /**< the number */
};

CUB_NAMESPACE_END

#endif
