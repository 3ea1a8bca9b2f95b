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

/** A float4 that is loaded. */
struct packable {
    quad words;     /**< their loads */
    unsigned order; /**< of kernel.packed_orders: the places of the threads */
};

/** Float4 that are loaded in loops. */
struct packable_loads {
    std::vector<packable> loads; /**< the cheapest first */
    llvm::DenseMap<const llvm::Value *, packable> by_load; /**< by each word */
};

/** packed_order.cpp: the order of a row's threads in which the float4 of a
 *  block of the code are multiplied with the fewest shuffles.
 *  @return its number in kernel.packed_orders, to which it may be added */
unsigned choose_order(kernel &k, llvm::ArrayRef<quad> loads);
/** Places that differ from the next one of their part by something else than 16
 *  bytes. */
unsigned count_breaks(const shape &by_place, unsigned lanes);
/** Is each part one load, perhaps with repeated words? */
bool has_packed_spans(const shape &by_place, unsigned lanes);
/** How many addresses have the threads of a part? */
unsigned count_addresses(const shape &by_place, unsigned part, unsigned lanes);

/** Find those of which each part of a row is one load, or two. */
packable_loads find_packable(kernel &k);

} // namespace vectors

#endif
