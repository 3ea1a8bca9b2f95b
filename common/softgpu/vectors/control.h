/* SPDX-License-Identifier: MIT */
/** @file
 *  Control flow of a gang: its edges, loops and phases while they are written.
 */
#ifndef SOFTGPU_VECTORS_CONTROL_H
#define SOFTGPU_VECTORS_CONTROL_H

#include "common/softgpu/vectors/groups.h"

namespace vectors {

/** Slots of a value. */
using slots = llvm::SmallVector<llvm::AllocaInst *, 4>;

/** A way from one block of the scalar code to another one. */
struct edge {
    llvm::BasicBlock *from, *to;
    rows mask; /**< of the threads that take it; empty: all */
};

/** A value that a phi gets. */
struct assignment {
    llvm::PHINode *phi;
    rows value;
};

/** A loop that all its threads leave in the same iteration. */
struct common_loop {
    llvm::BasicBlock *header, *latch, *exit;
    std::vector<std::pair<llvm::PHINode *, slots>> left; /**< at its exit */
    llvm::AllocaInst *again; /**< one more iteration? */
};

/** The loop over the gangs of a phase. */
struct phase_loop {
    llvm::BasicBlock *enter; /**< once, before the first gang */
    llvm::BasicBlock *head;  /**< each gang begins */
    llvm::BasicBlock *latch; /**< each gang has ended */
    llvm::BasicBlock *done;  /**< once, after the last gang */
    llvm::Value *frame;      /**< of the gang, from `head` on */
};

} // namespace vectors

#endif
