/* SPDX-License-Identifier: MIT */
/** @file
 *  Writing the code of a gang: widen.cpp (control flow),
 *  widen_masked.cpp (where threads part), widen_value.cpp (arithmetic),
 *  widen_memory.cpp (accesses), widen_call.cpp (calls).
 *
 *  A value of the scalar code that is used in another block has slots, local
 *  variables of the new function, which the optimizer's mem2reg turns into
 *  registers again: so masked code needs no phis of its own.
 */
#ifndef SOFTGPU_WIDENER_H
#define SOFTGPU_WIDENER_H

#include <llvm/IR/IRBuilder.h>

#include "common/softgpu/vectors/vectors.h"

namespace vectors {

/** One value, or one a row: scalars, or vectors of all lanes. */
using rows = llvm::SmallVector<llvm::Value *, 4>;
/** Slots of a value. */
using slots = llvm::SmallVector<llvm::AllocaInst *, 4>;

class widener {
  public:
    widener(kernel &k, llvm::Function *target);
    void run();

  private:
    /* widen.cpp */
    struct edge {
        llvm::BasicBlock *from, *to;
        rows mask; /**< of the threads that take it; empty: all */
    };
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
    std::vector<assignment> read_values(const edge &e);
    void assign(const std::vector<assignment> &all, const rows &by);
    void add_to_mask(llvm::BasicBlock *block, const rows &by);
    void emit_common_exit(llvm::BasicBlock *latch);
    void emit_parting_loop(const region &r, llvm::Loop *loop,
                           llvm::BasicBlock *start, llvm::BasicBlock *after);
    void emit_common_loop(const region &r, llvm::Loop *loop,
                          llvm::BasicBlock *start, llvm::BasicBlock *after);
    llvm::Value *load(llvm::AllocaInst *slot);
    llvm::AllocaInst *new_slot(llvm::Type *type);
    void make_slots();
    void emit_block(llvm::BasicBlock *block);
    void emit_branch(llvm::BasicBlock *block);
    void emit_region(const region &r);
    using node = std::pair<llvm::BasicBlock *, llvm::Loop *>;
    std::vector<node> order(const llvm::SmallPtrSetImpl<llvm::BasicBlock *> &in,
                            llvm::Loop *level) const;
    void emit_level(const region &r, llvm::Loop *level);
    void emit_masked_block(llvm::BasicBlock *block);
    void emit_masked_edges(llvm::BasicBlock *block);
    void emit_masked_loop(const region &r, llvm::Loop *loop);
    void emit_instructions(llvm::BasicBlock *block);
    void take_edges(llvm::ArrayRef<edge> edges);
    void clear_masks(const region &r, llvm::Loop *loop);
    bool needs_guard(llvm::BasicBlock *block) const;
    bool leaves_together(llvm::Loop *loop) const;
    slots &mask_slots(llvm::BasicBlock *block);
    rows load_mask(llvm::BasicBlock *block);
    rows and_mask(const rows &mask, llvm::Value *condition, bool negate);
    llvm::Value *any(const rows &mask);
    llvm::Value *any(llvm::Value *row_mask);
    llvm::BasicBlock *new_block(const char *name);

    /* widen_value.cpp */
    rows get(llvm::Value *value);
    void define(llvm::Instruction *i, const rows &value);
    llvm::Value *scalar(llvm::Value *value, unsigned row);
    llvm::Value *vector(llvm::Value *value, unsigned row);
    llvm::Value *widened(llvm::Value *value, const rows &value_rows,
                         unsigned row);
    llvm::Value *lane_offsets(llvm::Type *type, int64_t stride);
    unsigned count(const llvm::Value *value) const;
    void emit(llvm::Instruction *i);
    rows emit_clone(llvm::Instruction *i);
    rows emit_affine(llvm::Instruction *i);
    rows emit_address(llvm::GetElementPtrInst *i);
    rows emit_varying(llvm::Instruction *i);
    llvm::Value *emit_vector(llvm::Instruction *i, unsigned row);
    llvm::Value *emit_vector_address(llvm::GetElementPtrInst *i, unsigned row);
    llvm::Value *safe_divisor(llvm::Instruction *i, llvm::Value *divisor,
                              unsigned row, bool whole_row);

    /* widen_memory.cpp */
    rows emit_load(llvm::LoadInst *i);
    void emit_store(llvm::StoreInst *i);
    void store_scalar(llvm::StoreInst *i);
    llvm::Value *load_lanes(llvm::LoadInst *i, unsigned row);
    void store_lanes(llvm::StoreInst *i, unsigned row);
    llvm::Value *safe_pointer(llvm::Value *pointer, unsigned row);
    llvm::Value *last_active(llvm::Value *value, unsigned row);
    bool is_contiguous(const llvm::Value *pointer, llvm::Type *type) const;
    rows emit_local_array(llvm::AllocaInst *i);
    llvm::Value *row_mask(unsigned row);

    /* widen_call.cpp */
    void emit_call(llvm::CallBase *i);
    void emit_wait(llvm::CallBase *i, llvm::StringRef name);
    void emit_atomic(llvm::CallBase *i);
    rows emit_vote(llvm::CallBase *i);
    rows emit_each_thread(llvm::CallBase *i);
    llvm::AllocaInst *spill(llvm::Value *value);
    rows emit_shuffle(llvm::CallBase *i);
    llvm::Value *ballot(llvm::Value *predicate);
    llvm::Value *participants(llvm::Value *mask);
    rows emit_gather(llvm::CallBase *i);
    rows emit_builtin(llvm::CallBase *i);
    void load_builtins();
    rows emit_math(llvm::CallBase *i);

    kernel &k;
    llvm::Function *f;
    llvm::LLVMContext &context;
    llvm::Module *module;
    const llvm::DataLayout &data;
    llvm::IRBuilder<> b;
    const unsigned lanes, row_count;
    llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> blocks;
    llvm::DenseMap<llvm::Value *, slots> value_slots;
    llvm::DenseMap<llvm::BasicBlock *, slots> masks;
    llvm::DenseMap<llvm::Value *, rows> known; /**< in this block */
    llvm::DenseMap<llvm::Function *, rows> builtin_values;
    std::vector<llvm::AllocaInst *> all_slots;
    rows mask;                       /**< of the current block; empty: all */
    llvm::BasicBlock *first;         /**< has the local variables */
    llvm::AllocaInst *unused_memory; /**< accessed for inactive rows */
    llvm::BasicBlock *masked_header = nullptr; /**< of the innermost loop */
    slots *next_mask = nullptr; /**< of its next iteration */
    llvm::BasicBlock *outer_header = nullptr; /**< of the loop around it */
    slots *outer_next = nullptr;
    unsigned ordered_atomics = 0; /**< whose order the results show */
    common_loop *together = nullptr; /**< the innermost loop, if it is one */
};

} // namespace vectors

#endif
