/* SPDX-License-Identifier: MIT */
/* Where the wrong elements lie. */
#include "diagnose.h"

#include <stdio.h>

static const unsigned char *bad(const struct evidence *e)
{
    return e->comparison->bad;
}

static size_t last_bad(const struct evidence *e)
{
    size_t i = e->comparison->count;

    while (i-- > 0)
        if (bad(e)[i])
            break;
    return i;
}

/* Elements of a row, channels and all; 0 for a vector. */
static size_t columns(const struct evidence *e)
{
    const size_t *size = e->expected->size;

    if (!size[1])
        return 0;
    return size[2] ? size[1] * size[2] : size[1];
}

/* Nothing is right: no place tells more than another. */
static bool all(const struct evidence *e, char *text)
{
    if (e->comparison->wrong != e->comparison->count)
        return false;
    snprintf(text, DIAGNOSIS_TEXT, "%s",
             e->comparison->count == 1 ? "the only one" : "all of them");
    return true;
}

/* A guard like i < n - 1. */
static bool only_last(const struct evidence *e, char *text)
{
    if (e->comparison->wrong != 1
        || e->comparison->first != e->comparison->count - 1)
        return false;
    snprintf(text, DIAGNOSIS_TEXT, "the very last one");
    return true;
}

/* What has no neighbour before it: the begin of a scan, of a stencil. */
static bool only_first(const struct evidence *e, char *text)
{
    if (e->comparison->wrong != 1 || e->comparison->first != 0)
        return false;
    snprintf(text, DIAGNOSIS_TEXT, "the very first one");
    return true;
}

/* One thread an element, in a row of blocks: is that how it was launched? */
static size_t block_of_row(const struct evidence *e)
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

/* Blocks of the launch where that is known, else 256 is not guessed. */
static bool last_block(const struct evidence *e, char *text)
{
    size_t block = block_of_row(e), count = e->comparison->count;

    if (!block || count <= block
        || e->comparison->first < (count - 1) / block * block)
        return false;
    snprintf(text, DIAGNOSIS_TEXT, "all in the last block");
    return true;
}

/* Every nth from some place on, at least three, and no other: a lane, a channel
 * or a row that is left out. */
static bool every_nth(const struct evidence *e, char *text)
{
    static const char *const words[] = {"", "", "second", "third", "fourth"};
    size_t count = e->comparison->count, first = e->comparison->first;

    for (size_t step = 2; step <= 4; step++) {
        size_t fits = 0;

        for (size_t i = first; i < count; i += step)
            fits += bad(e)[i];
        if (fits >= 3 && fits == e->comparison->wrong
            && fits == (count - first + step - 1) / step) {
            snprintf(text, DIAGNOSIS_TEXT, "every %s one from %zu on",
                     words[step], first);
            return true;
        }
    }
    return false;
}

/* Do all wrong elements lie in rows lo..hi and columns left..right? */
static bool within(const struct evidence *e, size_t lo, size_t left)
{
    size_t width = columns(e);

    for (size_t i = 0; i < e->comparison->count; i++)
        if (bad(e)[i] && (i / width < lo || i % width < left))
            return false;
    return true;
}

/* A guard of one direction that is off by one; a column may be a pixel of
 * several channels. */
static bool last_row(const struct evidence *e, char *text)
{
    size_t width = columns(e), rows;

    if (!width || (rows = e->comparison->count / width) < 2
        || !within(e, rows - 1, 0))
        return false;
    snprintf(text, DIAGNOSIS_TEXT, "all in the last row");
    return true;
}

static bool last_column(const struct evidence *e, char *text)
{
    size_t width = columns(e), step;

    if (!width || e->expected->size[1] < 2)
        return false;
    step = e->expected->size[2] ? e->expected->size[2] : 1;
    if (!within(e, 0, width - step))
        return false;
    snprintf(text, DIAGNOSIS_TEXT, "all in the last column");
    return true;
}

static bool first_row(const struct evidence *e, char *text)
{
    size_t width = columns(e);

    if (!width || e->comparison->count < 2 * width || last_bad(e) >= width)
        return false;
    snprintf(text, DIAGNOSIS_TEXT, "all in the first row");
    return true;
}

/* All wrong elements within one element (pixel) of the image's edge. */
static bool border(const struct evidence *e, char *text)
{
    const size_t *size = e->expected->size;
    size_t depth = size[1] && size[2] ? size[2] : 1;

    if (!size[1] || size[0] < 5 || size[1] < 5)
        return false;
    for (size_t i = 0; i < e->comparison->count; i++) {
        size_t x = i / depth % size[1], y = i / depth / size[1];
        size_t dx = x < size[1] - 1 - x ? x : size[1] - 1 - x;
        size_t dy = y < size[0] - 1 - y ? y : size[0] - 1 - y;

        if (bad(e)[i] && (dx < dy ? dx : dy) > (size[0] + size[1]) / 16)
            return false;
    }
    snprintf(text, DIAGNOSIS_TEXT, "all near the edges");
    return true;
}

/* Right up to one index, wrong in every element after it. */
static bool tail(const struct evidence *e, char *text)
{
    size_t first = e->comparison->first, count = e->comparison->count;

    if (first == 0 || e->comparison->wrong != count - first)
        return false;
    snprintf(text, DIAGNOSIS_TEXT, "all from element %zu on", first);
    return true;
}

/* Wrong in every element up to one index. */
static bool head(const struct evidence *e, char *text)
{
    size_t last = last_bad(e);

    if (e->comparison->first != 0 || e->comparison->wrong != last + 1)
        return false;
    snprintf(text, DIAGNOSIS_TEXT, "the first %zu", last + 1);
    return true;
}

void diagnose_where(const struct evidence *evidence, char *text)
{
    /* The narrower before the wider: one last element is a tail, too. */
    static diagnosis_rule *const rules[] = {
        all,       only_last, only_first, last_block, last_row, last_column,
        first_row, every_nth, tail,       head,       border,   NULL};

    diagnose_first(rules, evidence, text);
}

static bool thread_in_row(const struct evidence *e, size_t index, char *text)
{
    size_t block = block_of_row(e);

    if (!block)
        return false;
    snprintf(text, DIAGNOSIS_TEXT, "block %zu, thread %zu of %zu",
             index / block, index % block, block);
    return true;
}

/* A thread an element, and a launch that fits the output: else nobody can say
 * whose element it was. */
void diagnose_thread(const struct evidence *e, size_t index, char *text)
{
    const struct facts *f = e->facts;
    const size_t *size = e->expected->size;
    size_t depth = size[1] && size[2] ? size[2] : 1, x, y;

    text[0] = 0;
    if (thread_in_row(e, index, text) || !f || !f->launches || !size[1]
        || f->block[2] != 1 || f->grid[2] != 1 || !f->block[0]
        || !f->block[1])
        return;
    if ((size[1] + f->block[0] - 1) / f->block[0] != f->grid[0]
        || (size[0] + f->block[1] - 1) / f->block[1] != f->grid[1])
        return;
    x = index / depth % size[1];
    y = index / depth / size[1];
    snprintf(text, DIAGNOSIS_TEXT, "block (%zu, %zu), thread (%zu, %zu)",
             x / f->block[0], y / f->block[1], x % f->block[0],
             y % f->block[1]);
}
