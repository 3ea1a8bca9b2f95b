/* SPDX-License-Identifier: MIT */
/* A function for a whole block: each phase is a loop over the gangs.  A value
 * that another phase uses is kept in a frame of the gang, or once if it is the
 * same for all threads of the block. */
#include <llvm/ADT/SmallSet.h>
#include <llvm/IR/CFG.h>

#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

enum { FRAME_ALIGN = 64, MOST_FRAME_BYTES = 16384 };

/* --- before the first phase ----------------------------------------------- */

/* Store the first thread of each row of each gang: x, y, z. */
void widener::store_first_threads()
{
    Type *word = b.getInt32Ty();
    Value *extent[3], *at[3];
    slots cursor;
    for (unsigned c = 0; c < 3; c++) {
        extent[c] = builtin_values[k.builtins[BLOCK_DIM][c]][0];
        cursor.push_back(new_slot(word));
        b.CreateStore(b.getInt32(0), cursor[c]);
    }
    Value *threads = b.CreateMul(b.CreateMul(extent[0], extent[1]), extent[2]);
    gang_count = b.CreateLShr(threads, Log2_32(k.gang.threads()));
    first_threads = b.CreateAlloca(
        word, b.CreateMul(gang_count, b.getInt32(row_count * 3)));
    BasicBlock *loop = new_block("first_threads"), *after = new_block("start");
    b.CreateStore(b.getInt32(0), gang_index);
    b.CreateBr(loop);
    b.SetInsertPoint(loop);
    for (unsigned c = 0; c < 3; c++)
        at[c] = load(cursor[c]);
    for (unsigned r = 0; r < row_count; r++) {
        for (unsigned c = 0; c < 3; c++)
            b.CreateStore(at[c], first_thread(r, c));
        next_row(at, extent);
    }
    for (unsigned c = 0; c < 3; c++)
        b.CreateStore(at[c], cursor[c]);
    emit_next_gang(loop, after);
    b.SetInsertPoint(after);
}

/* The address of a component of the first thread of a row of this gang. */
Value *widener::first_thread(unsigned row, unsigned component)
{
    Value *at = b.CreateMul(load(gang_index), b.getInt32(row_count * 3));
    at = b.CreateAdd(at, b.getInt32(row * 3 + component));
    return b.CreateGEP(b.getInt32Ty(), first_threads, at);
}

/* A component of threadIdx, for each row of this gang. */
rows widener::thread_index(unsigned component)
{
    rows result;
    for (unsigned r = 0; r < row_count; r++)
        result.push_back(
            b.CreateLoad(b.getInt32Ty(), first_thread(r, component)));
    return result;
}

/* The value that the first gang has loaded in this phase: it keeps it for the
 * others. */
Value *widener::of_first_gang(Value *loaded)
{
    AllocaInst *slot = new_slot(loaded->getType());
    Value *is_first = b.CreateICmpEQ(load(gang_index), b.getInt32(0));
    first_loads.push_back(slot);
    Value *value = b.CreateSelect(is_first, loaded, load(slot));
    b.CreateStore(value, slot);
    return value;
}

/* Go on with the next gang, if there is one. */
void widener::emit_next_gang(BasicBlock *loop, BasicBlock *after)
{
    Value *next = b.CreateAdd(load(gang_index), b.getInt32(1));
    b.CreateStore(next, gang_index);
    b.CreateCondBr(b.CreateICmpULT(next, gang_count), loop, after);
}

/* The loops of all phases, still without their bodies. */
void widener::begin_phases()
{
    gang_index = new_slot(b.getInt32Ty());
    frame_stride = new_slot(b.getInt32Ty());
    store_first_threads();
    AllocaInst *frames = b.CreateAlloca(
        b.getInt8Ty(), b.CreateMul(gang_count, load(frame_stride)), "frames");
    frames->setAlignment(Align(FRAME_ALIGN));
    frames->setMetadata(frames_mark, MDNode::get(context, {}));
    BasicBlock *const start = b.GetInsertBlock();
    for (size_t p = 0; p < k.phases.size(); p++) {
        phase_loop l = { new_block("phase"), new_block("gang"),
                         new_block("next_gang"), new_block("phase_end"),
                         nullptr };
        b.SetInsertPoint(l.enter);
        b.CreateStore(b.getInt32(0), gang_index);
        count_synchronization();
        b.CreateBr(l.head);
        b.SetInsertPoint(l.head);
        l.frame = b.CreateGEP(
            b.getInt8Ty(), frames,
            b.CreateMul(load(gang_index), load(frame_stride)));
        b.SetInsertPoint(l.latch);
        emit_next_gang(l.head, l.done);
        phase_loops.push_back(l);
    }
    b.SetInsertPoint(start);
}

/* --- fences --------------------------------------------------------------- */

/* May it access memory that other blocks access? */
static bool may_access_memory(const Instruction &i)
{
    auto *call = dyn_cast<CallBase>(&i);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    const StringRef name = callee ? source_name(callee) : "";
    return i.mayReadOrWriteMemory() && !isa<FenceInst>(i)
           && name != "softgpu_spin" && name != "softgpu_barrier";
}

/* The gangs of a block are one thread of the processor, so what all of them
 * have accessed before a phase ends needs one fence. */
fence_place place_of_fence(const kernel &k, const Instruction *fence)
{
    const BasicBlock *block = fence->getParent();
    const unsigned number = k.phase_of.lookup(block);
    if (!number)
        return OF_GANG;
    const phase &own = k.phases[number - 1];
    const auto at = fence->getIterator();
    if (block == own.last && none_of(make_range(at, block->end()),
                                     may_access_memory))
        return PHASE_END;
    if (block == own.first && none_of(make_range(block->begin(), at),
                                      may_access_memory))
        return PHASE_BEGIN;
    return OF_GANG;
}

/* --- the end of a phase --------------------------------------------------- */

/* The loop of the phase that begins with the block. */
BasicBlock *widener::phase_at(BasicBlock *block)
{
    return phase_loops[k.phase_of[block] - 1].enter;
}

/* The values that phis get on the edges: those of a gang before the next gang
 * begins, those of the block after the last one. */
void widener::assign_phis(ArrayRef<edge> edges, bool of_block)
{
    std::vector<assignment> values;
    for (const edge &e : edges)
        for (const assignment &a : read_values(e))
            if (k.is_block_uniform(a.phi) == of_block)
                values.push_back(a);
    assign(values, {});
}

/* The end of the last block of a phase. */
void widener::emit_phase_end(BasicBlock *block)
{
    const phase_loop &own = phase_loops[k.phase_of[block] - 1];
    const region *diverges = k.region_at(block);
    std::vector<edge> edges;
    if (diverges) {
        emit_region(*diverges);
    } else {
        for (BasicBlock *next : successors(block))
            edges.push_back({ block, next, {} });
        assign_phis(edges, false);
    }
    b.CreateBr(own.latch);
    b.SetInsertPoint(own.done);
    known.clear();
    assign_phis(edges, true);
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (diverges)
        b.CreateBr(phase_at(diverges->exit));
    else if (!branch)
        b.CreateRetVoid();
    else if (branch->isConditional())
        b.CreateCondBr(scalar(branch->getCondition(), 0),
                       phase_at(branch->getSuccessor(0)),
                       phase_at(branch->getSuccessor(1)));
    else
        b.CreateBr(phase_at(branch->getSuccessor(0)));
}

/* --- values that another phase uses --------------------------------------- */

/* Room in the frame of each gang: its offset. */
uint64_t widener::allocate_in_frame(uint64_t bytes, Align align)
{
    const uint64_t at = alignTo(frame_bytes, align);
    frame_bytes = at + bytes;
    return at;
}

/* The address of such room, in the gang of a phase. */
Value *widener::frame_address(unsigned of_phase, uint64_t offset)
{
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(),
                                        phase_loops[of_phase].frame, offset);
}

/* The phase of each block of the new function that a gang executes. */
DenseMap<BasicBlock *, unsigned> widener::phases_of_blocks()
{
    DenseMap<BasicBlock *, unsigned> result;
    for (unsigned p = 0; p < phase_loops.size(); p++) {
        SmallVector<BasicBlock *, 16> open = { phase_loops[p].head };
        while (!open.empty()) {
            BasicBlock *block = open.pop_back_val();
            if (block != phase_loops[p].latch
                && result.insert({ block, p }).second)
                open.append(succ_begin(block), succ_end(block));
        }
    }
    return result;
}

/* One phase uses the slot: its value ends with the gang. */
void widener::end_with_gang(AllocaInst *slot, unsigned of_phase)
{
    b.SetInsertPoint(phase_loops[of_phase].head->getFirstNonPHI());
    b.CreateStore(UndefValue::get(slot->getAllocatedType()), slot);
}

/* Several phases use the slot: it moves to the frame. */
void widener::move_to_frame(
    AllocaInst *slot, const DenseMap<BasicBlock *, unsigned> &phase_of_block)
{
    Type *type = slot->getAllocatedType();
    const uint64_t at = allocate_in_frame(data.getTypeAllocSize(type),
                                          data.getABITypeAlign(type));
    SmallVector<Instruction *, 8> accesses;
    for (User *user : slot->users())
        accesses.push_back(cast<Instruction>(user));
    for (Instruction *access : accesses) {
        b.SetInsertPoint(access);
        access->replaceUsesOfWith(
            slot, frame_address(phase_of_block.lookup(access->getParent()),
                                at));
    }
    slot->eraseFromParent();
}

/* Give each slot its place. */
void widener::place_slots()
{
    const auto phase_of_block = phases_of_blocks();
    SmallPtrSet<AllocaInst *, 16> of_block = { gang_index, frame_stride,
                                               synchronizations };
    std::vector<AllocaInst *> kept;
    of_block.insert(first_loads.begin(), first_loads.end());
    for (auto &of_value : value_slots)
        if (k.is_block_uniform(of_value.first))
            of_block.insert(of_value.second.begin(), of_value.second.end());
    for (AllocaInst *slot : all_slots) {
        SmallSet<unsigned, 4> used;
        for (User *user : slot->users()) {
            auto in = phase_of_block.find(cast<Instruction>(user)->getParent());
            if (in != phase_of_block.end())
                used.insert(in->second);
        }
        if (!of_block.count(slot) && used.size() > 1) {
            move_to_frame(slot, phase_of_block);
            continue;
        }
        if (!of_block.count(slot) && used.size() == 1)
            end_with_gang(slot, *used.begin());
        kept.push_back(slot);
    }
    all_slots = kept;
    k.frame_is_large = frame_bytes > MOST_FRAME_BYTES;
    b.SetInsertPoint(frame_stride->getNextNode());
    b.CreateStore(b.getInt32((uint32_t)alignTo(frame_bytes, FRAME_ALIGN)),
                  frame_stride);
}

} // namespace vectors
