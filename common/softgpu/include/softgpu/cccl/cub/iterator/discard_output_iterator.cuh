/* SPDX-License-Identifier: MIT */
/** @file
 *  A header that CUB 3 has no longer, and CUDA 12.8's CUB has: the iterator of
 *  Thrust that took its place.
 */
#pragma once

#include <cub/config.cuh>

#if CCCL_MAJOR_VERSION >= 3

#include <thrust/iterator/discard_iterator.h>

CUB_NAMESPACE_BEGIN

/** What is written is dropped. */
template <typename Offset = ::cuda::std::ptrdiff_t>
using DiscardOutputIterator = THRUST_NS_QUALIFIER::discard_iterator<>;

CUB_NAMESPACE_END

#else
#include_next <cub/iterator/discard_output_iterator.cuh>
#endif
