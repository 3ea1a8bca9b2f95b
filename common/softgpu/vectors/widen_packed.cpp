/* SPDX-License-Identifier: MIT */
/* Float4 in the order of memory (pack_quads.cpp): their loads, the factors of
 * their threads, and the words of each thread again. */
#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

shape in_order(const kernel &k, const Value *pointer, unsigned order)
{
    const shape s = k.shape_of(pointer);
    shape result = of_kind(shape::PATTERN);
    for (unsigned place = 0; place < k.gang.lanes; place++)
        result.offsets[place] = s.offset(k.packed_orders[order][place]);
    return result;
}

part_span span_of(const shape &s, unsigned part, unsigned lanes)
{
    const unsigned count = lanes / QUAD, begin = part * count;
    int64_t least = s.offset(begin), most = least;
    for (unsigned t = begin; t < begin + count; t++) {
        least = std::min(least, s.offset(t));
        most = std::max(most, s.offset(t));
    }
    return { least, (unsigned)((most - least) / WORD) + QUAD };
}

/* A part of a row's float4.  The threads' addresses may be in any order, and
 * some may be equal: the words that they span are one load. */
rows widener::load_packed(LoadInst *i)
{
    const auto [front, part, order] = k.packed_loads.lookup(i);
    const shape s = in_order(k, front->getPointerOperand(), order);
    const part_span span = span_of(s, part, lanes);
    auto *type = FixedVectorType::get(i->getType(), span.words);
    SmallVector<int, MOST_LANES> words;
    for (unsigned lane = 0; lane < lanes; lane++) {
        const unsigned place = part * (lanes / QUAD) + lane / QUAD;
        words.push_back(
            (int)((s.offset(place) - span.begin) / WORD + lane % QUAD));
    }
    rows result;
    for (unsigned r = 0; r < row_count; r++) {
        Value *from = b.CreateConstGEP1_64(
            b.getInt8Ty(), scalar(front->getPointerOperand(), r),
            (uint64_t)span.begin);
        Value *all = b.CreateAlignedLoad(type, from, front->getAlign());
        result.push_back(b.CreateShuffleVector(all, words));
    }
    return result;
}

/* Have the threads of the part one address? */
static bool has_one_address(const shape &s, unsigned part, unsigned lanes)
{
    const unsigned count = lanes / QUAD;
    for (unsigned t = 1; t < count; t++)
        if (s.offset(part * count + t) != s.offset(part * count))
            return false;
    return true;
}

/* A word that each thread loads, as often as the part's threads have words:
 * broadcasts, which the processor makes while it loads. */
static Value *load_spread(IRBuilderBase &b, const LoadInst *load,
                          Value *address, const lane_offsets &offsets,
                          unsigned lanes)
{
    std::map<int64_t, SmallVector<unsigned, MOST_LANES>> lanes_at;
    Value *all = nullptr;
    for (unsigned lane = 0; lane < lanes; lane++)
        lanes_at[offsets[lane]].push_back(lane);
    for (const auto &at : lanes_at) {
        Value *word = b.CreateAlignedLoad(
            load->getType(),
            b.CreateConstGEP1_64(b.getInt8Ty(), address, (uint64_t)at.first),
            Align(WORD));
        Value *one = b.CreateVectorSplat(lanes, word);
        SmallVector<Constant *, MOST_LANES> own(lanes, b.getFalse());
        for (unsigned lane : at.second)
            own[lane] = b.getTrue();
        all = all ? b.CreateSelect(ConstantVector::get(own), one, all) : one;
    }
    return all;
}

/* The same of a word of a float4: all of its words are one load, and each is
 * selected.  Broadcasts would be more loads than the processor has time for
 * while it multiplies. */
static Value *select_spread(IRBuilderBase &b, const LoadInst *front,
                            Value *address, const part_span &span,
                            const lane_offsets &offsets, unsigned lanes)
{
    SmallVector<int, MOST_LANES> quads, words;
    for (unsigned lane = 0; lane < lanes; lane++) {
        const int word = (int)((offsets[lane] - span.begin) / WORD);
        quads.push_back(word / QUAD * QUAD + (int)lane % QUAD);
        words.push_back((int)lane / QUAD * QUAD + word % QUAD);
    }
    Value *all = b.CreateAlignedLoad(
        FixedVectorType::get(front->getType(), span.words),
        b.CreateConstGEP1_64(b.getInt8Ty(), address, (uint64_t)span.begin),
        front->getAlign());
    return b.CreateShuffleVector(b.CreateShuffleVector(all, quads), words);
}

/* A constant argument of a call. */
static unsigned number_of(const CallBase *i, unsigned argument)
{
    return (unsigned)cast<ConstantInt>(i->getArgOperand(argument))
        ->getZExtValue();
}

rows widener::emit_spread(CallBase *i)
{
    auto *load = cast<LoadInst>(i->getArgOperand(0));
    auto *front = dyn_cast<LoadInst>(i->getArgOperand(1));
    const unsigned part = number_of(i, 2);
    Value *pointer = (front ? front : load)->getPointerOperand();
    const shape s = in_order(k, pointer, number_of(i, 3));
    int64_t at = 0;
    is_same_base(pointer, load->getPointerOperand(), data, at);
    lane_offsets offsets = {};
    for (unsigned lane = 0; lane < lanes; lane++)
        offsets[lane] = at + s.offset(part * (lanes / QUAD) + lane / QUAD);
    rows result;
    for (unsigned r = 0; r < row_count; r++) {
        Value *address = scalar(pointer, r);
        result.push_back(!front || has_one_address(s, part, lanes)
                             ? load_spread(b, load, address, offsets, lanes)
                             : select_spread(b, front, address,
                                             span_of(s, part, lanes), offsets,
                                             lanes));
    }
    return result;
}

/* One word of each thread. */
rows widener::emit_unpack(CallBase *i)
{
    const thread_order &threads = k.packed_orders[number_of(i, QUAD + 1)];
    SmallVector<int, MOST_LANES> selected(lanes);
    for (unsigned place = 0; place < lanes; place++)
        selected[threads[place]] = (int)(place * QUAD + number_of(i, QUAD));
    rows result;
    for (unsigned r = 0; r < row_count; r++) {
        rows parts;
        for (unsigned part = 0; part < QUAD; part++)
            parts.push_back(vector(i->getArgOperand(part), r));
        result.push_back(select_elements(parts, selected));
    }
    return result;
}

} // namespace vectors
