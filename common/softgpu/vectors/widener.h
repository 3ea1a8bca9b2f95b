/* SPDX-License-Identifier: MIT */
/** @file
 *  Writing the code of a gang: widen.cpp (control flow), widen_masked.cpp
 *  (where threads diverge), widen_value.cpp and widen_division.cpp
 *  (arithmetic), widen_slots.cpp (values that several blocks use),
 *  widen_memory.cpp (accesses), widen_groups.cpp and widen_runs.cpp (those
 *  executed together), widen_quads.cpp (float4 of several lanes),
 *  widen_prefetch.cpp (of the next tile), widen_packed.cpp (float4 in the order
 *  of memory), widen_wrapped.cpp (accesses whose index may wrap),
 *  widen_extend.cpp (unsigned values in masked code), widen_copies.cpp (float4
 *  that are only copied), widen_tables.cpp, widen_entries.cpp (addresses by a
 *  table) and widen_indexed.cpp (of 32 bits), widen_call.cpp (calls),
 *  widen_warp.cpp (warp functions), widen_failure.cpp, widen_note.cpp (errors).
 *
 *  A value that another block uses has slots, local variables of the new
 *  function, which mem2reg turns into registers: masked code needs no phis.
 */
#ifndef SOFTGPU_WIDENER_H
#define SOFTGPU_WIDENER_H

#include <memory>

#include "common/softgpu/vectors/control.h"
#include "common/softgpu/vectors/groups.h"
#include "common/softgpu/vectors/vectors.h"

namespace vectors {

class widener {
  public:
    widener(kernel &k, llvm::Function *target); /**< writes its body */
    /** Write the whole function, then turn its slots into registers. */
    void run();

    /* widen.cpp */
  private:
    /** The values that the phis of the edge's target get on it. */
    std::vector<assignment> read_values(const edge &e);
    /** Store them, for the threads of the mask. */
    void assign(const std::vector<assignment> &all, const rows &by);
    /** More threads have reached the block. */
    void add_to_mask(llvm::BasicBlock *block, const rows &by);
    /** The end of a common loop's last block. */
    void emit_common_exit(llvm::BasicBlock *latch);
    /** A loop that its threads leave in any iteration. */
    void emit_divergent_loop(const region &r, llvm::Loop *loop,
                             llvm::BasicBlock *start, llvm::BasicBlock *after);
    /** A loop that all its threads leave in the same iteration. */
    void emit_common_loop(const region &r, llvm::Loop *loop,
                          llvm::BasicBlock *start, llvm::BasicBlock *after);
    llvm::Value *load(llvm::AllocaInst *slot); /**< its present value */
    llvm::AllocaInst *new_slot(llvm::Type *type); /**< for mem2reg */
    /** A block that all threads execute. */
    void emit_block(llvm::BasicBlock *block);
    void emit_branch(llvm::BasicBlock *block); /**< its end */
    /** All of a masked region; its entry has just been written. */
    void emit_region(const region &r);
    using node = std::pair<llvm::BasicBlock *, llvm::Loop *>;
    /** Blocks and inner loops of one level, each after its predecessors. */
    std::vector<node> order(const llvm::SetVector<llvm::BasicBlock *> &in,
                            llvm::Loop *level) const;
    /** The blocks of a region in `level`, but in no loop within it. */
    void emit_level(const region &r, llvm::Loop *level);
    /** A block for the threads of its mask. */
    void emit_masked_block(llvm::BasicBlock *block);
    /** The ways out of a masked block, each for its threads. */
    void emit_masked_edges(llvm::BasicBlock *block);
    /** A loop in a masked region, entered if a thread reaches it. */
    void emit_masked_loop(const region &r, llvm::Loop *loop);
    /** All instructions of a block but phis and the branch. */
    void emit_instructions(llvm::BasicBlock *block);
    /** The edges of one block: all values are read before one is written. */
    void store_edge_values(llvm::ArrayRef<edge> edges);
    /** No thread has reached the blocks of the region, or of the loop. */
    void clear_masks(const region &r, llvm::Loop *loop);
    /** Is a branch needed, or worth it, where no thread is active? */
    bool needs_guard(llvm::BasicBlock *block) const;
    /** Do all threads leave the loop in the same iteration? */
    bool leaves_together(llvm::Loop *loop) const;
    slots &mask_slots(llvm::BasicBlock *block); /**< threads that reach it */
    rows load_mask(llvm::BasicBlock *block); /**< that have reached it */
    /** Threads of the mask for which the condition holds, or does not. */
    rows and_mask(const rows &mask, llvm::Value *condition, bool negate);
    llvm::Value *any(const rows &mask); /**< is a thread active? */
    llvm::Value *any(llvm::Value *row_mask); /**< of the row */
    llvm::BasicBlock *new_block(const char *name); /**< at the end */

    /* widen_phases.cpp */
    void begin_phases(); /**< their loops, still without their bodies */
    void store_first_threads(); /**< of each row of each gang */
    /** The address of a component of a row's first thread. */
    llvm::Value *first_thread(unsigned row, unsigned component);
    rows thread_index(unsigned component); /**< of each row of this gang */
    llvm::Value *of_first_gang(llvm::Value *loaded); /**< what it loaded */
    /** Go on with the next gang, if there is one. */
    void emit_next_gang(llvm::BasicBlock *loop, llvm::BasicBlock *after);
    llvm::BasicBlock *phase_at(llvm::BasicBlock *block); /**< its first one */
    /** The values of the phis of a gang, or of a block, on the edges. */
    void assign_phis(llvm::ArrayRef<edge> edges, bool of_block);
    void emit_phase_end(llvm::BasicBlock *block); /**< of its last block */
    /** Room in the frame of each gang: its offset. */
    uint64_t allocate_in_frame(uint64_t bytes, llvm::Align align);
    /** The address of such room, in the gang of a phase. */
    llvm::Value *frame_address(unsigned of_phase, uint64_t offset);
    /** The phase of each new block that a gang executes. */
    llvm::DenseMap<llvm::BasicBlock *, unsigned> phases_of_blocks();
    /** One phase uses the slot: its value ends with the gang. */
    void end_with_gang(llvm::AllocaInst *slot, unsigned of_phase);
    /** Several phases use the slot: it moves to the frame. */
    void move_to_frame(
        llvm::AllocaInst *slot,
        const llvm::DenseMap<llvm::BasicBlock *, unsigned> &phase_of_block);
    void place_slots(); /**< each in a register, or in the frame */

    /* widen_slots.cpp */
    /** May the values share their slots, some of which do already? */
    bool may_share(llvm::ArrayRef<llvm::Instruction *> some,
                   llvm::ArrayRef<llvm::Instruction *> others) const;
    /** Can the value share slots: do all threads that use it compute it? */
    bool is_shareable(const llvm::Instruction *i) const;
    void share_slots(llvm::PHINode *phi); /**< with its values, if it may */
    /** The values that share slots with one, and itself. */
    std::vector<llvm::Instruction *> sharers_of(llvm::Instruction *i) const;
    bool share(llvm::Instruction *a, llvm::Value *b) const; /**< slots? */
    bool needs_slots(const llvm::Instruction *i) const; /**< is it used? */
    /** Have the phi's slots this value at the end of the block already? */
    bool is_in_slots(llvm::PHINode *phi, const llvm::Value *value,
                     const llvm::BasicBlock *from) const;
    void make_slots(); /**< for the values that other blocks use */

    /* widen_value.cpp */
    /** The value as it is known in this block, or from its slots. */
    rows get(llvm::Value *value);
    /** The value of an instruction, for this block and for others. */
    void define(llvm::Instruction *i, const rows &value);
    /** The one value of a row, or that of its first lane. */
    llvm::Value *scalar(llvm::Value *value, unsigned row);
    /** The value of a row as a vector. */
    llvm::Value *vector(llvm::Value *value, unsigned row);
    /** The value of a row as a vector of all lanes. */
    llvm::Value *widened(llvm::Value *value, const rows &value_rows,
                         unsigned row);
    /** From the first value of a row to that of each lane, as integers. */
    llvm::Value *offsets_of(const shape &s, llvm::Type *type);
    /** How many values a value has: one, or one a row. */
    unsigned count(const llvm::Value *value) const;
    void emit(llvm::Instruction *i); /**< by its kind and shape */
    rows emit_clone(llvm::Instruction *i); /**< scalar, once or a row */
    rows emit_affine(llvm::Instruction *i); /**< the rows' first values */
    /** May the first thread's value wrap where that thread is not active? */
    bool wraps_where_inactive(const llvm::ZExtInst *i) const;
    /** The first values of such an extension (widen_extend.cpp). */
    rows emit_extension(llvm::ZExtInst *i);
    /** An address whose rows are scalars, perhaps with a stride. */
    rows emit_address(llvm::GetElementPtrInst *i);
    /** A vector instruction a row, or one of them. */
    rows emit_varying(llvm::Instruction *i);
    /** That of one row. */
    llvm::Value *emit_vector(llvm::Instruction *i, unsigned row);
    /** An address that differs in each lane. */
    llvm::Value *emit_vector_address(llvm::GetElementPtrInst *i, unsigned row);
    /** A divisor that is not 0 in inactive threads. */
    llvm::Value *safe_divisor(llvm::Instruction *i, llvm::Value *divisor,
                              unsigned row, bool whole_row);

    /* widen_division.cpp */
    /** An error, if an active thread divides by 0, or overflows. */
    void test_division(llvm::Value *dividend, llvm::Value *divisor,
                       bool is_signed, unsigned row);
    /** A division of a row, or its remainder; NULL: it is none of these. */
    llvm::Value *emit_division(llvm::Instruction *i, unsigned row);

    /* widen_memory.cpp */
    /** A load or a store, by the shape of its address. */
    rows emit_load(llvm::LoadInst *i);
    void emit_store(llvm::StoreInst *i); /**< likewise */
    void store_scalar(llvm::StoreInst *i); /**< with one address a row */
    /** An access with an address a lane. */
    llvm::Value *load_lanes(llvm::LoadInst *i, unsigned row);
    llvm::Value *store_lanes(llvm::StoreInst *i, unsigned row); /**< likewise */
    /** An access to neighboring elements, by the address of the first. */
    llvm::Value *load_neighbors(llvm::LoadInst *i, llvm::Value *address,
                                unsigned row);
    llvm::Value *store_neighbors(llvm::StoreInst *i, llvm::Value *address,
                                 unsigned row); /**< likewise */
    /** The pointer, or unused memory where the row has no active thread. */
    llvm::Value *safe_pointer(llvm::Value *pointer, unsigned row);
    /** The value of the last active lane, whose store to one address wins. */
    llvm::Value *last_active(llvm::Value *value, unsigned row);
    /** Do the lanes access neighboring elements? */
    bool is_contiguous(const llvm::Value *pointer, llvm::Type *type) const;
    rows emit_local_array(llvm::AllocaInst *i); /**< of the gang's threads */
    /** The mask of a row as an operand: all ones where all threads execute. */
    llvm::Value *row_mask(unsigned row);

    /* widen_groups.cpp */
    /** Are the lanes' offsets known, in whole elements? */
    bool has_known_offsets(const llvm::Value *pointer, llvm::Type *type) const;
    /** Elements of neighboring vectors, by their numbers. */
    llvm::Value *select_elements(llvm::ArrayRef<llvm::Value *> from,
                                 llvm::ArrayRef<int> selected);
    /** One way if all threads of the row are active and meet a condition. */
    rows emit_if_all(unsigned row, llvm::Value *condition,
                     llvm::function_ref<rows()> together,
                     llvm::function_ref<rows()> separate);
    /** The elements of a span, for each load. */
    rows load_span(const load_group &group, llvm::Value *address);
    /** The values of each `step`-th lane, as scalars. */
    rows lane_values(llvm::Value *values, unsigned step);
    /** The same, of a pointer whose offsets are known, `begin` bytes on. */
    rows known_addresses(llvm::Value *pointer, unsigned row, int64_t begin);
    /** A load of 16 bytes a lane, and their words as four vectors. */
    rows load_quad(const load_group &group,
                   llvm::ArrayRef<llvm::Value *> addresses);
    rows load_single(const load_group &group, llvm::Value *pointers,
                     unsigned row); /**< a gather for each load of a group */
    /** Loads to be executed with this one, of a span or not; false: none. */
    bool find_load_group(llvm::LoadInst *i, load_group &group,
                         bool &spans) const;
    /** Execute the load together with others; false: it is not one of them. */
    bool emit_load_group(llvm::LoadInst *i);

    /* widen_indexed.cpp */
    /** An address by an index of 32 bits, if this block can read both. */
    std::optional<indexed> index_of(llvm::Value *pointer) const;
    /** The addresses of each `run`-th lane, `begin` bytes on. */
    rows indexed_addresses(const indexed &x, unsigned row, unsigned run,
                           int64_t begin);

    /* widen_tables.cpp */
    /** The load, if the lanes' addresses are neighbors; else `separate`. */
    llvm::Value *load_by_table(llvm::LoadInst *i, unsigned row,
                               llvm::function_ref<llvm::Value *()> separate);

    /* widen_copies.cpp */
    /** Prefetch what the load will read in the next iteration. */
    void prefetch_next(const llvm::LoadInst *load,
                       llvm::ArrayRef<llvm::Value *> addresses, uint64_t bytes);
    bool find_copy(llvm::LoadInst *i); /**< that begins with the load */
    rows scalar_runs(llvm::Value *pointer, unsigned row, unsigned run,
                     const llvm::Instruction *before); /**< of quads.h */
    /** Copy 16 bytes a lane, those of `run` lanes at once. */
    rows copy_runs(const quad_copy &copy, unsigned row, unsigned run);
    void emit_copy(quad_copy &copy); /**< the whole copy */
    bool emit_copied(llvm::Instruction *i); /**< is it of a copy? */

    /* widen_packed.cpp */
    /** A part of a row's float4, as it is in memory. */
    rows load_packed(llvm::LoadInst *i);
    /** Calls of spread_word and unpack_word. */
    rows emit_spread(llvm::CallBase *i);
    rows emit_unpack(llvm::CallBase *i); /**< likewise */

    /* widen_runs.cpp */
    /** The elements that stores write; false: two of them have one place. */
    bool places_of(const std::vector<store_place> &members,
                   std::map<int64_t, int> &elements) const;
    /** Runs of neighboring elements; empty: they are too short. */
    std::vector<element_run> runs_of(
        const std::vector<store_place> &members) const;
    /** The stores from i on that nothing but arithmetic separates. */
    std::vector<store_place> stores_after(llvm::StoreInst *i) const;
    /** Store each run as a vector. */
    void store_runs(const std::vector<element_run> &runs,
                    llvm::ArrayRef<llvm::Value *> values,
                    llvm::Value *address);
    /** Store four words a lane, in the order of the lanes. */
    void store_quad(llvm::ArrayRef<llvm::Value *> values,
                    llvm::Value *pointers, llvm::Align align);
    /** Read what a store of a group needs, where the store is. */
    void read_for_group(llvm::StoreInst *i);
    /** Execute the stores of a group. */
    void emit_store_group(const std::vector<store_place> &members,
                          const std::vector<element_run> &runs);
    /** The stores executed with one, and their runs; false: none. */
    bool find_stores(llvm::StoreInst *i, std::vector<store_place> &members,
                     std::vector<element_run> &runs) const;
    /** Execute the store together with others; false: it is not one of them. */
    bool emit_store_together(llvm::StoreInst *i);

    /* widen_wrapped.cpp */
    /** Can get() read the value in this block? */
    bool is_available(llvm::Value *value) const;
    /** The address, if its lanes are neighbors unless an index wraps. */
    llvm::GetElementPtrInst *neighbors_unless_wrapped(llvm::Value *pointer,
                                                      llvm::Type *type) const;
    /** One index of an address, for the first thread of a row. */
    llvm::Value *first_index(llvm::Value *index, unsigned row);
    /** Does the index wrap within the row? */
    llvm::Value *wraps(const llvm::CastInst *cast, unsigned row);
    /** Does an index of the address wrap within any row of the gang? */
    llvm::Value *any_wraps(llvm::GetElementPtrInst *address);
    /** An access by such an address: `neighbors` in order, from that of the
     *  row's first thread, or `separate` with an address a lane. */
    rows emit_wrapped_or_contiguous(
        llvm::GetElementPtrInst *address,
        llvm::function_ref<llvm::Value *(llvm::Value *, unsigned)> neighbors,
        llvm::function_ref<llvm::Value *(unsigned)> separate);

    /* widen_call.cpp */
    /** Any call; one without a meaning here refuses the kernel. */
    void emit_call(llvm::CallBase *i);
    /** A call that waits for threads: all of the gang make it. */
    void emit_wait(llvm::CallBase *i, llvm::StringRef name);
    /** An atomic function, thread by thread; refused where order shows. */
    void emit_atomic(llvm::CallBase *i);
    /** An error of the grid, with that message, if the condition holds. */
    void emit_failure(llvm::Value *condition, unsigned error,
                      const char *message);
    /** Does the condition hold for an active thread? */
    llvm::Value *any_holds(llvm::Value *condition);
    void emit_failure_test(llvm::CallBase *i);   /**< a call of it */
    void emit_alignment_test(llvm::CallBase *i); /**< likewise */
    void emit_lockstep_note(llvm::CallBase *i);  /**< likewise */
    /** A synchronization of the warp or the block, for the notes. */
    void count_synchronization();
    rows emit_vote(llvm::CallBase *i); /**< __syncthreads_count() */
    /** The call for each active thread, in their order. */
    rows emit_each_thread(llvm::CallBase *i);
    /** An argument of all threads in memory, in their order. */
    llvm::AllocaInst *spill(llvm::Value *value);
    /** The 32-bit values of the source lanes of one row. */
    llvm::Value *permute_words(llvm::Value *value, llvm::Value *sources);
    /** The value of the source lane, for each lane of each row. */
    rows permute(llvm::Value *value, const rows &sources);
    /** A shuffle of the warp. */
    rows emit_shuffle(llvm::CallBase *i);
    /** The bits of a predicate, by lane of the warp. */
    llvm::Value *ballot(llvm::Value *predicate);
    /** The lanes of `of` that a mask names: one number, or one a row. */
    rows named_lanes(llvm::Value *named, llvm::Value *of);
    /** Does the mask of a call leave the lane of an active thread out? */
    llvm::Value *leaves_out(llvm::Value *named);
    /** Such a thread fails. */
    void test_named(llvm::Value *named);
    /** The lanes that take part in a call: named by its mask, and active. */
    rows participants(llvm::Value *named);
    /** Is a lane, by its number, one of the participants? */
    llvm::Value *is_member(const rows &all, unsigned row, llvm::Value *lane);
    /** softgpu_warp_gather(): the values by lane, then the participants. */
    rows emit_gather(llvm::CallBase *i);
    /** threadIdx and its like, from the gang's first thread. */
    rows emit_builtin(llvm::CallBase *i);
    /** blockIdx and its like; without phases also threadIdx. */
    void load_builtins();
    /** Is the call one of threadIdx?  Then its component, else -1. */
    int thread_component(const llvm::Value *value) const;
    /** From the first thread of a row to that of the next one. */
    void next_row(llvm::Value *at[3], llvm::Value *const extent[3]);
    rows emit_math(llvm::CallBase *i); /**< a vector instruction */

    kernel &k;
    llvm::Function *f;
    llvm::LLVMContext &context;
    llvm::Module *module;
    const llvm::DataLayout &data;
    llvm::IRBuilder<> b;
    const unsigned lanes, row_count;
    llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> blocks;
    llvm::DenseMap<llvm::Value *, slots> value_slots;
    /** By value: those with which it shares its slots, and itself. */
    llvm::DenseMap<llvm::Value *,
                   std::shared_ptr<std::vector<llvm::Instruction *>>>
        sharers;
    llvm::DenseMap<llvm::BasicBlock *, slots> masks;
    llvm::DenseMap<llvm::Value *, rows> known; /**< in this block */
    /** By load: its values, executed with the first load of its group. */
    llvm::DenseMap<llvm::LoadInst *, rows> grouped_loads;
    memory_orders in_memory;
    /** By the last store of a group: all of it, and what it writes. */
    std::map<llvm::StoreInst *, store_group> store_groups;
    /** By load and store: the copy. */
    std::map<llvm::Instruction *, std::shared_ptr<quad_copy>> copies;
    llvm::SmallPtrSet<llvm::StoreInst *, 8> postponed; /**< to that last one */
    std::map<llvm::StoreInst *, stored> read_stores;   /**< of all groups */
    llvm::DenseMap<llvm::Function *, rows> builtin_values;
    std::vector<llvm::AllocaInst *> all_slots;
    std::map<std::string, llvm::BasicBlock *> failures; /**< by message */
    rows mask;                       /**< of the current block; empty: all */
    llvm::BasicBlock *first;         /**< has the local variables */
    llvm::AllocaInst *unused_memory; /**< accessed for inactive rows */
    llvm::BasicBlock *masked_header = nullptr; /**< of the innermost loop */
    slots *next_mask = nullptr; /**< of its next iteration */
    llvm::BasicBlock *outer_header = nullptr; /**< of the loop around it */
    slots *outer_next = nullptr;
    common_loop *together = nullptr; /**< the innermost loop, if it is one */
    llvm::AllocaInst *synchronizations = nullptr; /**< NULL: no notes */
    std::vector<llvm::AllocaInst *> first_loads; /**< slots of the block */
    std::vector<phase_loop> phase_loops;    /**< empty: one gang a call */
    llvm::AllocaInst *gang_index = nullptr; /**< of the block */
    llvm::AllocaInst *frame_stride = nullptr; /**< bytes from gang to gang */
    llvm::Value *gang_count = nullptr;        /**< of the block */
    llvm::Value *first_threads = nullptr;     /**< x, y, z by gang and row */
    uint64_t frame_bytes = 0;                 /**< of one gang, so far */
    unsigned current_phase = 0;               /**< of the block being written */
};

} // namespace vectors

#endif
