/* SPDX-License-Identifier: MIT */
/** @file
 *  A header that CUB 3 has no longer, and CUDA 12.8's CUB has: the iterator of
 *  Thrust that took its place.
 */
#pragma once

#include <cub/config.cuh>

#if CCCL_MAJOR_VERSION >= 3

#include <thrust/iterator/constant_iterator.h>

CUB_NAMESPACE_BEGIN

/** The same value everywhere. */
template <typename Value, typename Offset = ::cuda::std::ptrdiff_t>
using ConstantInputIterator = THRUST_NS_QUALIFIER::constant_iterator<Value>;

CUB_NAMESPACE_END

#else
#include_next <cub/iterator/constant_input_iterator.cuh>
#endif
