/* SPDX-License-Identifier: MIT */
/* Sums of partial sums in a workspace, of which no thread has stored some. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common_mistakes.h"
#include "state.h"

enum { MOST_PARTS = 64, MOST_FLOATS = 1 << 22 };

/* The number of a parameter with "work" in its name, an output in device
 * memory; or -1. */
static int find_workspace(void)
{
    for (unsigned i = 0; i < suite_state.frame.count; i++) {
        const struct arg *arg = &suite_state.frame.arg[i];
        char name[48];

        parameter_name(suite_state.parameters ? suite_state.parameters
                                              : suite_state.lab->prototype,
                       i, name, sizeof name);
        if (arg->kind == ARG_OUT && arg->on_device && strstr(name, "work"))
            return (int)i;
    }
    return -1;
}

/* The sum of an element, to which a loop over the parts adds the old content of
 * the last ones. */
static float sum_parts(const float *old, size_t count, size_t i, size_t first,
                       size_t parts, double right)
{
    float sum = (float)right;

    for (size_t part = first; part < parts; part++)
        sum += old[part * count + i];
    return sum;
}

/* Is the sum that of an old content which is far larger?  Of a smaller one it
 * is not known what the parts that were stored add up to. */
static bool is_of_old(double sum, double want)
{
    return fabs(sum) > 0x1p20 * (fabs(want) + 1);
}

/* The first wrong element that tells the old content; or their number. */
static size_t find_telling(const struct hypotheses *h)
{
    const struct evidence *e = h->evidence;
    size_t i = 0;

    while (i < hypothesis_count(h)
           && !(e->comparison->wrong_mask[i]
                && is_of_old(evidence_got(e, i), e->expected->want[i])))
        i++;
    return i;
}

/* Parts from `first` on were not stored.
 * @param at  an element that find_telling() found */
static bool try_parts(struct hypotheses *h, const float *old, size_t first,
                      size_t parts, size_t at)
{
    const size_t count = hypothesis_count(h), fits = h->fits;
    const double got = evidence_got(h->evidence, at);
    double *values = hypothesis_values(h);

    if (!(fabs(sum_parts(old, count, at, first, parts, values[at]) - got)
          <= 1e-6 * fabs(got)))
        return false;
    for (size_t i = 0; i < count; i++) {
        const double sum = sum_parts(old, count, i, first, parts, values[i]);

        values[i] = is_of_old(sum, values[i]) ? sum : HYPOTHESIS_ANY;
    }
    hypothesis_try(h, "A thread without work of its own, as one whose part of "
                   "the images or elements is empty, must store 0 for its "
                   "part, or the sum must leave that part out.",
                   "a sum with what the workspace held before the call: a part "
                   "of it that no thread has stored");
    return h->fits > fits;
}

/* The parts are at the start of the workspace, or at its end. */
static bool try_places(struct hypotheses *h, const float *old, size_t floats)
{
    const size_t count = hypothesis_count(h), at = find_telling(h);

    if (at == count)
        return false;
    for (size_t parts = 2; parts <= MOST_PARTS && parts * count <= floats;
         parts++)
        for (size_t first = 1; first < parts; first++)
            if (try_parts(h, old, first, parts, at)
                || try_parts(h, old + floats - parts * count, first, parts,
                             at))
                return true;
    return false;
}

void try_workspace_mistakes(struct hypotheses *h)
{
    const int index = find_workspace();
    const size_t bytes =
        index < 0 ? 0 : suite_state.frame.arg[index].bytes;
    float *old;

    if (h->evidence->expected->type != FLOAT32 || !hypothesis_count(h)
        || bytes < sizeof *old || bytes / sizeof *old > MOST_FLOATS)
        return;
    old = malloc(bytes);
    if (!old)
        return;
    poison_fill(old, bytes, suite_state.poison, (unsigned)index);
    try_places(h, old, bytes / sizeof *old);
    free(old);
}
