/* SPDX-License-Identifier: MIT */
/** @file
 *  A header that CUB 3 has no longer, and CUDA 12.8's CUB has: the iterator of
 *  Thrust that took its place.
 */
#pragma once

#include <cub/config.cuh>

#if CCCL_MAJOR_VERSION >= 3

#include <thrust/iterator/transform_iterator.h>

CUB_NAMESPACE_BEGIN

/** An operation's results over another iterator. */
template <typename Value, typename Operation, typename Iterator,
          typename Offset = ::cuda::std::ptrdiff_t>
using TransformInputIterator =
    THRUST_NS_QUALIFIER::transform_iterator<Operation, Iterator, Value>;

CUB_NAMESPACE_END

#else
#include_next <cub/iterator/transform_input_iterator.cuh>
#endif
