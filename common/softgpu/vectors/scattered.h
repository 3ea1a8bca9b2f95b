/* SPDX-License-Identifier: MIT */
/** @file
 *  Accesses of a row with an address a lane.  Where the processor has no
 *  instruction for them, LLVM makes a branch of each lane of each such access:
 *  half of the code of a large kernel.  Under a mask they are calls of a
 *  function instead, which the module has once for each type, but for the first
 *  ones in loops.  Elements of 1 and 2 bytes are taken out of gathered words.
 */
#ifndef SOFTGPU_VECTORS_SCATTERED_H
#define SOFTGPU_VECTORS_SCATTERED_H

#include "common/softgpu/vectors/groups.h"
#include "common/softgpu/vectors/vectors.h"

namespace vectors {

/** Load from the addresses of the lanes.
 *  @param type  of the result, a vector
 *  @param mask  lanes that load; of the others the value is any */
llvm::Value *gather(llvm::IRBuilderBase &b, kernel &k, llvm::Type *type,
                    llvm::Value *pointers, llvm::Align align,
                    llvm::Value *mask);
/** Store to the addresses of the lanes, in their order.
 *  @param mask  lanes that store
 *  @return the call */
llvm::Value *scatter(llvm::IRBuilderBase &b, kernel &k,
                     llvm::Value *values, llvm::Value *pointers,
                     llvm::Align align, llvm::Value *mask);
/** Load four neighboring words a lane: a vector of the first words, of the
 *  second ones, and so on. */
rows gather_quad(llvm::IRBuilderBase &b, kernel &k, llvm::Type *type,
                 llvm::Value *pointers, llvm::Align align, llvm::Value *mask);
/** Store four neighboring words a lane: `values` has the first, and so on. */
void scatter_quad(llvm::IRBuilderBase &b, kernel &k,
                  llvm::ArrayRef<llvm::Value *> values, llvm::Value *pointers,
                  llvm::Align align, llvm::Value *mask);

} // namespace vectors

#endif
