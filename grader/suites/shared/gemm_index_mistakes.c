/* SPDX-License-Identifier: MIT */
/* Matrix products in which one index of A or of B is another one: that of
 * another thread, without its tile's origin, or a number of elements off. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gemm_mistakes.h"
#include "gemm_terms.h"

static const char index_names[] = "ijp";

/** An index in place of the right one. */
struct other_index {
    bool is_b, is_column; /**< which one: A[i][p] or B[p][j], row or column */
    bool is_flat; /**< past the end of a row the next one begins; else 0 */
    enum { OTHER, OTHER_IN_TILE, IN_TILE, FIRST_OF_TILE, TILE_OF_OTHER,
           LATE, LATE_FIRST, AFTER, BEFORE, STEP } kind; /**< LATE...: from
                         the second tile on, as where the next one is loaded */
    int other;    /**< OTHER...: 0 to 2, of i, j, p */
    size_t tile;  /**< its side; AFTER, BEFORE: how far */
    size_t step;  /**< STEP: elements from one tile's begin to the next */
    const char *step_name; /**< of these */
};

/* Which of i, j, p should be there? */
static int own_index(const struct other_index *o)
{
    return o->is_b == o->is_column ? o->is_b : 2;
}

/* The index that is there; below 0: more than there are elements. */
static size_t other_index(const struct other_index *o, const size_t ijp[3])
{
    const size_t own = ijp[own_index(o)], other = ijp[o->other];

    switch (o->kind) {
    case OTHER: return other;
    case OTHER_IN_TILE: return own - own % o->tile + other % o->tile;
    case IN_TILE: return own % o->tile;
    case FIRST_OF_TILE: return own - own % o->tile;
    case TILE_OF_OTHER: return other - other % o->tile + own % o->tile;
    case LATE: return own < o->tile ? own : own - o->tile;
    case LATE_FIRST: return own < o->tile ? own : own - own % o->tile;
    case AFTER: return own + o->tile;
    default: return own - o->tile;
    }
}

/* The element of A or B at this index; NAN outside of the array. */
static double element_of(const struct gemm *g, const struct other_index *o,
                         const size_t ijp[3])
{
    const size_t rows = (size_t)(o->is_b ? g->k : g->m);
    const size_t columns = (size_t)(o->is_b ? g->n : g->k);
    const float *x = o->is_b ? g->b : g->a;
    size_t row = ijp[o->is_b ? 2 : 0], column = ijp[o->is_b ? 1 : 2], index;

    if (o->kind == STEP) {
        const size_t p = ijp[2];

        index = (o->is_b ? p % o->tile * columns + column
                         : row * columns + p % o->tile)
                + p / o->tile * o->step;
    } else {
        *(o->is_column ? &column : &row) = other_index(o, ijp);
        if (!o->is_flat && (row >= rows || column >= columns))
            return 0;
        index = row * columns + column;
    }
    return index < rows * columns ? (double)x[index] : NAN;
}

static double sum_of(const struct gemm *g, const struct other_index *o,
                     size_t e)
{
    size_t ijp[3] = {e / g->n, e % g->n, 0};
    double sum = 0;

    for (; ijp[2] < (size_t)g->k; ijp[2]++) {
        const double right = o->is_b ? g->a[ijp[0] * g->k + ijp[2]]
                                     : g->b[ijp[2] * g->n + ijp[1]];

        sum += element_of(g, o, ijp) * right;
    }
    return sum;
}

static double value_of(const struct hypotheses *h, const struct gemm *g,
                       const double *sums, const struct other_index *o,
                       size_t e)
{
    const double sum = sum_of(g, o, e);

    return isnan(sum) ? HYPOTHESIS_ANY
                      : gemm_with_sum(g, h->evidence->expected->want[e],
                                      sums[e], sum);
}

/* An index, of which hypothesis_first_agree() asks the values. */
struct indexed {
    const struct hypotheses *h;
    const struct gemm *g;
    const double *sums;
    const struct other_index *o;
};

static double value_of_index(const void *context, size_t e)
{
    const struct indexed *one = context;

    return value_of(one->h, one->g, one->sums, one->o, e);
}

/* "p - p % 32 + i % 32" */
static void write_index(const struct other_index *o, char *text, size_t room)
{
    const char own = index_names[own_index(o)], other = index_names[o->other];
    const size_t tile = o->tile;

    switch (o->kind) {
    case OTHER: snprintf(text, room, "%c", other); break;
    case OTHER_IN_TILE:
        snprintf(text, room, "%c - %c %% %zu + %c %% %zu", own, own, tile,
                 other, tile);
        break;
    case IN_TILE: snprintf(text, room, "%c %% %zu", own, tile); break;
    case FIRST_OF_TILE:
        snprintf(text, room, "%c - %c %% %zu", own, own, tile);
        break;
    case TILE_OF_OTHER:
        snprintf(text, room, "%c - %c %% %zu + %c %% %zu", other, other, tile,
                 own, tile);
        break;
    case LATE_FIRST:
        snprintf(text, room, "%c - %c %% %zu, from %c = %zu on", own, own,
                 tile, own, tile);
        break;
    case LATE:
        snprintf(text, room, "%c - %zu, from %c = %zu on", own, tile, own,
                 tile);
        break;
    default:
        snprintf(text, room, "%c %c %zu", own, o->kind == AFTER ? '+' : '-',
                 tile);
    }
}

static void name_index(struct hypotheses *h, const struct other_index *o)
{
    static const char hint[] =
        "Follow that element: the line that loads it from global memory, the "
        "one that stores it in its tile, and the one that reads it there. "
        "Which of them has this index?";
    const char own = index_names[own_index(o)];
    const char name = o->is_b ? 'B' : 'A';
    char row[48] = "i", column[48] = "p";

    if (o->kind == STEP) {
        hypothesis_try(h, hint, "the product with each tile of %c, of %zu %s, "
                       "%s elements behind the one before: it is %s", name,
                       o->tile, o->is_b ? "rows" : "columns", o->step_name,
                       o->is_b ? "so many rows of n" : "that many elements");
        return;
    }
    if (o->is_b) {
        snprintf(row, sizeof row, "p");
        snprintf(column, sizeof column, "j");
    }
    write_index(o, o->is_column ? column : row, sizeof row);
    hypothesis_try(h, hint, "the sum over p of %s%c[%s][%s]%s: that %s of %c "
                   "should be %c", o->is_b ? "A[i][p] * " : "", name, row,
                   column, o->is_b ? "" : " * B[p][j]",
                   o->is_column ? "column" : "row", name, own);
}

static void try_index(struct hypotheses *h, const struct gemm *g,
                      const double *sums, const struct other_index *o)
{
    double *values;

    if (!hypothesis_first_agree(h, 16, value_of_index,
                                &(struct indexed){h, g, sums, o}))
        return;
    values = hypothesis_values(h);
    for (size_t e = 0; e < hypothesis_count(h); e++)
        values[e] = value_of(h, g, sums, o, e);
    /* some elements may be off, but all have the index of a thread, or none */
    h->is_whole = o->kind != AFTER && o->kind != BEFORE;
    name_index(h, o);
    h->is_whole = false;
}

/* One index of one matrix, of each kind; the first that fits. */
static void try_kinds(struct hypotheses *h, const struct gemm *g,
                      const double *sums, struct other_index o)
{
    enum { MOST = 128 }; /* side of a tile */
    const size_t fits = h->fits;
    const int own = own_index(&o);

    for (int kind = OTHER; kind < STEP; kind++)
        for (o.other = 0; o.other < 3; o.other++) {
            const bool is_of_other = kind == OTHER || kind == OTHER_IN_TILE
                                     || kind == TILE_OF_OTHER;

            if (is_of_other ? o.other == own : o.other > 0)
                continue;
            o.kind = kind;
            for (o.tile = kind >= AFTER ? 1 : 4;
                 o.tile <= (kind == OTHER ? 4 : MOST) && h->fits == fits;
                 o.tile *= 2)
                try_index(h, g, sums, &o);
        }
}

/* The pointer to a tile moves on by something else. */
static void try_steps(struct hypotheses *h, const struct gemm *g,
                      const double *sums, bool is_b)
{
    const size_t m = (size_t)g->m, n = (size_t)g->n, k = (size_t)g->k;
    const size_t fits = h->fits;

    for (size_t tile = 4; tile <= 128 && tile < k; tile *= 2) {
        const struct other_index steps[] = {
            {.step = tile, .step_name = "that many"},
            {.step = n, .step_name = "n"}, {.step = k, .step_name = "k"},
            {.step = tile * n, .step_name = "so many times n"},
            {.step = tile * k, .step_name = "so many times k"},
            {.step = tile * m, .step_name = "so many times m"}};

        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            struct other_index o = steps[s];

            o.kind = STEP;
            o.is_b = is_b;
            o.tile = tile;
            if (h->fits == fits && o.step != (is_b ? tile * n : tile))
                try_index(h, g, sums, &o);
        }
    }
}

void gemm_index_mistakes(struct hypotheses *h, const struct gemm *g,
                         const double *sums)
{
    const size_t fits = h->fits;

    for (int way = 0; way < 8 && h->fits == fits; way++)
        try_kinds(h, g, sums, (struct other_index){
            .is_b = way % 2, .is_column = way / 2 % 2, .is_flat = way / 4});
    for (int is_b = 0; is_b < 2 && h->fits == fits; is_b++)
        try_steps(h, g, sums, is_b);
}
