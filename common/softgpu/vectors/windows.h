/* SPDX-License-Identifier: MIT */
/** @file
 *  Two windows of memory that have all words which a row of threads loads. */
#ifndef SOFTGPU_VECTORS_WINDOWS_H
#define SOFTGPU_VECTORS_WINDOWS_H

#include "common/softgpu/vectors/vectors.h"

namespace vectors {

enum { WINDOWS = 2 };

/** Two windows, each of as many neighboring words as a row has lanes. */
struct windows {
    llvm::Value *possible = nullptr;  /**< are all words in them? */
    llvm::Value *first[WINDOWS] = {}; /**< the index of the first word */
    llvm::Value *mask[WINDOWS] = {};  /**< words up to the last one loaded */
    llvm::Value *places = nullptr;    /**< of the lanes' words in both */
};

/** One window for each half of the lanes, whose first lane has the first word
 *  and whose last lane the last one.
 *  @param own  the lanes' indices, 32 bits each */
windows windows_of_halves(llvm::IRBuilderBase &b, llvm::Value *own);

/** A window from the first lane's word on, and one from that of the first lane
 *  that is not in it.  They take longer to find. */
windows windows_of_any(llvm::IRBuilderBase &b, llvm::Value *own);

/** The words of both windows in the order of the lanes. */
llvm::Value *select_words(llvm::IRBuilderBase &b,
                          llvm::Value *const from[WINDOWS],
                          llvm::Value *places);

/** widen_warp.cpp: does the processor permute registers of so many words? */
bool has_permute(const llvm::Function *f, unsigned lanes);

} // namespace vectors

#endif
