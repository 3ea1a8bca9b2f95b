/* SPDX-License-Identifier: MIT */
/* The order of atomic functions.  A gang executes one for its threads in their
 * order, gang by gang.  Fibers do so up to the first barrier or warp function.
 * After a warp function the lane that came last goes on first, but the warps
 * keep their order; after barriers any thread of the block may be the first. */
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>

#include "common/softgpu/vectors/vectors.h"

using namespace llvm;

namespace vectors {

/* "atomicAdd" also for atomicAdd_block() and for atomicSub(): they commute. */
static StringRef operation(const CallBase *call)
{
    const StringRef name = source_name(call->getCalledFunction());
    const StringRef kind = name.take_until([](char c) { return c == '_'; });
    return kind == "atomicSub" ? "atomicAdd" : kind;
}

/* Where the address of an atomic function begins, and its constant offset. */
static std::pair<const Value *, int64_t> word_of(const CallBase *call)
{
    const DataLayout &data = call->getModule()->getDataLayout();
    const Value *pointer = call->getArgOperand(0);
    APInt offset(data.getIndexTypeSizeInBits(pointer->getType()), 0);
    pointer = pointer->stripAndAccumulateConstantOffsets(data, offset, true);
    return { pointer, offset.getSExtValue() };
}

/* The array, or the parameter that points to it. */
static const Value *array_of(const CallBase *call)
{
    const Value *array = getUnderlyingObject(call->getArgOperand(0));
    if (auto *load = dyn_cast<LoadInst>(array))
        return load->getPointerOperand()->stripInBoundsConstantOffsets();
    return array;
}

/* Do two operations, perhaps on the same word, give another value in the other
 * order, as an addition and an exclusive or do? */
static bool is_mixed(const CallBase *atomic)
{
    const auto [base, offset] = word_of(atomic);
    for (const Instruction &i : instructions(atomic->getFunction())) {
        auto *other = dyn_cast<CallBase>(&i);
        const Function *callee = other ? other->getCalledFunction() : nullptr;
        if (!callee || !is_atomic_function(callee)
            || operation(other) == operation(atomic))
            continue;
        const auto [other_base, other_offset] = word_of(other);
        if (base == other_base ? offset == other_offset
                               : array_of(atomic) == array_of(other))
            return true;
    }
    return false;
}

/* Does the result, the value that stays, or a sum of floating-point numbers
 * show the order in which threads execute the atomic function? */
static bool shows_order(const CallBase *call)
{
    if (!is_atomic_function(call->getCalledFunction()))
        return false;
    const bool overwrites = StringSwitch<bool>(operation(call))
                                .Cases("atomicExch", "atomicCAS", true)
                                .Cases("atomicInc", "atomicDec", true)
                                .Default(false);
    return overwrites || !call->use_empty() || is_mixed(call)
           || any_of(call->args(), [](const Value *of) {
                  return of->getType()->isFloatingPointTy();
              });
}

/* The functions that a kernel calls on some way from an instruction. */
class calls_after {
  public:
    /** @param stop  go on no further after such a call */
    calls_after(const Instruction *from,
                function_ref<bool(const Function *)> stop)
    {
        SmallPtrSet<const BasicBlock *, 16> seen;
        SmallVector<BasicBlock::const_iterator, 16> open
            = { std::next(from->getIterator()) };
        while (!open.empty()) {
            BasicBlock::const_iterator at = open.pop_back_val();
            const BasicBlock *block = at->getParent();
            for (; !at->isTerminator() && !add(&*at, stop); ++at)
                ;
            if (!at->isTerminator())
                continue;
            for (const BasicBlock *next : successors(block))
                if (seen.insert(next).second)
                    open.push_back(next->begin());
        }
    }
    SmallPtrSet<const CallBase *, 16> found;

  private:
    /* @return stop there? */
    bool add(const Instruction *i, function_ref<bool(const Function *)> stop)
    {
        auto *call = dyn_cast<CallBase>(i);
        if (!call || !call->getCalledFunction())
            return false;
        found.insert(call);
        return stop(call->getCalledFunction());
    }
};

/* Does another such function, or the same one again, follow before a barrier?
 * A gang executes the first one for all its threads, and then the other; and a
 * result that a loop waits for never comes, since the lanes wait together. */
static bool is_followed(const CallBase *atomic)
{
    const calls_after next(atomic, [](const Function *callee) {
        return source_name(callee) == "softgpu_barrier";
    });
    return any_of(next.found, shows_order);
}

/* For whom a thread waits. */
enum wait { NOBODY, WARP, WHOLE_BLOCK };

static wait wait_in(const Function *callee)
{
    const StringRef name = source_name(callee);
    if (name.starts_with("softgpu_barrier"))
        return WHOLE_BLOCK;
    return name.starts_with("softgpu_warp_") || name == "softgpu_active_mask"
               ? WARP
               : NOBODY;
}

/* For whom the thread has perhaps waited before. */
static wait wait_before(const kernel &k, const CallBase *atomic)
{
    wait most = NOBODY;
    for (const Instruction &i : instructions(k.function)) {
        auto *call = dyn_cast<CallBase>(&i);
        const Function *callee = call ? call->getCalledFunction() : nullptr;
        if (!callee || wait_in(callee) <= most)
            continue;
        const calls_after next(call, [](const Function *) { return false; });
        if (next.found.count(atomic))
            most = wait_in(callee);
    }
    return most;
}

/* threadIdx.x, or its sum with a number that all threads have? */
static bool is_thread_number(const kernel &k, const Value *value)
{
    if (auto *call = dyn_cast<CallBase>(value))
        return call->getCalledFunction() == k.builtins[THREAD][0];
    if (auto *cast = dyn_cast<CastInst>(value))
        return is_thread_number(k, cast->getOperand(0));
    auto *sum = dyn_cast<BinaryOperator>(value);
    if (!sum || sum->getOpcode() != Instruction::Add)
        return false;
    const Value *a = sum->getOperand(0), *b = sum->getOperand(1);
    if (k.shape_of(a).kind == shape::UNIFORM)
        std::swap(a, b);
    return k.shape_of(b).kind == shape::UNIFORM && is_thread_number(k, a);
}

/* Does one thread of a warp, or of a row of the block, execute the function:
 * `if (threadIdx.x == 0)`? */
static bool has_one_thread(const kernel &k, const CallBase *atomic, wait of)
{
    for (const BasicBlock &block : *k.function) {
        auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        auto *test = branch && branch->isConditional()
                         ? dyn_cast<ICmpInst>(branch->getCondition())
                         : nullptr;
        if (!test || !test->isEquality()
            || k.shape_of(test->getOperand(1)).kind != shape::UNIFORM
            || k.shape_of(test->getOperand(0)).kind != shape::AFFINE
            || (of == WHOLE_BLOCK
                && !is_thread_number(k, test->getOperand(0))))
            continue;
        const bool equal = test->getPredicate() == CmpInst::ICMP_EQ;
        const BasicBlockEdge edge(&block, branch->getSuccessor(!equal));
        if (k.dominators.dominates(edge, atomic->getParent()))
            return true;
    }
    return false;
}

bool is_order_visible(const kernel &k, const CallBase *atomic)
{
    if (!shows_order(atomic))
        return false;
    const wait before = wait_before(k, atomic);
    return is_followed(atomic)
           || (before != NOBODY && !has_one_thread(k, atomic, before));
}

} // namespace vectors
