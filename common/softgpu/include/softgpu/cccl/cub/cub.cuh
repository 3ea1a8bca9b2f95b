/* SPDX-License-Identifier: MIT */
/** @file
 *  NVIDIA's header of the same name, and the iterators that CUB 3 has no
 *  longer.
 */
#pragma once

#include_next <cub/cub.cuh>

#include <cub/iterator/constant_input_iterator.cuh>
#include <cub/iterator/counting_input_iterator.cuh>
#include <cub/iterator/discard_output_iterator.cuh>
#include <cub/iterator/transform_input_iterator.cuh>
