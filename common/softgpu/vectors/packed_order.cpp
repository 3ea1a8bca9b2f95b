/* SPDX-License-Identifier: MIT */
/* The order of a row's threads in vectors of float4.
 *
 * A register tile multiplies float4 of two sides.  If the threads of a part
 * have neighboring float4 of one side and one float4 of the other one, those of
 * the first are a load, and each word of the other one is broadcast by its
 * load: nothing is shuffled.  The threads of a warp that is a square do not
 * have their places so; but it does not matter for the sums which thread has
 * which place. */
#include <llvm/IR/IntrinsicInst.h>

#include <set>
#include <tuple>

#include "common/softgpu/vectors/pack_loads.h"

using namespace llvm;

namespace vectors {

unsigned count_breaks(const shape &s, unsigned lanes)
{
    unsigned breaks = 0;
    for (unsigned t = 0; t + 1 < lanes; t++)
        breaks += (t + 1) % (lanes / QUAD)
                  && s.offset(t + 1) - s.offset(t) != QUAD * WORD;
    return breaks;
}

bool has_packed_spans(const shape &s, unsigned lanes)
{
    return all_of(seq((unsigned)QUAD), [&](unsigned part) {
        const part_span span = span_of(s, part, lanes);
        return span.words == QUAD || span.words == 2 * QUAD
               || span.words == lanes;
    });
}

unsigned count_addresses(const shape &s, unsigned part, unsigned lanes)
{
    std::set<int64_t> different;
    for (unsigned t = 0; t < lanes / QUAD; t++)
        different.insert(s.offset(part * (lanes / QUAD) + t));
    return (unsigned)different.size();
}

namespace {

/* The offsets of the lanes, and how many float4 have them. */
using sides = std::map<lane_offsets, unsigned>;

/* Is the value one of a product? */
bool is_multiplied(const Value *value)
{
    return any_of(value->users(), [](const User *user) {
        auto *call = dyn_cast<IntrinsicInst>(user);
        return cast<Instruction>(user)->getOpcode() == Instruction::FMul
               || (call
                   && (call->getIntrinsicID() == Intrinsic::fma
                       || call->getIntrinsicID() == Intrinsic::fmuladd));
    });
}

sides sides_of(const kernel &k, ArrayRef<quad> loads)
{
    sides all;
    for (const quad &of : loads)
        if (is_multiplied(of[0]))
            all[in_order(k, cast<LoadInst>(of[0])->getPointerOperand(), 0)
                    .offsets]++;
    return all;
}

shape by_place(const lane_offsets &of, const thread_order &order)
{
    shape result;
    result.kind = shape::PATTERN;
    for (unsigned place = 0; place < MOST_LANES; place++)
        result.offsets[place] = of[order[place]];
    return result;
}

/* What the terms of a tile cost if the float4 of one side are packed: shuffles,
 * then the vectors that are loaded. */
using cost = std::pair<unsigned, unsigned>;
constexpr cost IMPOSSIBLE = { ~0u, ~0u };

cost cost_of(const sides &all, const lane_offsets &packed,
             const thread_order &order, unsigned lanes)
{
    enum { MOST_ADDRESSES = 2 };
    cost result = {};
    for (const auto &[offsets, count] : all) {
        const shape s = by_place(offsets, order);
        std::set<int64_t> different;
        if (offsets == packed && !has_packed_spans(s, lanes))
            return IMPOSSIBLE;
        for (unsigned part = 0; part < QUAD; part++) {
            const unsigned own = count_addresses(s, part, lanes);
            different.insert(s.offset(part * (lanes / QUAD)));
            if (offsets != packed && own > MOST_ADDRESSES)
                return IMPOSSIBLE;
            result.first += offsets == packed ? 0 : (own - 1) * count * QUAD;
        }
        const unsigned vectors = (unsigned)different.size() * count;
        if (offsets == packed)
            result.first += count_breaks(s, lanes) * count;
        result.second += offsets == packed ? vectors : vectors * QUAD;
    }
    return result;
}

/* The cheapest way to pack one of the sides. */
cost least_cost(const sides &all, const thread_order &order, unsigned lanes)
{
    cost least = IMPOSSIBLE;
    for (const auto &side : all)
        least = std::min(least, cost_of(all, side.first, order, lanes));
    return least;
}

/* By their addresses of one side, then of the other one. */
thread_order sorted(const thread_order &from, const lane_offsets &first,
                    const lane_offsets &second, unsigned lanes)
{
    thread_order result = from;
    std::sort(result.begin(), result.begin() + lanes,
              [&](unsigned a, unsigned b) {
                  return std::tuple(first[a], second[a], a)
                         < std::tuple(first[b], second[b], b);
              });
    return result;
}

/* The number of an order; a new one is added. */
unsigned number_of(kernel &k, const thread_order &order)
{
    const auto found = find(k.packed_orders, order);
    if (found == k.packed_orders.end())
        k.packed_orders.push_back(order);
    return (unsigned)(find(k.packed_orders, order) - k.packed_orders.begin());
}

} // namespace

unsigned choose_order(kernel &k, ArrayRef<quad> loads)
{
    enum { MOST_SIDES = 4 };
    const unsigned lanes = k.gang.lanes;
    const sides all = sides_of(k, loads);
    const thread_order own = k.packed_orders[0];
    thread_order best = own;
    cost least = least_cost(all, own, lanes);
    if (!least.first || all.size() > MOST_SIDES)
        return 0;
    for (const auto &first : all)
        for (const auto &second : all) {
            const thread_order order
                = sorted(own, first.first, second.first, lanes);
            const cost of_order = least_cost(all, order, lanes);
            if (of_order < least) {
                least = of_order;
                best = order;
            }
        }
    return number_of(k, best);
}

} // namespace vectors
