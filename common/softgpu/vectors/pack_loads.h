/* SPDX-License-Identifier: MIT */
/** @file
 *  The loads of float4 whose words may stay in the order of memory. */
#ifndef SOFTGPU_VECTORS_PACK_LOADS_H
#define SOFTGPU_VECTORS_PACK_LOADS_H

#include <array>
#include <vector>

#include "common/softgpu/vectors/groups.h"

namespace vectors {

/** Four values, one of each word. */
using quad = std::array<llvm::Value *, QUAD>;

/** Float4 that are loaded in loops. */
struct packable_loads {
    std::vector<quad> loads; /**< the cheapest first */
    llvm::DenseMap<const llvm::Value *, quad> by_load; /**< by each of its
                                                            loads */
};

/** Find those of which each part of a row is one load, or two. */
packable_loads find_packable(kernel &k);

} // namespace vectors

#endif
