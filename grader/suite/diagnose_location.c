/* SPDX-License-Identifier: MIT */
/* Location of the wrong elements. */
#include "diagnose.h"

#include <stdio.h>
#include <string.h>

#include "diagnose_bands.h"
#include "diagnose_grid.h"
#include "diagnose_pattern.h"

static const unsigned char *wrong_mask(const struct evidence *e)
{
    return e->comparison->wrong_mask;
}

static size_t last_wrong(const struct evidence *e)
{
    size_t i = e->comparison->count;

    while (i-- > 0)
        if (wrong_mask(e)[i])
            break;
    return i;
}

/* Elements of a row, with all channels; 0 for a vector. */
static size_t columns(const struct evidence *e)
{
    const size_t *size = e->expected->size;

    if (!size[1])
        return 0;
    return size[2] ? size[1] * size[2] : size[1];
}

/* All elements are wrong. */
static bool all_elements(const struct evidence *e, char *text)
{
    if (e->comparison->wrong != e->comparison->count)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "%s",
             e->comparison->count == 1 ? "the only one" : "all of them");
    return true;
}

/* A bounds check like i < n - 1. */
static bool only_last(const struct evidence *e, char *text)
{
    if (e->comparison->wrong != 1
        || e->comparison->first != e->comparison->count - 1)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "the very last one");
    return true;
}

/* The element without a predecessor, in a scan or a stencil. */
static bool only_first(const struct evidence *e, char *text)
{
    if (e->comparison->wrong != 1 || e->comparison->first != 0)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "the very first one");
    return true;
}

/* Threads of a block, if the launch was one-dimensional with one thread for
 * each element; else 0. */
static size_t linear_block_size(const struct evidence *e)
{
    const struct facts *f = e->facts;
    uint64_t threads;

    if (!f || !f->launches || f->grid[1] != 1 || f->grid[2] != 1
        || f->block[1] != 1 || f->block[2] != 1 || !f->block[0])
        return 0;
    threads = (uint64_t)f->grid[0] * f->block[0];
    return threads >= e->comparison->count
               && threads - f->block[0] < e->comparison->count
               ? f->block[0] : 0;
}

/* Needs the launch's block size: none is guessed. */
static bool last_block(const struct evidence *e, char *text)
{
    size_t block = linear_block_size(e), count = e->comparison->count;

    if (!block || count <= block
        || e->comparison->first < (count - 1) / block * block)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "all in the last block");
    return true;
}

/* Every nth element from one on, at least three, and no other: a lane, a
 * channel or a row that is skipped. */
static bool every_nth(const struct evidence *e, char *text)
{
    size_t count = e->comparison->count, first = e->comparison->first;

    for (size_t step = 2; step <= 32; step += step < 4 ? 1 : step) {
        size_t fits = 0;

        for (size_t i = first; i < count; i += step)
            fits += wrong_mask(e)[i];
        if (fits >= 3 && fits == e->comparison->wrong
            && fits == (count - first + step - 1) / step) {
            snprintf(text, DIAGNOSIS_SIZE, "every %zu%s one from %zu on",
                     step, step == 2 ? "nd" : step == 3 ? "rd" : "th", first);
            return true;
        }
    }
    return false;
}

/* Are all wrong elements in rows from lo on and columns from left on? */
static bool wrong_only_from(const struct evidence *e, size_t lo, size_t left)
{
    size_t width = columns(e);

    for (size_t i = 0; i < e->comparison->count; i++)
        if (wrong_mask(e)[i] && (i / width < lo || i % width < left))
            return false;
    return true;
}

/* A bounds check of one direction that is off by one; a column may be a pixel
 * of several channels. */
static bool last_row(const struct evidence *e, char *text)
{
    size_t width = columns(e), rows;

    if (!width || (rows = e->comparison->count / width) < 2
        || !wrong_only_from(e, rows - 1, 0))
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "all in the last row");
    return true;
}

/* The alpha channel that is left out. */
static bool one_channel(const struct evidence *e, char *text)
{
    const size_t channels = e->expected->size[2];
    const size_t channel = channels ? e->comparison->first % channels : 0;

    if (e->expected->type != UINT8 || channels < 2
        || e->comparison->wrong < 4)
        return false;
    for (size_t i = 0; i < e->comparison->count; i++)
        if (wrong_mask(e)[i] && i % channels != channel)
            return false;
    snprintf(text, DIAGNOSIS_SIZE, "all in channel %zu", channel);
    return true;
}

static bool last_column(const struct evidence *e, char *text)
{
    size_t width = columns(e), step;

    if (!width || e->expected->size[1] < 2)
        return false;
    step = e->expected->size[2] ? e->expected->size[2] : 1;
    if (!wrong_only_from(e, 0, width - step))
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "all in the last column");
    return true;
}

static bool first_row(const struct evidence *e, char *text)
{
    size_t width = columns(e);

    if (!width || e->comparison->count < 2 * width || last_wrong(e) >= width)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "all in the first row");
    return true;
}

/* All wrong elements (pixels) near the edge of the image, where a good part of
 * it is not near: of five rows all are, and two elements may be by chance.  The
 * last tiles are at the lower and the right edge alone. */
static bool near_border(const struct evidence *e, char *text)
{
    const size_t *size = e->expected->size;
    size_t depth = size[1] && size[2] ? size[2] : 1, inside = 0;
    bool has[4] = {false}; /* right, left, lower, upper edge */

    if (!size[1] || size[0] < 5 || size[1] < 5)
        return false;
    for (size_t i = 0; i < e->comparison->count; i++) {
        size_t x = i / depth % size[1], y = i / depth / size[1];
        size_t dx = x < size[1] - 1 - x ? x : size[1] - 1 - x;
        size_t dy = y < size[0] - 1 - y ? y : size[0] - 1 - y;

        if ((dx < dy ? dx : dy) <= (size[0] + size[1]) / 16) {
            has[dx < dy ? 2 * x < size[1] : 2 + (2 * y < size[0])] |=
                wrong_mask(e)[i] != 0;
            continue;
        }
        if (wrong_mask(e)[i])
            return false;
        inside++;
    }
    if (4 * inside < e->comparison->count || e->comparison->wrong < 4
        || (has[0] && has[2] && !has[1] && !has[3]))
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "all near the edges");
    return true;
}

/* Correct up to one index, wrong in every element after it. */
static bool tail(const struct evidence *e, char *text)
{
    size_t first = e->comparison->first, count = e->comparison->count;

    if (first == 0 || e->comparison->wrong != count - first)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "all from element %zu on", first);
    return true;
}

/* The same, but for a few elements that are right by chance: of a sum of a
 * large and a small number the large one alone decides. */
static bool nearly_tail(const struct evidence *e, char *text)
{
    enum { LEAST = 1000, CHANCE = 16 };
    const size_t first = e->comparison->first;
    const size_t after = e->comparison->count - first;

    if (first < LEAST || after < LEAST || e->expected->size[1]
        || e->comparison->wrong + after / CHANCE < after)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "nearly all from element %zu on, and none "
             "before", first);
    return true;
}

/* Of several rows only the last one is wrong, from a column on where a tile may
 * begin: tiles are missing as well as a group of elements. */
static bool is_end_of_tile_row(const struct evidence *e)
{
    enum { TILE = 8 };
    const size_t *size = e->expected->size, first = e->comparison->first;

    return size[0] > 1 && size[1] > 1 && !size[2]
           && first / size[1] == size[0] - 1 && first % size[1] % TILE == 0;
}

/* The elements after the last whole group of 2, 4, ... 1,024: vectors or
 * blocks. Only if there is one such size: 1,025 = 4 * 256 + 1 = 2 * 512 + 1. */
static bool after_full_groups(const struct evidence *e, char *text)
{
    const size_t first = e->comparison->first, count = e->comparison->count;
    size_t found = 0;

    if (first == 0 || e->comparison->wrong != count - first
        || is_end_of_tile_row(e))
        return false;
    for (size_t group = 2; group <= 1024 && group <= first; group *= 2) {
        if (count - count % group != first)
            continue;
        if (found)
            return false;
        found = group;
    }
    if (!found)
        return false;
    snprintf(text, DIAGNOSIS_SIZE,
             "all from element %zu on, after the last whole group of %zu",
             first, found);
    return true;
}

/* Some of the elements after the last whole group of 4; no other. */
static bool some_of_rest(const struct evidence *e, char *text)
{
    enum { VECTOR = 4, GROUPS = 8 }; /* so many at least */
    const size_t count = e->comparison->count;

    if (e->expected->size[1] || count < VECTOR * GROUPS
        || e->comparison->first < count / VECTOR * VECTOR)
        return false;
    snprintf(text, DIAGNOSIS_SIZE,
             "only after the last whole group of 4, from element %zu on",
             count / VECTOR * VECTOR);
    return true;
}

/* Wrong in every element up to one index. */
static bool head(const struct evidence *e, char *text)
{
    size_t last = last_wrong(e);

    if (e->comparison->first != 0 || e->comparison->wrong != last + 1)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "the first %zu", last + 1);
    return true;
}

/* Residues of an index: bit r, is each element with i % m = r wrong, or none?
 * A rest after the last whole group is not looked at.
 * Returns 0 where some are and some are not, or where too few are known. */
static unsigned wrong_residues(const struct evidence *e, unsigned m)
{
    enum { GROUPS = 4 }; /* at least */
    const size_t columns = e->expected->size[1] ? e->expected->size[1]
                                                : e->comparison->count;
    const size_t whole = columns / m * m;
    unsigned wrong = 0, right = 0;

    if (whole == 0 || e->comparison->count / m < GROUPS)
        return 0;
    for (size_t i = 0; i < e->comparison->count; i++) {
        if (i % columns >= whole)
            continue;
        if (e->comparison->wrong_mask[i])
            wrong |= 1u << i % columns % m;
        else
            right |= 1u << i % columns % m;
    }
    return wrong & right ? 0 : wrong;
}

/* The same members of each float4, or lanes: "all with i % 4 = 1 or 2". */
static bool some_residues(const struct evidence *e, char *text)
{
    enum { MOST = 4 };

    if (e->expected->size[2])
        return false;
    for (unsigned m = 4; m <= 16; m *= 2) {
        const unsigned wrong = wrong_residues(e, m);
        const int count = __builtin_popcount(wrong);
        int shown = 0;

        if (count < 2 || count > MOST)
            continue;
        snprintf(text, DIAGNOSIS_SIZE, "all with %s %% %u = ",
                 e->expected->size[1] ? "column" : "i", m);
        for (unsigned r = 0; r < m; r++)
            if (wrong >> r & 1) {
                snprintf(text + strlen(text), DIAGNOSIS_SIZE - strlen(text),
                         "%s%u",
                         shown == 0 ? "" : shown + 1 == count ? " or " : ", ",
                         r);
                shown++;
            }
        return true;
    }
    return false;
}

enum certainty diagnose_location(const struct evidence *evidence, char *text)
{
    /* Specific rules first: the last element alone is a tail, too. */
    static diagnosis_rule *const rules[] = {
        only_last, only_first,  one_channel, after_full_groups, last_block,
        last_row, last_column, first_row, every_nth, some_residues, tail,
        some_of_rest, head, some_rows_or_columns, near_border, nearly_tail,
        lattice, part_of_each, NULL};

    text[0] = 0;
    if (all_elements(evidence, text))
        return VAGUE;
    return diagnose_first(rules, evidence, text) ? CERTAIN : UNKNOWN;
}

static bool linear_thread(const struct evidence *e, size_t index, char *text)
{
    size_t block = linear_block_size(e);

    if (!block)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "block %zu, thread %zu of %zu",
             index / block, index % block, block);
    return true;
}

/* Only for launches with one thread for each element of the output. */
void diagnose_thread(const struct evidence *e, size_t index, char *text)
{
    const struct facts *f = e->facts;
    const size_t *size = e->expected->size;
    size_t depth = size[1] && size[2] ? size[2] : 1, x, y;

    text[0] = 0;
    if (e->expected->is_moved || linear_thread(e, index, text) || !f
        || !f->launches || !size[1] || f->block[2] != 1 || f->grid[2] != 1
        || !f->block[0] || !f->block[1] || has_exchanged_block(e))
        return;
    if ((size[1] + f->block[0] - 1) / f->block[0] != f->grid[0]
        || (size[0] + f->block[1] - 1) / f->block[1] != f->grid[1])
        return;
    x = index / depth % size[1];
    y = index / depth / size[1];
    snprintf(text, DIAGNOSIS_SIZE, "block (%zu, %zu), thread (%zu, %zu)",
             x / f->block[0], y / f->block[1], x % f->block[0],
             y % f->block[1]);
}
