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

/* All batches are stored at the first one's place, the last one at last. */
static void try_one_place(struct hypotheses *h, const struct data_set *d)
{
    const size_t last = (d->batches - 1) * d->size;
    double *values = hypothesis_values(h);
    bool lacks_others = false;

    if (d->batches < 2)
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
    try_neighbors(h, d);
    for (size_t slots = 1; slots <= 4 && !h->fits; slots++)
        try_last_of_slot(h, d, slots);
    try_one_place(h, d);
    try_input_place(h, d, false);
    try_input_place(h, d, true);
    for (size_t stages = 0; stages < STREAMS_STAGES; stages++)
        try_stages(h, d, stages);
    try_stages(h, d, 2 * STREAMS_STAGES);
    for (size_t group = 256; group >= 4 && !h->fits; group /= 2)
        try_whole_groups(h, d, group);
}
