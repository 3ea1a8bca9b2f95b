/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 14: slots, batches and stages. */
#include "mistakes.h"

#include <math.h>
#include <string.h>

#include "labs/14_streams/streams.h"

/* One stage in double, which is exact. */
static void stage_reference(const double *x, double *y, size_t size,
                            size_t number)
{
    for (size_t i = 0; i < size; i++) {
        const double mean = 0.5 * (x[i] + x[(i + number + 1) % size]);

        y[i] = number % 2 ? fabs(mean) - 0.25 : mean;
    }
}

void streams_reference(const uint8_t *in, double *out, double *scratch,
                      size_t size)
{
    for (size_t i = 0; i < size; i++)
        out[i] = in[i] / 128.0 - 1;
    for (size_t number = 0; number < STREAMS_STAGES; number += 2) {
        stage_reference(out, scratch, size, number);
        stage_reference(scratch, out, size, number + 1);
    }
}

/* Each batch after `stages` stages only, or after 8 more. */
static void try_stages(struct hypotheses *h, const struct data_set *d,
                       size_t stages)
{
    const struct facts *facts = h->evidence->facts;
    const bool has_graphs = facts && facts->graph_launches;
    double *values = hypothesis_values(h), *y = suite_doubles(d->size);

    for (size_t b = 0; b < d->batches; b++) {
        double *x = values + b * d->size;

        for (size_t i = 0; i < d->size; i++)
            x[i] = d->in[b * d->size + i] / 128.0 - 1;
        for (size_t number = 0; number < stages; number++) {
            stage_reference(x, y, d->size, number % STREAMS_STAGES);
            memcpy(x, y, d->size * sizeof *x);
        }
    }
    hypothesis_try(h, stages == STREAMS_STAGES - 1
                          ? "run_stages() leaves the result in d_x; d_y holds "
                            "intermediate values."
                      : has_graphs
                          ? "A graph keeps the pointers that it was captured "
                            "with: does each slot launch its own graph? And "
                            "does one stream order its copies and stages?"
                          : "Each batch passes each stage once, before the "
                            "copy back: does one stream order these, on "
                            "arrays that no other batch uses?",
                   "the batch after %zu stages, should be after %d", stages,
                   STREAMS_STAGES);
}

static const char reused[] =
    "Before the host or a copy writes to memory that earlier work still uses, "
    "that work must be complete: which event or stream orders the two? An "
    "event is about what was enqueued before it was recorded: record it after "
    "that work, in the stream of that work.";

/* Each wrong batch is another one: a buffer, or arrays, were used again. */
static void try_neighbors(struct hypotheses *h, const struct data_set *d)
{
    static const char earlier[] =
        "Does load_batch() read from h_in + b * size, before the copy to d_x?";
    static const char not_loaded[] =
        "load_batch() was not called for each batch: the memory still has an "
        "earlier one.";
    const struct facts *facts = h->evidence->facts;
    const bool loaded =
        !facts || facts->host_work >= d->batches * (d->size + 1);

    for (size_t distance = 1; distance <= 4 && distance < d->batches;
         distance++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            double *values = hypothesis_values(h);
            double *right = suite_doubles(d->batches * d->size);

            memcpy(right, values, d->batches * d->size * sizeof *right);
            for (size_t b = 0; b < d->batches; b++) {
                const size_t from = b + (size_t)sign * distance;

                for (size_t i = 0; from < d->batches && i < d->size; i++)
                    values[b * d->size + i] = right[from * d->size + i];
            }
            hypothesis_try(h, sign > 0 ? reused : loaded ? earlier : not_loaded,
                           "the result of the batch %zu %s",
                           distance, sign > 0 ? "later" : "earlier");
        }
}

/* Stages of whole groups only. */
static void try_whole_groups(struct hypotheses *h, const struct data_set *d,
                             size_t group)
{
    const size_t whole = d->size - d->size % group;
    double *values = hypothesis_values(h), *scratch = suite_doubles(d->size);

    if (whole == 0 || whole == d->size)
        return;
    for (size_t b = 0; b < d->batches; b++) {
        streams_reference(d->in + b * d->size, values + b * d->size, scratch,
                          whole);
        for (size_t i = whole; i < d->size; i++)
            values[b * d->size + i] = HYPOTHESIS_ANY;
    }
    hypothesis_try(h, "The size of a batch is no multiple of anything: pass "
                   "size to run_stages().",
                   "the batch's, if it had no elements after the last whole "
                   "group of %zu", group);
}

/* Each batch is stored one place too early or too late; what has no place, or
 * lies at the first one's, is not checked. */
static void try_shifted_places(struct hypotheses *h, const struct data_set *d)
{
    for (int later = 0; later < 2; later++) {
        const size_t n = d->batches * d->size;
        const size_t lost = later ? 0 : n - d->size;
        double *values = hypothesis_values(h);
        bool lacks_one = d->batches > 2;

        memmove(values + (later ? d->size : 0),
                values + (later ? 0 : d->size), (n - d->size) * sizeof *values);
        for (size_t i = 0; i < d->size; i++) {
            lacks_one &= evidence_is_unwritten(h->evidence, lost + i);
            values[lost + i] = HYPOTHESIS_ANY;
            if (!later) /* that of batch 1, unless it was stored first */
                values[i] = HYPOTHESIS_ANY;
        }
        if (lacks_one)
            hypothesis_try(h, "Batch b of h_out begins at b * size: do the "
                           "input, the buffers and the place of the result "
                           "belong to the same batch?",
                           "the result of the batch 1 %s, stored at its place; "
                           "the %s batch's place was never written",
                           later ? "earlier" : "later",
                           later ? "first" : "last");
    }
}

/* The results of all batches, stored in turn, each as far from the one before
 * as a batch with fewer or more elements is long. */
static void try_other_strides(struct hypotheses *h, const struct data_set *d)
{
    enum { MOST = 4 };
    const double *want = h->evidence->expected->want;
    const size_t n = d->batches * d->size;

    for (int more = -MOST; more <= MOST && !h->fits && d->size > MOST; more++) {
        const size_t stride = d->size + (size_t)(ptrdiff_t)more;
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < n; i++)
            values[i] = hypothesis_unstored(h, i);
        for (size_t b = 0; b < d->batches; b++)
            for (size_t i = 0; i < d->size && b * stride + i < n; i++)
                values[b * stride + i] = want[b * d->size + i];
        if (more)
            hypothesis_try(h, "Batch b of h_out begins at b * size.",
                           "what it is if batch b is stored from element b * "
                           "(size %c %d) on", more < 0 ? '-' : '+', abs(more));
    }
}

/* Fewer elements were loaded than there are. */
static void try_lost_elements(struct hypotheses *h, const struct data_set *d)
{
    const struct facts *facts = h->evidence->facts;
    const double needed = h->needed;
    const size_t n = d->batches * d->size;
    double *values = hypothesis_values(h);

    /* the function counts its elements and 1 in each call */
    if (!facts || !facts->host_work || facts->host_work <= d->batches
        || facts->host_work >= n + d->batches
        || facts->host_work % (d->size + 1) == 0) /* fewer calls */
        return;
    for (size_t i = 0; i < n; i++)
        values[i] = evidence_got(h->evidence, i);
    h->needed = -1;
    hypothesis_try(h, "load_batch(h_in + b * size, out, size), once for each "
                   "batch.", "computed from elements that were not loaded: "
                   "the calls of load_batch() got %zu in all, for %zu, if "
                   "there was one for each batch",
                   (size_t)facts->host_work - d->batches, n);
    h->needed = needed;
}

/* All batches are stored at the first one's place, the last one at last. */
static void try_one_place(struct hypotheses *h, const struct data_set *d)
{
    const size_t last = (d->batches - 1) * d->size;
    double *values = hypothesis_values(h);
    bool lacks_others = false;

    if (d->batches < 3) /* of two it may be a place too early */
        return;
    memmove(values, values + last, d->size * sizeof *values);
    for (size_t i = d->size; i < d->batches * d->size; i++)
        if (evidence_is_unwritten(h->evidence, i)) {
            values[i] = HYPOTHESIS_ANY;
            lacks_others = true;
        }
    if (!lacks_others)
        return;
    hypothesis_try(h, "Batch b of h_out begins at b * size.",
                   "that of the last batch, at the first one's place, or not "
                   "written: all batches go to the same place");
}

/* The host loads all batches of a slot before the first one is copied. */
static void try_last_of_slot(struct hypotheses *h, const struct data_set *d,
                             size_t slots)
{
    double *values = hypothesis_values(h);

    if (d->batches <= slots)
        return;
    for (size_t b = d->batches - slots; b-- > 0;)
        memcpy(values + b * d->size, values + (b + slots) * d->size,
               d->size * sizeof *values);
    hypothesis_try(h, reused, "the result of the last batch of its slot, of "
                   "%zu slots: is a buffer loaded again before it is copied?",
                   slots);
}

/* All batches have the result of one: of the first or the last one. */
static void try_one_batch(struct hypotheses *h, const struct data_set *d)
{
    for (int last = 0; last < 2 && d->batches > 2; last++) {
        const size_t from = last ? (d->batches - 1) * d->size : 0;
        double *values = hypothesis_values(h);

        for (size_t b = 0; b < d->batches; b++)
            memmove(values + b * d->size, values + from,
                    d->size * sizeof *values);
        hypothesis_try(h, last ? reused
                           : "Each batch is copied to the device from where "
                             "load_batch() has stored it, and load_batch() "
                             "reads from h_in + b * size.",
                       "the result of the %s batch, for all batches",
                       last ? "last" : "first");
    }
}

/* Batch b from byte b on, or from byte 4 b size: past the end is anything. */
static void try_input_place(struct hypotheses *h, const struct data_set *d,
                            bool counts_floats)
{
    const size_t distance = counts_floats ? d->size * sizeof(float) : 1;
    double *values = hypothesis_values(h), *scratch = suite_doubles(d->size);

    for (size_t b = 0; b < d->batches && d->size > 1; b++) {
        double *batch = values + b * d->size;

        if (b * distance + d->size <= d->batches * d->size)
            streams_reference(d->in + b * distance, batch, scratch, d->size);
        else
            for (size_t i = 0; i < d->size; i++)
                batch[i] = HYPOTHESIS_ANY;
    }
    hypothesis_try(h, counts_floats
                          ? "h_in has bytes, not floats: batch b begins at "
                            "h_in + b * size, without sizeof(float)."
                          : "Batch b of h_in begins at b * size.",
                   counts_floats
                       ? "computed from the bytes from h_in + b * size * "
                         "sizeof(float) on, which is past the end of h_in for "
                         "most batches"
                       : "computed from the bytes from h_in + b on");
}

/* The batch whose right result is at the place of batch b, or d->batches. */
static size_t batch_at(const struct hypotheses *h, const struct data_set *d,
                       size_t b)
{
    const double *want = h->evidence->expected->want;
    size_t other = 0, i = 0;

    for (; other < d->batches; other++) {
        for (i = 0; i < d->size; i++)
            if (evidence_got(h->evidence, b * d->size + i)
                != want[other * d->size + i])
                break;
        if (i == d->size)
            break;
    }
    return other;
}

/* Each wrong batch is another one: the first two are named. */
static void try_other_batches(struct hypotheses *h, const struct data_set *d)
{
    const double *want = h->evidence->expected->want;
    double *values = hypothesis_values(h);
    size_t place[2] = {0}, batch[2] = {0}, wrong = 0;

    for (size_t b = 0; b < d->batches; b++) {
        const size_t from = batch_at(h, d, b);

        if (from == d->batches)
            return;
        memcpy(values + b * d->size, want + from * d->size,
               d->size * sizeof *values);
        if (from == b)
            continue;
        if (wrong < 2) {
            place[wrong] = b;
            batch[wrong] = from;
        }
        wrong++;
    }
    if (wrong < 2)
        return;
    hypothesis_try(h, "The input of batch b begins at h_in + b * size, its "
                   "result at h_out + b * size; no other batch writes to its "
                   "buffers before its copies are complete.",
                   "the result of another batch: at the place of batch %zu "
                   "that of %zu, at that of batch %zu that of %zu", place[0],
                   batch[0], place[1], batch[1]);
}

/* Copies of as many bytes as there are elements. */
static void try_short_copies(struct hypotheses *h, const struct data_set *d)
{
    const struct facts *facts = h->evidence->facts;
    const double needed = h->needed;
    const size_t n = d->batches * d->size;
    double *values = hypothesis_values(h);

    if (!facts || !facts->counted
        || (facts->h2d_bytes != n && facts->d2h_bytes != n))
        return;
    for (size_t i = 0; i < n; i++)
        values[i] = evidence_got(h->evidence, i);
    h->needed = -1;
    hypothesis_try(h, "The length of a copy is in bytes: size * sizeof(float).",
                   "behind what was copied, or computed from that: %zu bytes "
                   "%s the device, for %zu floats", n,
                   facts->h2d_bytes == n ? "to" : "from", n);
    h->needed = needed;
}

void streams_mistakes(struct hypotheses *h, const void *context)
{
    const struct data_set *d = context;

    if (d->batches * d->size > 1 << 20)
        return;
    try_short_copies(h, d);
    if (h->fits)
        return;
    try_lost_elements(h, d);
    if (h->fits)
        return;
    try_neighbors(h, d);
    for (size_t slots = 1; slots <= 4 && !h->fits; slots++)
        try_last_of_slot(h, d, slots);
    if (!h->fits)
        try_one_batch(h, d);
    try_shifted_places(h, d);
    try_one_place(h, d);
    try_input_place(h, d, false);
    try_input_place(h, d, true);
    for (size_t stages = 0; stages < STREAMS_STAGES; stages++)
        try_stages(h, d, stages);
    try_stages(h, d, 2 * STREAMS_STAGES);
    if (!h->fits)
        try_other_strides(h, d);
    if (!h->fits)
        try_other_batches(h, d);
    for (size_t group = 256; group >= 4 && !h->fits; group /= 2)
        try_whole_groups(h, d, group);
}
