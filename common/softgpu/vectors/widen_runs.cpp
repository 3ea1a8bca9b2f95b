/* SPDX-License-Identifier: MIT */
/* Stores that are executed together: where the lanes' addresses differ by
 * constants, as those of a float4 or of a row that is stored as a column,
 * vector stores of neighboring elements are faster than scatters.  Four
 * neighboring words at any address a lane are a store of 16 bytes a lane.
 * Where a mask is needed, this is done if all threads of the row are active. */
#include <numeric>

#include "common/softgpu/vectors/quads.h"
#include "common/softgpu/vectors/scattered.h"
#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

/* The elements that a group of stores writes, by place: the store and its lane.
 * @return false: two of them have one place */
bool widener::places_of(const std::vector<store_place> &members,
                        std::map<int64_t, int> &elements) const
{
    const int64_t size
        = size_of(members[0].first->getValueOperand()->getType(), data);
    for (size_t m = 0; m < members.size(); m++) {
        const shape s = k.shape_of(members[m].first->getPointerOperand());
        for (unsigned lane = 0; lane < lanes; lane++)
            if (!elements
                     .insert({ (members[m].second + s.offset(lane)) / size,
                               (int)(m * lanes + lane) })
                     .second)
                return false;
    }
    return true;
}

/* Runs of neighboring elements, at most a vector each.
 * @return empty: they are too short */
std::vector<element_run>
widener::runs_of(const std::vector<store_place> &members) const
{
    enum { LEAST = 2 };
    std::map<int64_t, int> elements;
    std::vector<element_run> all;
    if (!places_of(members, elements))
        return {};
    for (const auto &element : elements) {
        if (all.empty()
            || element.first
                   != all.back().first + (int64_t)all.back().sources.size()
            || all.back().sources.size() == lanes)
            all.push_back({ element.first, {} });
        all.back().sources.push_back(element.second);
    }
    for (const element_run &r : all)
        if (r.sources.size() < LEAST || !isPowerOf2_64(r.sources.size()))
            return {};
    return all;
}

/* The stores from i on that nothing but arithmetic separates, to places of one
 * base, which the lanes' offsets tell if i's do. */
std::vector<store_place> widener::stores_after(StoreInst *i) const
{
    std::vector<store_place> all;
    Type *type = i->getValueOperand()->getType();
    const bool known = has_known_offsets(i->getPointerOperand(), type);
    int64_t at;
    for (Instruction *next = i; next; next = next->getNextNode()) {
        auto *store = dyn_cast<StoreInst>(next);
        if (store && store->isSimple() && all.size() < MOST_VECTORS
            && store->getValueOperand()->getType() == type
            && has_known_offsets(store->getPointerOperand(), type) == known
            && is_same_base(i->getPointerOperand(), store->getPointerOperand(),
                            data, at)
            && at % size_of(type, data) == 0)
            all.push_back({ store, at });
        else if (next->mayReadOrWriteMemory() || next->isTerminator())
            break;
    }
    return all;
}

/* Are the runs all of a row's float4, one after the other?
 * @param words  gets the number of the store of each word */
static bool are_all_quads(const std::vector<element_run> &runs, int lanes,
                          int (&words)[QUAD])
{
    if (runs.size() != QUAD)
        return false;
    for (int at = 0; at < QUAD * lanes; at++) {
        const element_run &run = runs[(size_t)(at / lanes)];
        if ((int)run.sources.size() != lanes
            || run.first != runs[0].first + at / lanes * lanes
            || run.sources[(size_t)(at % lanes)] % lanes != at / QUAD)
            return false;
        if (at < QUAD)
            words[at] = run.sources[(size_t)at] / lanes;
    }
    return true;
}

/* Store each run as a vector, from the address of the first store.  The
 * elements of several short runs are brought into their order at once. */
void widener::store_runs(const std::vector<element_run> &runs,
                         ArrayRef<Value *> values, Value *address)
{
    int of_word[QUAD];
    rows ordered;
    if (are_all_quads(runs, (int)lanes, of_word))
        ordered = in_memory.find(b, { values[(size_t)of_word[0]],
                                    values[(size_t)of_word[1]],
                                    values[(size_t)of_word[2]],
                                    values[(size_t)of_word[3]] });
    for (size_t n = 0; n < ordered.size(); n++)
        b.CreateAlignedStore(
            ordered[n],
            b.CreateConstGEP1_64(b.getInt8Ty(), address,
                                 (uint64_t)(runs[n].first * WORD)),
            Align(WORD));
    if (!ordered.empty())
        return;
    for (size_t begin = 0, end = 0; begin < runs.size(); begin = end) {
        SmallVector<int, MOST_LANES> sources;
        for (; end < runs.size()
               && sources.size() + runs[end].sources.size() <= lanes;
             end++)
            sources.append(runs[end].sources.begin(), runs[end].sources.end());
        Value *const elements = select_elements(values, sources);
        for (size_t n = begin, at = 0; n < end; n++) {
            SmallVector<int, MOST_LANES> own(runs[n].sources.size());
            std::iota(own.begin(), own.end(), (int)at);
            at += own.size();
            b.CreateAlignedStore(
                b.CreateShuffleVector(elements, own),
                b.CreateConstGEP1_64(b.getInt8Ty(), address,
                                     (uint64_t)(runs[n].first * WORD)),
                Align(WORD));
        }
    }
}

/* Do the stores write four neighboring words, from the first one's address
 * on? */
static bool is_quad(const std::vector<store_place> &members)
{
    for (size_t m = 0; m < members.size(); m++)
        if (members[m].second != (int64_t)m * WORD)
            return false;
    return members.size() == QUAD;
}

/* Store 16 bytes a lane, in the order of the lanes. */
void widener::store_quad(ArrayRef<Value *> values, Value *pointers, Align align)
{
    const rows words = transpose_words(b, values),
               to = lane_values(pointers, 1);
    for (unsigned lane = 0; lane < lanes; lane++) {
        const int at = (int)(lane / QUAD * QUAD);
        b.CreateAlignedStore(b.CreateShuffleVector(words[lane % QUAD],
                                                   { at, at + 1, at + 2,
                                                     at + 3 }),
                             to[lane], align);
    }
}

/* A row's float4, one after the other: as many vectors as a float4 has words.
 * Vector w of the transposed words has the float4 of each lane w + 4 g. */
static rows one_after_the_other(IRBuilderBase &b, const memory_orders &known,
                                ArrayRef<Value *> values, int lanes)
{
    rows result = known.find(b, values);
    if (!result.empty())
        return result;
    const rows words = transpose_words(b, values);
    for (int lane = 0; lane < lanes; lane += lanes / QUAD) {
        rows pairs;
        for (int n = lane; n < lane + lanes / QUAD; n += PAIR) {
            SmallVector<int, MOST_LANES> two(PAIR * QUAD);
            for (int at = 0; at < PAIR * QUAD; at++)
                two[(size_t)at]
                    = n / QUAD * QUAD + at % QUAD + at / QUAD * lanes;
            pairs.push_back(b.CreateShuffleVector(
                words[(size_t)(n % QUAD)], words[(size_t)(n % QUAD) + 1], two));
        }
        SmallVector<int, MOST_LANES> all((size_t)lanes);
        std::iota(all.begin(), all.end(), 0);
        result.push_back(
            b.CreateShuffleVector(pairs[0], pairs.back(), all));
    }
    return result;
}

/* The operands of a group's store, read where it is: the group is executed
 * later, when a slot of a value may have the value's successor. */
void widener::read_for_group(StoreInst *i)
{
    stored &own = read_stores[i];
    const bool follows = k.shape_of(i->getPointerOperand()).follows_first();
    for (unsigned r = 0; r < row_count; r++) {
        if (follows)
            own.addresses.push_back(scalar(i->getPointerOperand(), r));
        own.values.push_back(vector(i->getValueOperand(), r));
        if (!follows || !mask.empty())
            own.pointers.push_back(vector(i->getPointerOperand(), r));
    }
}

/* Execute the stores of a group; its last one has been reached. */
void widener::emit_store_group(const std::vector<store_place> &members,
                               const std::vector<element_run> &runs)
{
    for (unsigned r = 0; r < row_count; r++) {
        const stored &front = read_stores[members[0].first];
        rows values, pointers;
        for (const store_place &m : members) {
            const stored &own = read_stores[m.first];
            values.push_back(own.values[r]);
            if (!own.pointers.empty())
                pointers.push_back(own.pointers[r]);
        }
        const Align align = members[0].first->getAlign();
        auto neighbors = [&] {
            const rows vectors
                = one_after_the_other(b, in_memory, values, (int)lanes);
            const rows to = lane_values(
                first_of_runs(b, pointers[0], lanes / QUAD), 1);
            for (size_t n = 0; n < to.size(); n++)
                b.CreateAlignedStore(vectors[n], to[n], align);
            return rows();
        };
        auto whole_row = [&] {
            if (runs.empty())
                store_quad(values, pointers[0], align);
            else
                store_runs(runs, values, front.addresses[r]);
            return rows();
        };
        auto part = [&] {
            const bool is_one = is_quad(members);
            if (is_one)
                scatter_quad(b, k, values, pointers[0], align, mask[r]);
            for (size_t m = 0; m < members.size() && !is_one; m++)
                scatter(b, k, values[m], pointers[m],
                        members[m].first->getAlign(), mask[r]);
            return rows();
        };
        auto any_row
            = [&] { return emit_if_all(r, nullptr, whole_row, part); };
        if (runs.empty())
            emit_if_all(r, are_runs(b, pointers[0], lanes / QUAD), neighbors,
                        any_row);
        else
            any_row();
    }
}

/* The stores that are executed with a store, and the runs that they write; of
 * four words at any address there are none.
 * @return false: it is executed alone */
bool widener::find_stores(StoreInst *i, std::vector<store_place> &members,
                          std::vector<element_run> &runs) const
{
    Type *type = i->getValueOperand()->getType();
    const Value *pointer = i->getPointerOperand();
    if (!i->isSimple() || is_contiguous(pointer, type)
        || size_of(type, data) != WORD)
        return false;
    members = stores_after(i);
    if (k.shape_of(pointer).kind == shape::VARYING)
        return is_quad(members);
    if (!has_known_offsets(pointer, type))
        return false;
    runs = runs_of(members);
    if (runs.empty() && members.size() > 1) {
        members.resize(1);
        runs = runs_of(members);
    }
    return !runs.empty() && runs.size() <= members.size() * lanes / 2;
}

/* Execute the store together with others, at the last of them.
 * @return false: it is not one of a group */
bool widener::emit_store_together(StoreInst *i)
{
    if (postponed.erase(i)) {
        read_for_group(i);
        return true;
    }
    const auto found = store_groups.find(i);
    if (found != store_groups.end()) {
        read_for_group(i);
        emit_store_group(found->second.first, found->second.second);
        return true;
    }
    std::vector<store_place> members;
    std::vector<element_run> runs;
    if (!find_stores(i, members, runs))
        return false;
    read_for_group(i);
    if (members.size() == 1) {
        emit_store_group(members, runs);
        return true;
    }
    for (const store_place &m : members)
        postponed.insert(m.first);
    postponed.erase(members.back().first);
    postponed.erase(i);
    store_groups[members.back().first] = { members, runs };
    return true;
}

} // namespace vectors
