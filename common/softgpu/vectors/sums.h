/* SPDX-License-Identifier: MIT */
/** @file
 *  The sums of a block while order_sums.cpp orders them. */
#ifndef SOFTGPU_VECTORS_SUMS_H
#define SOFTGPU_VECTORS_SUMS_H

#include <llvm/Analysis/AliasAnalysis.h>

#include "common/softgpu/vectors/vectors.h"

namespace vectors {

/** Multiply-adds of one block, each of which adds to the one before it. */
struct chain {
    llvm::SmallVector<llvm::Instruction *, 16> additions;
    llvm::LoadInst *first = nullptr; /**< loads the sum, for this chain alone */
    llvm::StoreInst *last = nullptr; /**< stores it */
};

/** Where the sums are in memory. */
class memory_of_sums {
  public:
    explicit memory_of_sums(const std::vector<chain> &all); /**< of one block */
    /** Is each sum loaded from one place, its own, and stored there again? */
    bool is_known() const { return base != nullptr; }
    /** May the instruction access one of the sums? */
    bool is_accessed_by(llvm::Instruction *i, llvm::AAResults &aliases) const;

  private:
    const llvm::Value *base = nullptr;
    bool is_frame = false; /**< accesses of its sums have the frame's address */
    std::map<int64_t, int64_t> places; /**< begin and end of each */
};

/** Factors that are loaded where a group of sums needs them: of all terms there
 * are more than registers, and each would be stored and loaded again. */
class reloader {
  public:
    reloader(llvm::Instruction *place, const memory_of_sums *sums,
             const llvm::SmallPtrSetImpl<llvm::Instruction *> &moved,
             llvm::AAResults &aliases); /**< sums are computed before `place`;
                                         *   `moved` are accesses of them that
                                         *   are moved there */
    /** The factor, loaded at the place, or as it is. */
    llvm::Value *reload(llvm::Value *factor);
    /** Another group of sums begins. */
    void begin_group() { reloaded.clear(); }
    /** Remove what nothing uses any more. */
    void end();

  private:
    llvm::Instruction *place;
    const memory_of_sums *sums; /**< stored before the place; NULL: not */
    llvm::AAResults &aliases;
    llvm::Instruction *writer = nullptr; /**< the last one before the place */
    /** For this group: the copy of each value. */
    llvm::DenseMap<llvm::Value *, llvm::Value *> reloaded;
    llvm::SmallSetVector<llvm::Instruction *, 32> originals;  /**< copied */

    /** Does nothing write to the memory until the sums are computed? */
    bool may_load_later(llvm::LoadInst *load) const;
    /** Of how many loads it is made, by selecting elements; or many. */
    unsigned count_loads(llvm::Value *of, unsigned depth) const;
    /** The value, and what it is made of, at the place. */
    llvm::Value *copy(llvm::Value *of);
};

} // namespace vectors

#endif
