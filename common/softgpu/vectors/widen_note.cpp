/* SPDX-License-Identifier: MIT */
/* Notes of a gang: does the program rely on the lanes of a warp running in
 * lockstep?  See core/lockstep_note.c. */
#include <llvm/IR/MDBuilder.h>

#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

/* A synchronization of the warp or the block: accesses before and after it are
 * in order. */
void widener::count_synchronization()
{
    if (synchronizations)
        b.CreateStore(b.CreateAdd(load(synchronizations), b.getInt32(1)),
                      synchronizations);
}

/* The variable of lockstep.h that is 0 when enough accesses were noted. */
static const char notes_variable[] = "_ZN7softgpu14notes_lockstepE";

/* An access whose result may depend on the order of the lanes. */
void widener::emit_lockstep_note(CallBase *i)
{
    Type *word = b.getInt32Ty();
    GlobalVariable *notes = module->getGlobalVariable(notes_variable);
    if (!notes)
        return k.refuse("it has notes, but nothing counts them");
    rows at;
    get(i->getArgOperand(0)); /* where both ways have its value */
    Value *active = ballot(b.getInt32(1));
    LoadInst *noting = b.CreateAlignedLoad(word, notes, Align(4));
    noting->setAtomic(AtomicOrdering::Monotonic);
    BasicBlock *note = new_block("note"), *after = new_block("noted");
    b.CreateCondBr(b.CreateIsNotNull(noting), note, after,
                   MDBuilder(context).createUnlikelyBranchWeights());
    b.SetInsertPoint(note);
    AllocaInst *all = spill(i->getArgOperand(0));
    FunctionCallee runtime = module->getOrInsertFunction(
        "softgpu_note_gang", word, b.getPtrTy(), word, word, word, word,
        b.getPtrTy(), word);
    CallInst *more = b.CreateCall(
        runtime, { all, active, i->getArgOperand(1),
                   k.phases.empty()
                       ? b.getInt32(0)
                       : b.CreateMul(load(gang_index),
                                     b.getInt32(k.gang.threads())),
                   load(synchronizations), i->getArgOperand(2),
                   i->getArgOperand(3) });
    b.CreateAlignedStore(more, notes, Align(4))
        ->setAtomic(AtomicOrdering::Monotonic);
    b.CreateBr(after);
    b.SetInsertPoint(after);
}

} // namespace vectors
