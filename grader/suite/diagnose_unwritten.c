/* SPDX-License-Identifier: MIT */
/* Elements that nothing was stored to, or that were computed from memory that
 * nothing was stored to.  Such memory holds patterns that the runner and the
 * software GPU filled it with. */
#include "diagnose_unwritten.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/softgpu/core/core.h"
#include "diagnose_copies.h"
#include "diagnose_grid.h"
#include "diagnose_missing_tiles.h"
#include "diagnose_tiles.h"
#include "state.h"

bool evidence_is_poison(const struct evidence *e, size_t i)
{
    size_t bytes = element_bytes(e->expected->type);

    return memcmp((const char *)e->expected->got + i * bytes,
                  e->poison + i * bytes, bytes) == 0;
}

/* SOFTGPU_POISON fills fresh global memory with this byte. */
static bool is_uninitialized(const struct evidence *e, size_t i)
{
    size_t bytes = element_bytes(e->expected->type);
    const unsigned char *at =
        (const unsigned char *)e->expected->got + i * bytes;

    for (size_t k = 0; k < bytes; k++)
        if (at[k] != 0xCB)
            return false;
    return true;
}

bool evidence_is_unwritten(const struct evidence *e, size_t index)
{
    return element_bytes(e->expected->type) >= 4
           && ((e->poison && evidence_is_poison(e, index))
               || (!e->on_device && is_uninitialized(e, index)));
}

/* An array of the host is a copy of device memory that was not written. */
bool evidence_all_unwritten(const struct evidence *e)
{
    return (e->poison && evidence_all_wrong(e, evidence_is_poison, 1))
           || (!e->on_device && evidence_all_wrong(e, is_uninitialized, 1));
}

/* Written, with the content of allocated memory. */
static bool copied_uninitialized(const struct evidence *e, char *text)
{
    return e->on_device && evidence_all_wrong(e, is_uninitialized, 1)
           && diagnose(text, "read from memory that no thread wrote");
}

/* Shared memory and fragments are filled with patterns of their own.
 * Arithmetic keeps the pattern of a NaN of type float. */
static bool has_pattern(const struct evidence *e, size_t i, uint16_t pattern)
{
    const size_t bytes = element_bytes(e->expected->type);
    const char *at = (const char *)e->expected->got + i * bytes;

    for (size_t k = 0; k < bytes; k += sizeof pattern)
        if (bytes < sizeof pattern || memcmp(at + k, &pattern, sizeof pattern))
            return false;
    return true;
}

static bool is_shared_poison(const struct evidence *e, size_t i)
{
    return has_pattern(e, i, SOFTGPU_SHARED_POISON);
}

static bool is_fragment_poison(const struct evidence *e, size_t i)
{
    return has_pattern(e, i, SOFTGPU_FRAGMENT_POISON);
}

bool read_unfilled_fragment(const struct evidence *e, char *text)
{
    return evidence_all_wrong(e, is_fragment_poison, 1)
           && diagnose(text, "added to a fragment that nothing was put into: "
                       "fill_fragment() sets the accumulator to 0");
}

static bool is_lane_poison(const struct evidence *e, size_t i)
{
    return has_pattern(e, i, SOFTGPU_LANE_POISON);
}

static const char lane_hint[] =
    "A lane that returned, or took another branch, calls no shuffle. Let all "
    "lanes reach it, with 0 (or what else changes nothing) where there is no "
    "element, or use the value only if its lane has one.";

static bool read_absent_lane(const struct evidence *e, char *text)
{
    return evidence_all_wrong(e, is_lane_poison, 1)
           && diagnose(text, DIAGNOSIS_ABSENT_LANE);
}

static bool read_unwritten_shared(const struct evidence *e, char *text)
{
    size_t found = 0;

    for (size_t i = 0; i < evidence_count(e); i++)
        found += e->comparison->wrong_mask[i] && is_shared_poison(e, i);
    if (found == e->comparison->wrong)
        return diagnose(text, "read from shared memory that no thread wrote");
    if (found > 0)
        snprintf(text, DIAGNOSIS_SIZE,
                 "%zu of them were read from shared memory that no thread "
                 "wrote", found);
    return found > 0;
}

/* The sizes of a grid or block, as 300 or 300 x 104. */
static const char *shape(const unsigned *size, char *text, size_t room)
{
    int dimensions = 3;

    while (dimensions > 1 && size[dimensions - 1] == 1)
        dimensions--;
    snprintf(text, room, "%u", size[0]);
    for (int i = 1; i < dimensions; i++)
        snprintf(text + strlen(text), room - strlen(text), " x %u", size[i]);
    return text;
}

static bool is_one(const unsigned *size)
{
    return size[0] * size[1] * size[2] == 1;
}

uint64_t launched_threads(const struct facts *f)
{
    uint64_t threads = 1;

    for (int i = 0; i < 3; i++)
        threads *= (uint64_t)f->grid[i] * f->block[i];
    return threads;
}

/* The launch has fewer threads than elements, and exactly the elements past
 * them are wrong. */
bool too_few_threads(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;
    char grid[40], block[40];
    uint64_t threads;

    if (!f || f->launches != 1
        || !(evidence_all_unwritten(e)
             || evidence_all_wrong(e, evidence_is_zero, 1)))
        return false;
    threads = launched_threads(f);
    if (!threads /* launches are not counted here */
        || threads >= evidence_count(e) || e->comparison->first != threads
        || e->comparison->wrong != evidence_count(e) - threads)
        return false;
    /* a thread of a matrix's kernel may own more than one element */
    if (e->expected->size[1] > 1 && !suite_state.rounded_up)
        return false;
    snprintf(text, DIAGNOSIS_SIZE,
             "%s block%s of %s thread%s %s %llu thread%s, for %zu elements%s",
             shape(f->grid, grid, sizeof grid), is_one(f->grid) ? "" : "s",
             shape(f->block, block, sizeof block), is_one(f->block) ? "" : "s",
             is_one(f->grid) ? "is" : "are",
             (unsigned long long)threads, threads == 1 ? "" : "s",
             evidence_count(e),
             suite_state.rounded_up && is_previous_grid(e)
                 ? ", and as many blocks as in the call before, which has fewer "
                   "elements: is their number a constant, or kept in a static "
                   "variable?"
                 : ": round the number of blocks up, or let each thread loop by "
                   "gridDim.x * blockDim.x, those of this launch");
    return true;
}

/* A correct output came before, and now nothing at all was written.  Of a few
 * elements after many, a lost tail may be all. */
static bool stopped_writing(const struct evidence *e)
{
    enum { FEW = 32 };

    return e->previous && e->comparison->wrong == evidence_count(e)
           && (evidence_count(e) >= FEW
               || e->previous_count <= evidence_count(e))
           && e->facts && e->facts->launches > 0;
}

static const char coverage_hint[] =
    "No thread stores these: does the grid cover all rows and all columns, is "
    "each bounds check that of its own dimension, does each block or warp take "
    "the tile of its number, and does a thread return before it stores?";

static const char vector_hint[] =
    "A loop over vectors, as float4, leaves the last n % 4 elements, in a "
    "matrix those of each row: compute and store them one by one, at indices "
    "from n / 4 * 4 on, not from n / 4.";

/* Only the elements behind the last whole float4, of all or of each row.  Rows
 * that end at a multiple of 8 may lack a tile instead. */
static bool is_after_vectors(const struct evidence *e)
{
    const size_t count = evidence_count(e);
    const bool has_rows = e->expected->size[1] > 1 && !e->expected->size[2];
    const size_t width = has_rows ? e->expected->size[1] : count;
    const size_t first = width / 4 * 4;

    if (first == 0 || first == width || (has_rows && first % 8 == 0)
        || e->comparison->wrong != count / width * (width - first))
        return false;
    for (size_t i = 0; i < count; i++)
        if (e->comparison->wrong_mask[i] && i % width < first)
            return false;
    return true;
}

/* Some elements of an array of two or more dimensions, by a kernel. */
static bool is_part_of_matrix(const struct evidence *e)
{
    return (e->on_device || output_was_copied(e)) && e->expected->size[1] >= 1
           && e->facts
           && e->facts->launches > 0
           && !isnan(evidence_got(e, e->comparison->first))
           && e->comparison->wrong < evidence_count(e);
}

/* An argument that is 0, as the number of terms, where it was not in the call
 * whose output was correct: a loop over nothing may skip the store. */
static bool name_new_zero(char *name, size_t bytes)
{
    const struct frame *now = &suite_state.frame;
    const struct frame *before = &suite_state.previous_frame;

    for (unsigned i = 0; i < now->count && i < before->count; i++)
        if (now->arg[i].kind == ARG_INTEGER && now->arg[i].integer == 0
            && before->arg[i].integer != 0) {
            parameter_name(suite_state.parameters
                               ? suite_state.parameters
                               : suite_state.lab->prototype,
                           i, name, bytes);
            return true;
        }
    return false;
}

static bool no_longer_written(char *text)
{
    char name[48], zero[96] = "";

    if (name_new_zero(name, sizeof name))
        snprintf(zero, sizeof zero,
                 "; or is the store skipped where %s is 0, as now?", name);
    snprintf(text, DIAGNOSIS_SIZE, "never written, though an earlier "
             "call wrote them: does a __device__ variable or the workspace "
             "keep something, as a counter that is not reset%s",
             *zero ? zero : "?");
    return true;
}

/* A number of elements, or of vectors of them, in an unsigned short. */
static bool count_of_16_bits(const struct evidence *e, char *text)
{
    const size_t count = evidence_count(e), first = e->comparison->first;
    const size_t wrong = e->comparison->wrong;

    for (size_t width = 1; width <= 4; width *= 2)
        if (count / width > UINT16_MAX
            && count / width % (UINT16_MAX + 1) * width == first
            && (wrong == count - first || wrong == count - first
                                                    - count % width)) {
            snprintf(text, DIAGNOSIS_SIZE, "never written: the first %zu were, "
                     "%zu modulo 65,536%s: is their number kept in 16 bits?",
                     first, count / width, width > 1 ? " vectors" : "");
            return true;
        }
    return false;
}

/* The last element alone, of a vector whose launch has threads for all: its
 * neighbor is of the same block, and was stored. */
static bool last_left_out(const struct evidence *e, char *text)
{
    const size_t last = evidence_count(e) - 1;
    const struct facts *f = e->facts;

    if (!f || f->launches != 1 || e->expected->size[1] || last == 0
        || e->comparison->wrong != 1 || e->comparison->first != last
        || (uint64_t)f->grid[0] * f->block[0] <= last
        || last % f->block[0] == 0)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "never written: the launch has threads for "
             "all elements, and all others were: does the bounds check, or "
             "the number that is passed, leave out the last one%s?",
             last % 2 ? "" : ", or a loop over vectors the rest");
    return true;
}

static double old_value(const struct evidence *e, size_t i)
{
    return element_value(e->poison, e->expected->type, i);
}

/* Does the element hold the sum of its expected value and what was there? */
static bool is_sum(const struct evidence *e, size_t i)
{
    static const double precision = 1e-6;
    const double sum = old_value(e, i) + e->expected->want[i];
    const double error = fabs(evidence_got(e, i) - sum);

    if (!isfinite(sum))
        return !isfinite(evidence_got(e, i));
    return error <= precision * fabs(sum)
           || error <= element_tolerance(e->expected, i);
}

/* The pattern has numbers of all sizes: of very large ones the sum is the same,
 * and of very small ones it is the expected value.  A few elements that are not
 * as they were leave no doubt. */
bool evidence_is_added(const struct evidence *e)
{
    enum { LEAST = 3 };
    size_t changed = 0;

    if (!e->poison || !e->on_device || e->expected->type != FLOAT32)
        return false;
    for (size_t i = 0; i < evidence_count(e); i++) {
        if (!is_sum(e, i))
            return false;
        changed += !evidence_is_poison(e, i);
    }
    return changed >= LEAST;
}

static bool never_written(const struct evidence *e, char *text)
{
    if (!evidence_all_unwritten(e))
        return false;
    if (evidence_is_added(e))
        return diagnose(text, "what was there before, as if they were never "
                        "written; or the result was added to it: the correct "
                        "ones are those where it was almost 0");
    if (copies_lack_them(e, text) || is_of_no_input(e, text)
        || left_in_buffer(e, text)
        || one_for_each_pixel(e, text) || gaps_between_rows(e, text)
        || only_first_layer(e, text) || exchanged_grid(e, text)
        || exchanged_block(e, text) || only_first_block(e, text)
        || count_of_16_bits(e, text) || overlapping_blocks(e, text)
        || beyond_grid(e, text) || beyond_tiles(e, text)
        || overlapping_warps(e, text)
        || exchanged_tile_sides(e, text)
        || (e->expected->unwritten && e->expected->unwritten(e, text))
        || last_tiles(e, text) || ends_of_tiles(e, text)
        || gaps_between_passes(e, text) || rest_of_pairs(e, text))
        return true;
    if (stopped_writing(e))
        return no_longer_written(text);
    if (last_left_out(e, text))
        return true;
    if (e->facts && e->facts->launches == 0 && e->facts->graph_launches == 0)
        return diagnose(text,
                        "never written, and no kernel was launched: does the "
                        "function return before the launch in this case?");
    return diagnose(text, isnan(evidence_got(e, e->comparison->first))
                              ? "never written, or computed from "
                                "what was in the memory before, which was NaN"
                              : "never written");
}

enum certainty diagnose_unwritten(const struct evidence *evidence, char *text,
                                  const char **hint)
{
    *hint = NULL;
    if (never_written(evidence, text)) {
        *hint = strchr(text, ':') ? "" /* the text has the cause */
                : is_after_vectors(evidence) ? vector_hint
                : is_part_of_matrix(evidence) ? coverage_hint : NULL;
        return strstr(text, "an earlier call") && suite_is_same_call()
                   ? CERTAIN : VAGUE;
    }
    if (read_absent_lane(evidence, text)) {
        *hint = lane_hint;
        return CERTAIN;
    }
    return copied_uninitialized(evidence, text)
           || read_unwritten_shared(evidence, text) ? VAGUE : UNKNOWN;
}
