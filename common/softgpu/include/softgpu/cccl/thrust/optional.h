/* SPDX-License-Identifier: MIT */
/** @file
 *  A header that Thrust 3 has no longer, and CUDA 12.8's Thrust has: libcu++'s
 *  names took its place.
 */
#pragma once

#include <thrust/detail/config.h>

#if CCCL_MAJOR_VERSION >= 3

#include <cuda/std/optional>

THRUST_NAMESPACE_BEGIN

using ::cuda::std::in_place;      /**< build the value where it stays */
using ::cuda::std::in_place_t;    /**< its type */
using ::cuda::std::make_optional; /**< an optional of a value */
using ::cuda::std::nullopt;       /**< no value */
using ::cuda::std::nullopt_t;     /**< its type */
using ::cuda::std::optional;      /**< a value or none */

THRUST_NAMESPACE_END

#else
#include_next <thrust/optional.h>
#endif
