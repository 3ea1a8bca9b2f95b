/* SPDX-License-Identifier: MIT */
/* Values that stay in the order of memory.
 *
 * A thread that loads a float4 has four words side by side, but a vector holds
 * one word of each thread: 16 threads' float4 are four vectors in memory, and
 * as many shuffles and more make the four vectors of their words.  Where the
 * words are only multiplied and added, four at a time, each by the same factor
 * of its thread (a row of the sums of a register tile), the shuffles are of no
 * use: vector `part` keeps the float4 of a quarter of the row's threads, and so
 * do the sums.  Words are exchanged where something else reads the sums, after
 * the loop. */
#include <llvm/IR/IntrinsicInst.h>

#include <numeric>
#include <set>
#include <tuple>

#include "common/softgpu/vectors/pack_loads.h"
#include "common/softgpu/vectors/vectors.h"

using namespace llvm;

namespace vectors {

namespace {

class packer {
  public:
    explicit packer(kernel &kernel) : k(kernel), found(find_packable(k)) {}
    void run();

  private:
    bool is_factor(const Value *value) const;
    bool has_one_kind(const quad &q) const;
    bool pack(const quad &q);
    void pack_users_of(const packable &of);
    bool is_useful(const quad &group, unsigned depth) const;
    void drop_useless();
    CallInst *call(const char *name, ArrayRef<Value *> arguments,
                   const std::array<unsigned, 2> &numbers, Instruction *before);
    void spread_factors(const packable &of);
    void unpack_uses(const packable &of);
    bool is_packed(const Value *value) const { return places.count(value); }
    unsigned depth_of(const BasicBlock *block) const
    {
        return k.loops.getLoopDepth(block);
    }

    kernel &k;
    const packable_loads found;
    unsigned order = 0; /* of the threads' places, for what is being packed */
    std::vector<packable> groups; /* packed */
    /* By member of a group: the group, and its part of it. */
    DenseMap<const Value *, std::pair<size_t, unsigned>> places;
    /* By factor, part and order: the factor, as often as the threads have
     * words. */
    std::map<std::tuple<Value *, unsigned, unsigned>, Value *> spread;
};

/* --- what may be packed --------------------------------------------------- */

/* Has each thread one value, for its four words?  That of a row is known, or
 * loaded: one word for a part's threads, or two. */
bool packer::is_factor(const Value *value) const
{
    auto *load = dyn_cast<LoadInst>(value);
    if (k.shape_of(value).is_scalar())
        return true;
    if (!load || !load->isSimple() || k.is_masked(load->getParent())
        || !k.shape_of(load->getPointerOperand()).follows_first())
        return false;
    const shape s = in_order(k, load->getPointerOperand(), order);
    return all_of(seq((unsigned)QUAD), [&](unsigned part) {
        return count_addresses(s, part, k.gang.lanes) <= 2;
    });
}

/* Are these four instructions of one block that do the same? */
bool packer::has_one_kind(const quad &q) const
{
    auto *front = dyn_cast<Instruction>(q[0]);
    if (!front)
        return false;
    auto *call = dyn_cast<IntrinsicInst>(front);
    const unsigned code = front->getOpcode();
    const bool known = isa<PHINode>(front) || code == Instruction::FAdd
                       || code == Instruction::FSub
                       || code == Instruction::FMul || code == Instruction::FNeg
                       || (call
                           && (call->getIntrinsicID() == Intrinsic::fma
                               || call->getIntrinsicID()
                                      == Intrinsic::fmuladd));
    return known && all_of(q, [&](Value *value) {
               auto *i = dyn_cast<Instruction>(value);
               return i && i->getOpcode() == code
                      && i->getParent() == front->getParent()
                      && (!call
                          || (isa<IntrinsicInst>(i)
                              && cast<IntrinsicInst>(i)->getIntrinsicID()
                                     == call->getIntrinsicID()))
                      && i->getType()->isFloatTy() && !is_packed(i)
                      && k.shape_of(i).kind == shape::VARYING
                      && !k.is_masked(i->getParent());
           })
           && std::set<Value *>(q.begin(), q.end()).size() == QUAD;
}

/* The operands of four instructions: those of one place. */
quad operands_of(const quad &q, unsigned n)
{
    auto *phi = dyn_cast<PHINode>(q[0]);
    quad result;
    for (unsigned part = 0; part < QUAD; part++)
        result[part] = phi ? cast<PHINode>(q[part])->getIncomingValueForBlock(
                                 phi->getIncomingBlock(n))
                           : cast<Instruction>(q[part])->getOperand(n);
    return result;
}

/* How many they have; a load's address is none. */
unsigned count_operands(const quad &q)
{
    if (auto *call = dyn_cast<CallBase>(q[0]))
        return call->arg_size();
    return isa<LoadInst>(q[0]) ? 0 : cast<Instruction>(q[0])->getNumOperands();
}

bool is_one_value(const quad &q)
{
    return all_of(q, [&](Value *value) { return value == q[0]; });
}

/* Pack the four values, and all from which they are computed.
 * @return can it be done?  If not, groups may have been added */
bool packer::pack(const quad &q)
{
    if (is_one_value(q))
        return !is_packed(q[0]) && is_factor(q[0]);
    const auto place = places.find(q[0]);
    if (place != places.end()) {
        const packable &own = groups[place->second.first];
        return own.words == q && own.order == order;
    }
    const auto load = found.by_load.find(q[0]);
    const bool is_load = load != found.by_load.end()
                         && load->second.words == q
                         && load->second.order == order;
    if (!is_load && !has_one_kind(q))
        return false;
    for (unsigned part = 0; part < QUAD; part++)
        places[q[part]] = { groups.size(), part };
    groups.push_back({ q, order });
    for (unsigned n = 0; n < count_operands(q); n++)
        if (!pack(operands_of(q, n)))
            return false;
    return true;
}

/* The user of a value that is to it what another use is to its value. */
Value *user_like(Value *value, const Use &like)
{
    auto *front = cast<Instruction>(like.getUser());
    Value *result = nullptr;
    for (const Use &use : value->uses()) {
        auto *i = cast<Instruction>(use.getUser());
        if (i->getOpcode() != front->getOpcode()
            || i->getParent() != front->getParent()
            || use.getOperandNo() != like.getOperandNo())
            continue;
        if (isa<PHINode>(i) || use.getOperandNo() > 1
            || i->getNumOperands() < 2
            || i->getOperand(1 - use.getOperandNo())
                   == front->getOperand(1 - use.getOperandNo()))
            return i; /* by the same factor */
        if (!result)
            result = i;
    }
    return result;
}

/* Pack what is computed from four values; each attempt wholly or not at all. */
void packer::pack_users_of(const packable &of)
{
    const quad &from = of.words;
    order = of.order;
    SmallVector<const Use *, 16> uses;
    for (const Use &use : from[0]->uses())
        uses.push_back(&use);
    for (const Use *use : uses) {
        const size_t before = groups.size();
        quad users = { use->getUser() };
        for (unsigned part = 1; part < QUAD; part++)
            users[part] = user_like(from[part], *use);
        if (is_packed(users[0]) || is_contained(users, nullptr)
            || pack(users))
            continue;
        for (; groups.size() > before; groups.pop_back())
            for (Value *member : groups.back().words)
                places.erase(member);
    }
}

/* --- what is worth it ----------------------------------------------------- */

/* The block at whose end, or in which, a use reads its value. */
BasicBlock *block_of(const Use &use)
{
    auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    return phi ? phi->getIncomingBlock(use) : user->getParent();
}

/* Are all its operands packed, or factors, and is it read in the order of
 * threads only outside of loops of that depth? */
bool packer::is_useful(const quad &group, unsigned depth) const
{
    for (unsigned n = 0; n < count_operands(group); n++) {
        const quad of = operands_of(group, n);
        if (is_one_value(of) == is_packed(of[0]))
            return false;
    }
    return all_of(group, [&](Value *member) {
        return all_of(member->uses(), [&](const Use &use) {
            return is_packed(use.getUser()) || depth_of(block_of(use)) < depth;
        });
    });
}

void packer::drop_useless()
{
    unsigned depth = ~0u;
    for (const packable &group : groups)
        if (auto *load = dyn_cast<LoadInst>(group.words[0]))
            depth = std::min(depth, depth_of(load->getParent()));
    for (bool changed = true; changed;) {
        std::vector<packable> kept;
        for (const packable &group : groups)
            if (is_useful(group.words, depth))
                kept.push_back(group);
            else
                for (Value *member : group.words)
                    places.erase(member);
        changed = kept.size() < groups.size();
        groups = kept;
    }
}

/* --- the change of the scalar code ---------------------------------------- */

/* A call of one of the functions that exchange words. */
CallInst *packer::call(const char *name, ArrayRef<Value *> arguments,
                       const std::array<unsigned, 2> &numbers,
                       Instruction *before)
{
    IRBuilder<> b(before);
    SmallVector<Type *, QUAD + 2> types(arguments.size(), b.getFloatTy());
    SmallVector<Value *, QUAD + 2> all(arguments);
    for (const unsigned number : numbers) {
        types.push_back(b.getInt32Ty());
        all.push_back(b.getInt32(number));
    }
    FunctionCallee callee = k.function->getParent()->getOrInsertFunction(
        name, FunctionType::get(b.getFloatTy(), types, false));
    auto *f = cast<Function>(callee.getCallee());
    f->setDoesNotAccessMemory();
    f->setDoesNotThrow();
    CallInst *result = b.CreateCall(callee, all);
    k.shapes[result] = of_kind(shape::VARYING);
    return result;
}

/* The first instruction after two of one block. */
Instruction *after_both(Value *a, Value *b)
{
    auto *one = cast<Instruction>(a), *other = cast<Instruction>(b);
    return (one->comesBefore(other) ? other : one)->getNextNode();
}

/* A factor that differs by thread, as often as the thread has words. */
void packer::spread_factors(const packable &of)
{
    const quad &group = of.words;
    for (unsigned n = 0; n < count_operands(group); n++) {
        Value *factor = operands_of(group, n)[0];
        if (!is_one_value(operands_of(group, n))
            || k.shape_of(factor).is_scalar())
            continue;
        auto *load = cast<LoadInst>(factor);
        const auto quad_of = found.by_load.find(load);
        const bool alone = quad_of == found.by_load.end();
        Value *front = alone ? PoisonValue::get(load->getType())
                             : quad_of->second.words[0];
        for (unsigned part = 0; part < QUAD; part++) {
            Value *&of_part = spread[{ load, part, of.order }];
            if (!of_part)
                of_part = call(spread_word, { load, front },
                               { part, of.order },
                               after_both(load, alone ? load : front));
            cast<Instruction>(group[part])->setOperand(n, of_part);
        }
    }
}

/* Whatever is not packed reads the words of the threads. */
void packer::unpack_uses(const packable &of)
{
    const quad &group = of.words;
    SmallVector<std::pair<Use *, unsigned>, 8> uses;
    for (unsigned part = 0; part < QUAD; part++)
        for (Use &use : group[part]->uses())
            if (!is_packed(use.getUser()))
                uses.push_back({ &use, part });
    for (const auto &[use, part] : uses) {
        auto *user = cast<Instruction>(use->getUser());
        use->set(call(unpack_word, group, { part, of.order },
                      isa<PHINode>(user) ? block_of(*use)->getTerminator()
                                         : user));
    }
}

void packer::run()
{
    for (const packable &of : found.loads)
        pack_users_of(of);
    for (size_t g = 0; g < groups.size(); g++)
        pack_users_of(packable(groups[g]));
    drop_useless();
    for (const packable &group : groups) {
        unpack_uses(group);
        for (unsigned part = 0; part < QUAD; part++)
            if (auto *load = dyn_cast<LoadInst>(group.words[part]))
                k.packed_loads[load] = { cast<LoadInst>(group.words[0]), part,
                                         group.order };
    }
    for (const packable &group : groups)
        spread_factors(group);
}

} // namespace

void pack_quads(kernel &k)
{
    thread_order own;
    std::iota(own.begin(), own.end(), 0u);
    k.packed_orders = { own };
    packer(k).run();
}

} // namespace vectors
