/* SPDX-License-Identifier: MIT */
/* Float4 of a row, one a lane.  Those of two or four lanes are often neighbors,
 * a row of a tile: they are one load, and need one address. */
#include "common/softgpu/vectors/quads.h"
#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

static unsigned count_of(const Value *values)
{
    return cast<FixedVectorType>(values->getType())->getNumElements();
}

Value *are_runs(IRBuilderBase &b, Value *pointers, unsigned run)
{
    const unsigned lanes = count_of(pointers);
    Value *addresses = b.CreatePtrToInt(
        pointers, FixedVectorType::get(b.getInt64Ty(), lanes));
    SmallVector<int, MOST_LANES> firsts;
    SmallVector<Constant *, MOST_LANES> offsets;
    for (unsigned lane = 0; lane < lanes; lane++) {
        firsts.push_back((int)(lane / run * run));
        offsets.push_back(b.getInt64(lane % run * QUAD * WORD));
    }
    return b.CreateICmpEQ(
        b.CreateSub(addresses, b.CreateShuffleVector(addresses, firsts)),
        ConstantVector::get(offsets));
}

Value *first_of_runs(IRBuilderBase &b, Value *pointers, unsigned run)
{
    SmallVector<int, MOST_LANES> firsts;
    for (unsigned lane = 0; lane < count_of(pointers); lane += run)
        firsts.push_back((int)lane);
    return run == 1 ? pointers : b.CreateShuffleVector(pointers, firsts);
}

/* Two vectors, 4 words at a time: words `first` and `first` + 1 of both, in
 * turns (`step` 1), or of one, then of the other one (2). */
static Value *interleave(IRBuilderBase &b, Value *one, Value *two, int lanes,
                         int first, int step)
{
    SmallVector<int, MOST_LANES> selected;
    for (int at = first; at < lanes; at += QUAD)
        if (step == 1)
            selected.append({ at, lanes + at, at + 1, lanes + at + 1 });
        else
            selected.append({ at, at + 1, lanes + at, lanes + at + 1 });
    return b.CreateShuffleVector(one, two, selected);
}

rows transpose_words(IRBuilderBase &b, ArrayRef<Value *> from)
{
    const int n
        = (int)cast<FixedVectorType>(from[0]->getType())->getNumElements();
    rows half;
    for (int high = 0; high < QUAD; high += 2)
        for (unsigned pair = 0; pair < QUAD; pair += 2)
            half.push_back(
                interleave(b, from[pair], from[pair + 1], n, high, 1));
    return { interleave(b, half[0], half[1], n, 0, 2),
             interleave(b, half[0], half[1], n, 2, 2),
             interleave(b, half[2], half[3], n, 0, 2),
             interleave(b, half[2], half[3], n, 2, 2) };
}

/* Vectors, one after the other. */
static Value *join(IRBuilderBase &b, rows parts)
{
    while (parts.size() > 1) {
        rows joined;
        for (size_t p = 0; p < parts.size(); p += 2) {
            const int words = (int)count_of(parts[p]);
            SmallVector<int, MOST_LANES> both;
            for (int w = 0; w < 2 * words; w++)
                both.push_back(w);
            joined.push_back(
                b.CreateShuffleVector(parts[p], parts[p + 1], both));
        }
        parts = joined;
    }
    return parts[0];
}

/* A load of 16 bytes a lane, and their words as four vectors.
 * @param addresses  of each lane, or of each pair of lanes */
rows widener::load_quad(const load_group &group, ArrayRef<Value *> addresses)
{
    LoadInst *front = group.members.front().first;
    const unsigned run = lanes / (unsigned)addresses.size();
    auto *piece = FixedVectorType::get(front->getType(), QUAD * run);
    rows pieces, vectors, result;
    prefetch_next(front, addresses, QUAD * WORD * run);
    for (Value *address : addresses)
        pieces.push_back(
            b.CreateAlignedLoad(piece, address, front->getAlign()));
    /* Vector v has the pieces v, v + 4, ... */
    for (unsigned v = 0; v < QUAD; v++) {
        rows parts;
        for (size_t p = v; p < pieces.size(); p += QUAD)
            parts.push_back(pieces[p]);
        vectors.push_back(join(b, parts));
    }
    const rows words = transpose_words(b, vectors);
    if (run == 1)
        return words;
    /* Words of pieces 0 to 3, of their first lanes, then of their second. */
    SmallVector<int, MOST_LANES> order;
    for (unsigned lane = 0; lane < lanes; lane++) {
        const unsigned p = lane / run;
        order.push_back((int)((p / QUAD * run + lane % run) * QUAD + p % QUAD));
    }
    for (Value *word : words)
        result.push_back(b.CreateShuffleVector(word, order));
    return result;
}

} // namespace vectors
