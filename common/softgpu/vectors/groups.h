/* SPDX-License-Identifier: MIT */
/** @file
 *  Accesses that are executed together: widen_groups.cpp (loads),
 *  widen_runs.cpp (stores). */
#ifndef SOFTGPU_VECTORS_GROUPS_H
#define SOFTGPU_VECTORS_GROUPS_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace vectors {

enum {
    MOST_VECTORS = 4, /**< of a span, or of stores */
    QUAD = 4,         /**< words of 16 bytes */
    WORD = 4          /**< bytes */
};

/** One value, or one a row: scalars, or vectors of all lanes. */
using rows = llvm::SmallVector<llvm::Value *, 4>;

/** The operands of a store, by row. */
struct stored {
    rows addresses; /**< of the first thread */
    rows values, pointers;
};

/** Four words a lane that are loaded and stored, and nothing else. */
struct quad_copy {
    std::vector<llvm::LoadInst *> loads;   /**< in the order of the words */
    std::vector<llvm::StoreInst *> stores; /**< likewise */
    stored from, to; /**< the addresses of the first words */
    unsigned run = 1; /**< lanes whose float4 are known to be neighbors */
    std::vector<rows> runs; /**< by row: where those of `from` begin */
};

/** An address: a base that a row has, and a number of words from there. */
struct indexed {
    llvm::Value *base, *index; /**< the index, of 32 bits, is not negative */
};

/** Words of float4 that are neighbors: their vectors as they are in memory. */
class memory_orders {
  public:
    /** Word `word` of each lane's float4 is a shuffle of these vectors. */
    void add(llvm::Value *shuffle, std::shared_ptr<rows> vectors, int word);
    /** The same of four words, or of arithmetic with them; empty: unknown. */
    rows find(llvm::IRBuilderBase &b,
              llvm::ArrayRef<llvm::Value *> words) const;

  private:
    rows find(llvm::IRBuilderBase &b, llvm::ArrayRef<llvm::Value *> words,
              unsigned &left) const; /**< in so many steps, which get fewer */
    llvm::DenseMap<llvm::Value *, std::pair<std::shared_ptr<rows>, int>> known;
};

/** Loads that are executed together. */
struct load_group {
    /** A load, and the bytes from the address of the first one. */
    using member = std::pair<llvm::LoadInst *, int64_t>;
    std::vector<member> members;
    int64_t begin = 0, end = 0; /**< of the span, likewise */
};

/** A store, and the bytes from the address of the first one of its group. */
using store_place = std::pair<llvm::StoreInst *, int64_t>;

/** Neighboring elements that the stores of a group write. */
struct element_run {
    int64_t first; /**< elements from the address of the first store */
    std::vector<int> sources; /**< number of a store * lanes + lane */
};

/** The stores of a group, and what they write. */
using store_group
    = std::pair<std::vector<store_place>, std::vector<element_run>>;

/** The bytes from one address to another one, if they are always the same.
 *  @param at  gets them
 *  @return are they? */
bool is_same_base(const llvm::Value *from, const llvm::Value *to,
                  const llvm::DataLayout &data, int64_t &at);

/** Of four vectors of words, each 4 x 4 words transposed: word w of vector v is
 *  word v of vector w. */
rows transpose_words(llvm::IRBuilderBase &b,
                     llvm::ArrayRef<llvm::Value *> from);

/** The bytes of an element; 0: it has padding bits. */
int64_t size_of(llvm::Type *type, const llvm::DataLayout &data);

} // namespace vectors

#endif
