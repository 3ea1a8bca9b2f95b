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
#include "state.h"

static bool is_poison(const struct evidence *e, size_t i)
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
           && ((e->poison && is_poison(e, index))
               || (!e->on_device && is_uninitialized(e, index)));
}

/* An array of the host is a copy of device memory that was not written. */
static bool is_unwritten(const struct evidence *e)
{
    return (e->poison && evidence_all_wrong(e, is_poison, 1))
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

/* The launch has fewer threads than elements, and exactly the elements past
 * them are wrong. */
bool too_few_threads(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;
    uint64_t threads = 1;

    if (!f || f->launches != 1
        || !(is_unwritten(e) || evidence_all_wrong(e, evidence_is_zero, 1)))
        return false;
    for (int i = 0; i < 3; i++)
        threads *= (uint64_t)f->grid[i] * f->block[i];
    if (!threads /* launches are not counted here */
        || threads >= evidence_count(e) || e->comparison->first != threads
        || e->comparison->wrong != evidence_count(e) - threads)
        return false;
    snprintf(text, DIAGNOSIS_SIZE,
             "%u block%s of %u thread%s %s %llu thread%s, for %zu elements: "
             "round the number of blocks up, or let each thread loop",
             f->grid[0], f->grid[0] == 1 ? "" : "s", f->block[0],
             f->block[0] == 1 ? "" : "s", f->grid[0] == 1 ? "is" : "are",
             (unsigned long long)threads, threads == 1 ? "" : "s",
             evidence_count(e));
    return true;
}

/* An output in host memory, and no byte left the device: kernels ran, but
 * nothing that they stored arrived. */
bool not_copied_back(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;

    if (!f || e->on_device || !f->counted || f->launches == 0
        || f->graph_launches || f->managed_bytes || f->d2h_bytes
        || e->comparison->wrong != evidence_count(e) || !is_unwritten(e))
        return false;
    return diagnose(text, "never written: nothing was copied from "
                    "the device to the host");
}

/* A copy to the host that ends early: its length may be that of the elements,
 * where bytes are asked for. */
bool copied_in_part(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;
    const size_t size = element_bytes(e->expected->type);

    if (!f || e->on_device || !f->counted || f->launches == 0
        || f->graph_launches || f->managed_bytes || !f->d2h_bytes
        || f->d2h_bytes != evidence_count(e)
        || size < 2 || e->comparison->first != f->d2h_bytes / size
        || e->comparison->wrong != evidence_count(e) - e->comparison->first)
        return false;
    snprintf(text, DIAGNOSIS_SIZE,
             "the copy to the host had %llu bytes, and %zu elements have %zu: "
             "is its length in bytes?", (unsigned long long)f->d2h_bytes,
             evidence_count(e), size * evidence_count(e));
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
    "each bounds check that of its own dimension, and does a thread return "
    "before it stores?";

static const char vector_hint[] =
    "A loop over vectors, as float4, leaves the last n % 4 elements: add them "
    "one by one.";

/* Only the elements behind the last whole float4. */
static bool is_after_vectors(const struct evidence *e)
{
    const size_t count = evidence_count(e), first = count / 4 * 4;

    return first > 0 && first < count && e->comparison->first == first
           && e->comparison->wrong == count - first;
}

/* Did as many bytes come to the host as the output has? */
static bool was_copied_back(const struct evidence *e)
{
    return e->facts
           && e->facts->d2h_bytes
                  >= evidence_count(e) * element_bytes(e->expected->type);
}

/* Some elements of an array of two or more dimensions, by a kernel. */
static bool is_part_of_matrix(const struct evidence *e)
{
    return (e->on_device || was_copied_back(e)) && e->expected->size[1] >= 1
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

/* Copies to the host that end before these elements. */
static bool copies_lack_them(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;
    const size_t size = element_bytes(e->expected->type);
    const size_t bytes = evidence_count(e) * size;

    if (!f || e->on_device || !f->counted || !f->d2h_bytes
        || f->d2h_bytes != bytes - e->comparison->wrong * size)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "never written: %llu bytes were copied from "
             "the device to the host, and the output has %zu",
             (unsigned long long)f->d2h_bytes, bytes);
    return true;
}

/* What is computed from memory that an input was not copied to has its pattern,
 * too: the mean of one pixel is that pixel. */
static bool is_of_no_input(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;
    const unsigned i =
        f && f->not_copied ? (unsigned)ffs((int)f->not_copied) - 1 : 0;
    char name[48];

    if (!f || !f->counted || e->on_device || !f->not_copied || !f->launches
        || i >= suite_state.frame.count)
        return false;
    parameter_name(suite_state.parameters ? suite_state.parameters
                                          : suite_state.lab->prototype,
                   i, name, sizeof name);
    snprintf(text, DIAGNOSIS_SIZE, "never written, or computed from memory "
             "that was not: `%s` did not reach the device as a whole; does its "
             "copy have all its bytes?", name);
    return true;
}

enum { MAX_CHANNELS = 4 }; /* of an image; more is a third dimension */

static size_t tiles_of(size_t elements, size_t tile)
{
    return elements / tile + (elements % tile != 0);
}

/* A matrix whose columns or rows end where a grid of square tiles does, which
 * fits it with its dimensions exchanged. */
static bool exchanged_grid(const struct evidence *e, char *text)
{
    const size_t *size = e->expected->size;
    const size_t first = e->comparison->first / (size[2] ? size[2] : 1);
    const struct facts *f = e->facts;
    const size_t x = f ? f->grid[0] : 0;
    const size_t y = f ? (size_t)f->grid[1] * f->grid[2] : 0;
    /* the first one is in row 0, or in the first row that is missing */
    const bool in_row_0 = size[1] && first < size[1];
    const size_t missing = in_row_0 ? first : size[1] ? first / size[1] : 0;
    const size_t blocks = in_row_0 ? x : y;
    const size_t tile = blocks ? missing / blocks : 0;

    if (!x || !y || x == y || !tile || missing % blocks
        || size[2] > MAX_CHANNELS
        || tiles_of(size[0], tile) != x || tiles_of(size[1], tile) != y)
        return false;
    snprintf(text, DIAGNOSIS_SIZE,
             "never written: the grid has %zu x %zu blocks, and tiles of %zu "
             "are %zu to the right and %zu down: are its x and y exchanged?",
             x, y, tile, y, x);
    return true;
}

/* Does a grid whose dimensions x and y are columns and rows cover all, and are
 * all wrong elements outside of its first block, and nearly all of those wrong?
 * A byte of the pattern may be right by chance.
 * count: of elements outside, at least */
static bool is_all_but_first(const struct evidence *e, int x, int y,
                             size_t count)
{
    const struct facts *f = e->facts;
    const size_t *size = e->expected->size;
    const size_t depth = size[2] ? size[2] : 1;
    const size_t width = size[1] ? size[1] : size[0];
    const size_t height = size[1] ? size[0] : 1;
    const size_t columns = f->block[x], rows = f->block[y];
    size_t outside = 0;

    if (columns * f->grid[x] * (x ? f->grid[2] : 1) < width
        || rows * f->grid[y] * (y ? f->grid[2] : 1) < height)
        return false;
    for (size_t i = 0; i < evidence_count(e); i++) {
        const size_t pixel = i / depth;

        if (pixel % width >= columns || pixel / width >= rows)
            outside++;
        else if (e->comparison->wrong_mask[i])
            return false;
    }
    return outside >= count
           && e->comparison->wrong >= outside - outside / 16;
}

/* Many blocks ran, and what the first one alone owns is right: of a vector, of
 * a matrix, or of one whose rows and columns are exchanged.  One element more
 * than a block has may be a last element that is lost, which an output that
 * was correct before rules out. */
static bool only_first_block(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;
    const size_t least = e->previous ? 1 : 2;

    if (!f || f->launches == 0 || !e->comparison->wrong_mask || !f->block[0]
        || (uint64_t)f->grid[0] * f->grid[1] * f->grid[2] < 2
        || e->expected->size[2] > MAX_CHANNELS)
        return false;
    if (!is_all_but_first(e, 0, 1, least) && !is_all_but_first(e, 1, 0, least))
        return false;
    return diagnose(text, "never written: only the elements of the first block "
                    "were; does each index contain blockIdx?");
}

static bool never_written(const struct evidence *e, char *text)
{
    if (!is_unwritten(e))
        return false;
    if (copies_lack_them(e, text) || is_of_no_input(e, text)
        || exchanged_grid(e, text) || only_first_block(e, text))
        return true;
    if (stopped_writing(e))
        return no_longer_written(text);
    if (e->facts && e->facts->launches == 0 && e->facts->graph_launches == 0)
        return diagnose(text,
                        "never written, and no kernel was launched");
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
        return VAGUE;
    }
    return copied_uninitialized(evidence, text)
           || read_unwritten_shared(evidence, text) ? VAGUE : UNKNOWN;
}
