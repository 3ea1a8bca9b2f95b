/* SPDX-License-Identifier: MIT */
/** @file
 *  The vector engine: a pass of LLVM that turns a kernel into code for a gang,
 *  a group of consecutive threads that execute each instruction together.
 *
 *  A gang is a few rows of LANES threads with neighboring threadIdx.x; one
 *  vector register holds one value of a row.  Where the threads of a gang take
 *  different branches, both are executed under masks (whole-function
 *  vectorization: Karrenberg and Hack, CGO 2011).  Where all threads of a block
 *  take the same way from barrier to barrier, the function runs the whole block
 *  (phases.cpp); else its gangs are scheduled as threads of the fiber engine
 *  are, so a barrier is one switch a gang.
 *
 *  A kernel that the pass cannot take is left to the fiber engine.
 */
#ifndef SOFTGPU_VECTORS_H
#define SOFTGPU_VECTORS_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace vectors {

/** The built-in variables of CUDA, as calls of functions that the pass
 *  declares: NAME.x, NAME.y, NAME.z. */
enum builtin { THREAD, BLOCK, BLOCK_DIM, GRID_DIM, BUILTINS };

/** Largest gridDim of a launch that runs in gangs: with it, blockIdx *
 *  blockDim + threadIdx fits in an int.  The core checks it. */
constexpr unsigned GRID_MAX = 1u << 19;

/** Most lanes of a row. */
constexpr unsigned MOST_LANES = 16;
/** A number for each lane of a row. */
using lane_offsets = std::array<int64_t, MOST_LANES>;

/** How the value of an instruction differs between the threads of a gang. */
struct shape {
    enum kind_t {
        UNKNOWN, /**< not computed yet */
        UNIFORM, /**< the same for all threads */
        ROW,     /**< the same for the threads of a row */
        AFFINE,  /**< in a row: first + stride * lane */
        PATTERN, /**< in a row: first + offset[lane] */
        VARYING  /**< any */
    } kind = UNKNOWN;
    int64_t stride = 0;     /**< AFFINE: constant, in units of the value */
    lane_offsets offsets = {};   /**< PATTERN: likewise; of lane 0: 0 */
    bool no_signed_wrap = false; /**< true as signed integers */
    bool no_wrap = false;        /**< true as unsigned integers */
    unsigned multiple_of = 1;    /**< a power of two that divides the first
                                      value; of VARYING it says nothing */

    bool operator==(const shape &o) const
    {
        return kind == o.kind && stride == o.stride && offsets == o.offsets
               && no_signed_wrap == o.no_signed_wrap && no_wrap == o.no_wrap
               && multiple_of == o.multiple_of;
    }
    /** One value serves a whole row. */
    bool is_scalar() const { return kind <= ROW; }
    /** The values of a row follow from the first one. */
    bool follows_first() const { return kind == AFFINE || kind == PATTERN; }
    /** From the first value of a row to that of a lane. */
    int64_t offset(unsigned lane) const
    {
        return kind == AFFINE    ? stride * (int64_t)lane
               : kind == PATTERN ? offsets[lane]
                                 : 0;
    }
};

/** Blocks executed under masks: from `entry`, where threads diverge, to
 *  `exit`, where all of them are together again. */
struct region {
    llvm::BasicBlock *entry, *exit;
    llvm::SetVector<llvm::BasicBlock *> blocks; /**< in an order that is the
                                                     same in each run */
};

/** Blocks between two barriers: all gangs execute them, one after the other,
 *  from the begin of `first` to the end of `last`. */
struct phase {
    llvm::BasicBlock *first, *last;
};

/** Layout of a gang. */
struct layout {
    unsigned lanes; /**< threads of a row */
    unsigned rows;  /**< rows of a gang */
    unsigned threads() const { return lanes * rows; }
};

/** For each place, a thread of a row. */
using thread_order = std::array<unsigned, MOST_LANES>;

/** The load of a word of a float4 that stays in the order of memory. */
struct packed_load {
    llvm::LoadInst *front = nullptr; /**< loads the first word */
    unsigned part = 0;  /**< of the places of the row's threads: 0 to 3 */
    unsigned order = 0; /**< of kernel.packed_orders: the threads' places */
};

/** A kernel that is being compiled, and what the analyses found. */
struct kernel {
    llvm::Function *function = nullptr; /**< the scalar code of one thread */
    layout gang = { 16, 2 };
    unsigned most_threads = 1024; /**< of a block: __launch_bounds__ */
    llvm::Function *builtins[BUILTINS][3] = {};
    std::string refusal;            /**< why it is left to fibers, or "" */
    /** Has the processor instructions that load, or store, a word a lane from
     *  the lanes' addresses? */
    bool has_gather = false, has_scatter = false;
    /** Is what is written now in a loop, where a call would cost more time than
     *  the branches that LLVM makes? */
    bool is_in_loop = false;
    /** How many such branches there are. */
    unsigned branches_in_loops = 0;

    llvm::DominatorTree dominators;
    llvm::PostDominatorTree post_dominators;
    llvm::LoopInfo loops;
    llvm::DenseMap<const llvm::Value *, shape> shapes;
    std::vector<region> regions;
    /** By block: index of its region + 1; absent: all threads run it. */
    llvm::DenseMap<const llvm::BasicBlock *, unsigned> region_of;
    /** Not empty: the function runs a whole block, by phases. */
    std::vector<phase> phases;
    /** By block that is not masked: index of its phase + 1. */
    llvm::DenseMap<const llvm::BasicBlock *, unsigned> phase_of;
    /** Too many values are used by several phases. */
    bool frame_is_large = false;
    /** Instructions with one value for all threads of a block. */
    llvm::SmallPtrSet<const llvm::Value *, 32> block_uniform;
    /** Those of them that load from shared memory, once a phase in each gang:
     *  the first gang's value is that of all. */
    llvm::SmallPtrSet<const llvm::Value *, 8> loaded_once;
    /** Local arrays whose elements are interleaved by thread, and the size of
     *  an element in bytes. */
    llvm::DenseMap<const llvm::Value *, unsigned> interleaved;
    /** Orders in which the threads of a row have places in vectors of float4;
     *  the first one is that of the row. */
    std::vector<thread_order> packed_orders;
    /** By load of a word of a float4 that stays in the order of memory. */
    llvm::DenseMap<const llvm::Value *, packed_load> packed_loads;

    /** Leave the kernel to the fiber engine.  The first reason counts. */
    void refuse(const std::string &why)
    {
        if (refusal.empty())
            refusal = why;
    }
    /** The shape of any operand. */
    shape shape_of(const llvm::Value *value) const;
    /** Has the value one value for all threads of a block? */
    bool is_block_uniform(const llvm::Value *value) const
    {
        return !llvm::isa<llvm::Instruction>(value)
               || block_uniform.count(value);
    }
    /** The masked region that begins at the end of the block, or NULL. */
    const region *region_at(const llvm::BasicBlock *block) const
    {
        for (const region &r : regions)
            if (r.entry == block)
                return &r;
        return nullptr;
    }
    /** Does only a part of the gang's threads execute the block? */
    bool is_masked(const llvm::BasicBlock *block) const
    {
        return region_of.count(block) != 0;
    }
};

/** prepare.cpp: copy the scalar code of a thread, with all calls inlined. */
void prepare(kernel &k, llvm::Function *thread, layout gang,
             llvm::FunctionAnalysisManager &analyses);
/** prepare_parameters.cpp: a thread's copy of a parameter that it only reads
 *  becomes the parameter itself. */
void read_parameters_in_place(llvm::Function *f);
/** Name of the function of abi.h that tests whether an address is in shared
 *  memory. */
constexpr const char *shared_test = "softgpu_is_shared";
/** prepare_parameters.cpp: of addresses that a parameter points to, the test is
 *  false; of others, it is inlined. */
void fold_shared_tests(kernel &k);
/** prepare_copies.cpp: memcpy() and memset() of few bytes become loads and
 *  stores; others refuse the kernel. */
void expand_memory_calls(kernel &k);
/** A copy of cp.async becomes a load and a store where it is issued, which is
 *  one of the times at which a card may execute it; copies that belong to a
 *  barrier or a pipeline object refuse the kernel. */
void expand_async_copies(kernel &k);
/** prepare_failures.cpp: `if (condition) softgpu_fail(...)` becomes a call of
 *  failure_test, after which all threads go on. */
void join_failing_branches(kernel &k);
/** Put a call of alignment_test before each access whose alignment of 16 bytes
 *  or more is not known.  Then remove what this has used: assumptions, and
 *  tests of conditions that are false. */
void test_alignment(kernel &k, llvm::FunctionAnalysisManager &analyses);
/** The name of a function of the source, without its types. */
llvm::StringRef source_name(const llvm::Function *f);
/** Is it one of CUDA's atomic functions? */
bool is_atomic_function(const llvm::Function *f);
/** Is the call kept for the pass: a barrier, a warp function, an atomic? */
bool must_stay_call(const llvm::Function *f);

/** Name of the function (pointer, mask of bits) that a call of prepare.cpp's
 *  tests addresses with: a gang faults where a thread's is misaligned. */
constexpr const char *alignment_test = "softgpu.test_alignment";

/** Name of the function (condition, is it an assertion?) that prepare.cpp calls
 *  for the branches to softgpu_fail() and __assert_fail(): a gang faults where
 *  a thread's condition holds. */
constexpr const char *failure_test = "softgpu.test_failure";

/** Names of functions of pack_quads.cpp; `order` is one of
 *  kernel.packed_orders.  Of a word that each thread loads: as often as the
 *  part's threads have words (word, the first word of its float4 if it has one,
 *  else poison, part, order).  Of four packed values: a word of each thread
 *  (part 0, 1, 2, 3, number of the word, order). */
constexpr const char *spread_word = "softgpu.spread_word",
                     *unpack_word = "softgpu.unpack_word";

/** Metadata of the local variable that has the frames of a block's gangs.  A
 *  value in a frame is accessed by the frame's address alone. */
constexpr const char *frames_mark = "softgpu.frames";

/** assertions.cpp: may what the kernel writes change which threads make the
 *  call, or its argument? */
bool depends_on_memory(const kernel &k, const llvm::CallBase *call);

/** Name of the function (address, is it a store?, file, line) that prepare.cpp
 *  calls for softgpu::note_lockstep(). */
constexpr const char *lockstep_note = "softgpu.note_lockstep";
/** The runtime's function that waits for the lanes of a warp before and after a
 *  store (softgpu/lockstep.h). */
constexpr const char *lockstep = "softgpu_lockstep";

/** local_arrays.cpp: choose the layout of the arrays of a thread. */
void find_local_arrays(kernel &k);

/** shape_offsets.cpp: a shape without offsets. */
shape of_kind(shape::kind_t kind);
/** A value that grows by `stride` from lane to lane. */
shape affine(int64_t stride);
/** A row whose lanes differ from the first one so: ROW, AFFINE or PATTERN, or
 *  VARYING if an offset is too large. */
shape of_offsets(const lane_offsets &offsets, unsigned lanes);
/** A sum, a difference, or an `or` of disjoint bits; one operand follows from
 *  its first value, the other also or is the same for a row. */
shape of_sum(const llvm::BinaryOperator *i, const shape &a, const shape &b,
             unsigned lanes);
/** A value that follows from its first one, times a constant, or shifted. */
shape of_product(const llvm::BinaryOperator *i, const shape &a,
                 unsigned lanes);
/** Such a value divided by, or modulo, a power of two. */
shape of_bits(const llvm::BinaryOperator *i, const shape &a, unsigned lanes);
/** Such a value with the bits of a constant set, or flipped. */
shape of_changed_bits(const llvm::BinaryOperator *i, const shape &a,
                      unsigned lanes);
/** shapes.cpp: the shape of each value.  Uses regions' joins. */
void compute_shapes(kernel &k);
/** The same, where nothing but a region has been added. */
void update_shapes(kernel &k, const region &added);
/** regions.cpp: find the masked regions, with the shapes that they imply. */
void find_regions(kernel &k);

/** phases.cpp: find the phases of a block, if all its threads take the same way
 *  from barrier to barrier. */
void find_phases(kernel &k);
/** Where a fence is: it belongs to a gang, or to all gangs of a block, before
 *  their first access in a phase, or after their last one. */
enum fence_place { OF_GANG, PHASE_BEGIN, PHASE_END };
/** widen_phases.cpp: the place of a fence. */
fence_place place_of_fence(const kernel &k, const llvm::Instruction *fence);
/** The address within a variable of the runtime, by a part of its name, where
 *  one of the members begins. */
bool is_member(const llvm::DataLayout &data, const llvm::Value *pointer,
               llvm::StringRef variable, llvm::ArrayRef<uint64_t> members);
/** Is it where the block's shared memory begins, or the offset of a variable? */
bool is_shared_base(const llvm::LoadInst *load);
/** Is the address in the shared memory of the block? */
bool is_shared_address(const llvm::Value *pointer);

/** polling.cpp: refuse a kernel with a loop that waits for other threads; in
 *  others, remove what only keeps the compiler from moving loads. */
void refuse_polling(kernel &k);
/** atomic_order.cpp: would the results of an atomic function show that a gang
 *  executes it for its threads in another order than fibers do? */
bool is_order_visible(const kernel &k, const llvm::CallBase *atomic);

/** pack_quads.cpp: let the words of float4 that are only multiplied and added,
 *  four at a time, stay in the order of memory.  Lane j of part p has word
 *  j % 4 of the thread of the row whose place is p * lanes / 4 + j / 4. */
void pack_quads(kernel &k);
/** The shape of an address whose lanes' offsets follow from the first one, with
 *  the offset of the thread of each place. */
shape in_order(const kernel &k, const llvm::Value *pointer, unsigned order);
/** The words that the threads of a part load as float4. */
struct part_span {
    int64_t begin;  /**< bytes from the first thread's address */
    unsigned words; /**< from there on */
};
/** The span of a part, for loads at addresses of that shape, by place. */
part_span span_of(const shape &address, unsigned part, unsigned lanes);

/** warp_calls.cpp: does the function exchange values between the lanes, or wait
 *  for them?  Its first argument is the mask of the lanes that take part. */
bool is_warp_call(const llvm::Function *f);
/** May other lanes of the warp take part in a warp call of a
 *  masked region by a call in another branch of it?  Branches are executed one
 *  after the other, so a gang cannot wait there. */
bool meets_in_two_branches(const kernel &k, const llvm::CallBase *call);

/** order_sums.cpp: add all terms of a block to a few sums, then to the next
 *  few, where there are more sums than vector registers; after optimization.
 *  @return was the function changed? */
bool order_sums(llvm::Function &gang, unsigned lanes,
                llvm::AAResults &aliases);

/** widen.cpp: write the code of a gang into `target`. */
void widen(kernel &k, llvm::Function *target);

} // namespace vectors

#endif
