/* SPDX-License-Identifier: MIT */
/* Four neighboring words that a thread loads and stores, and nothing else: a
 * float4 that is copied, or cp.async.  As values they would be four vectors of
 * words, transposed twice; a copy moves 16 bytes a lane. */
#include "common/softgpu/vectors/quads.h"
#include "common/softgpu/vectors/scattered.h"
#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

/* The store that has the load's value, if nothing else has. */
static StoreInst *store_of(LoadInst *load)
{
    auto *store = load->hasOneUse()
                      ? dyn_cast<StoreInst>(*load->user_begin())
                      : nullptr;
    return store && store->isSimple() && store->getValueOperand() == load
                   && store->getParent() == load->getParent()
               ? store
               : nullptr;
}

/* Does nothing else access memory between them? */
static bool is_together(const quad_copy &copy)
{
    unsigned left = QUAD;
    for (Instruction *i = copy.loads[0]; left; i = i->getNextNode()) {
        if (i->isTerminator())
            return false;
        if (is_contained(copy.stores, i))
            left--;
        else if (i->mayReadOrWriteMemory() && !is_contained(copy.loads, i))
            return false;
        else if (left < QUAD && isa<LoadInst>(i))
            return false;
    }
    return true;
}

bool widener::find_copy(LoadInst *i)
{
    load_group group;
    bool spans = has_known_offsets(i->getPointerOperand(), i->getType());
    auto copy = std::make_shared<quad_copy>();
    StoreInst *const to = store_of(i);
    std::vector<store_place> members;
    std::vector<element_run> runs;
    if (!to || !i->isSimple() || size_of(i->getType(), data) != WORD
        || (!spans
            && k.shape_of(i->getPointerOperand()).kind != shape::VARYING)
        || !find_load_group(i, group, spans) || spans || group.begin
        || group.members.size() != QUAD || !find_stores(to, members, runs)
        || members.size() != QUAD)
        return false;
    for (unsigned word = 0; word < QUAD; word++) {
        LoadInst *load = group.members[word].first;
        if (store_of(load) != members[word].first
            || members[word].second != word * WORD)
            return false;
        copy->loads.push_back(load);
        copy->stores.push_back(members[word].first);
    }
    if (!is_together(*copy))
        return false;
    for (unsigned word = 0; word < QUAD; word++) {
        copies[copy->loads[word]] = copy;
        copies[copy->stores[word]] = copy;
    }
    return true;
}

/* The operands of a copy are read where its first load and its first store
 * are: later, a slot may have another value. */
static void read(stored &to, function_ref<Value *(unsigned)> pointer,
                 function_ref<Value *(unsigned)> address, unsigned count)
{
    for (unsigned r = 0; r < count; r++) {
        to.pointers.push_back(pointer(r));
        to.addresses.push_back(address(r));
    }
}

/* The addresses of each `run`-th lane.
 * @param own  of the gang's rows: pointers, or of the first lane */
static rows addresses_of(IRBuilderBase &b, const shape &s, const stored &own,
                         unsigned row, unsigned run, unsigned lanes,
                         function_ref<rows(Value *)> of_lanes)
{
    rows result;
    if (s.kind == shape::VARYING)
        return of_lanes(first_of_runs(b, own.pointers[row], run));
    for (unsigned lane = 0; lane < lanes; lane += run)
        result.push_back(b.CreateConstGEP1_64(
            b.getInt8Ty(), own.addresses[row], (uint64_t)s.offset(lane)));
    return result;
}

/* Copy 16 bytes a lane, those of `run` lanes at once. */
rows widener::copy_runs(const quad_copy &copy, unsigned row, unsigned run)
{
    LoadInst *load = copy.loads[0];
    StoreInst *store = copy.stores[0];
    auto *words = FixedVectorType::get(load->getType(), QUAD * run);
    auto of_lanes = [&](Value *pointers) { return lane_values(pointers, 1); };
    rows values;
    const rows from
        = copy.runs.empty()
              ? addresses_of(b, k.shape_of(load->getPointerOperand()),
                             copy.from, row, run, lanes, of_lanes)
              : copy.runs[row];
    prefetch_next(load, from, QUAD * WORD * run);
    for (Value *address : from)
        values.push_back(
            b.CreateAlignedLoad(words, address, load->getAlign()));
    const rows to = addresses_of(b, k.shape_of(store->getPointerOperand()),
                                 copy.to, row, run, lanes, of_lanes);
    for (size_t n = 0; n < to.size(); n++)
        b.CreateAlignedStore(values[n], to[n], store->getAlign());
    return {};
}

/* Are the float4 of each four lanes neighbors?
 * @param own  of the gang's rows, by an address of that shape
 * @return NULL: not, for a shape whose offsets are known */
static Value *are_fours(IRBuilderBase &b, const shape &s, const stored &own,
                        unsigned row, unsigned lanes)
{
    if (s.kind == shape::VARYING)
        return are_runs(b, own.pointers[row], QUAD);
    for (unsigned lane = 0; lane < lanes; lane++)
        if (s.offset(lane) - s.offset(lane / QUAD * QUAD)
            != lane % QUAD * QUAD * WORD)
            return nullptr;
    return Constant::getAllOnesValue(
        FixedVectorType::get(b.getInt1Ty(), lanes));
}

void widener::emit_copy(quad_copy &copy)
{
    LoadInst *load = copy.loads[0];
    StoreInst *store = copy.stores[0];
    auto *wide = FixedVectorType::get(load->getType(), lanes);
    for (unsigned r = 0; r < row_count; r++) {
        if (!copy.runs.empty()) {
            copy_runs(copy, r, copy.run);
            continue;
        }
        Value *from = are_fours(b, k.shape_of(load->getPointerOperand()),
                                copy.from, r, lanes),
              *to = are_fours(b, k.shape_of(store->getPointerOperand()),
                              copy.to, r, lanes);
        auto any_row = [&] {
            return emit_if_all(
                r, nullptr, [&] { return copy_runs(copy, r, 1); },
                [&] {
                    scatter_quad(b, k,
                                 gather_quad(b, k, wide, copy.from.pointers[r],
                                             load->getAlign(), row_mask(r)),
                                 copy.to.pointers[r], store->getAlign(),
                                 row_mask(r));
                    return rows();
                });
        };
        if (from && to)
            emit_if_all(r, b.CreateAnd(from, to),
                        [&] { return copy_runs(copy, r, QUAD); }, any_row);
        else
            any_row();
    }
}

bool widener::emit_copied(Instruction *i)
{
    auto *load = dyn_cast<LoadInst>(i);
    if (!copies.count(i) && !(load && find_copy(load)))
        return false;
    quad_copy &copy = *copies[i];
    auto read_at = [&](stored &to, Value *pointer) {
        const bool follows = k.shape_of(pointer).follows_first();
        read(
            to, [&](unsigned r) { return vector(pointer, r); },
            [&](unsigned r) {
                return follows ? scalar(pointer, r) : nullptr;
            },
            row_count);
    };
    if (i == copy.loads[0]) {
        Value *from = load->getPointerOperand(),
              *to = copy.stores[0]->getPointerOperand();
        read_at(copy.from, from);
        if (mask.empty())
            copy.run = known_run(k, to, known_run(k, from, QUAD));
        for (unsigned r = 0; copy.run > 1 && r < row_count; r++)
            copy.runs.push_back(scalar_runs(from, r, copy.run, load));
    }
    if (i == copy.stores[0])
        read_at(copy.to, copy.stores[0]->getPointerOperand());
    if (i == copy.stores[QUAD - 1])
        emit_copy(copy);
    return true;
}

} // namespace vectors
