/* SPDX-License-Identifier: MIT */
/* Elements of the host's arrays that are wrong because of a copy: it is
 * missing, too short, or ends in another place. */
#include "diagnose_copies.h"

#include <stdio.h>
#include <strings.h>

#include "diagnose_unwritten.h"
#include "state.h"

/* An output in host memory, and no byte left the device: kernels ran, but
 * nothing that they stored arrived. */
bool not_copied_back(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;

    if (!f || e->on_device || !f->counted || f->launches == 0
        || f->graph_launches || f->managed_bytes || f->d2h_bytes
        || e->comparison->wrong != evidence_count(e)
        || !evidence_all_unwritten(e))
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

/* Are exactly the elements wrong of each row (or the only one) that lie behind
 * its first `bytes` bytes? */
static bool are_behind(const struct evidence *e, size_t row, size_t bytes)
{
    const size_t right = bytes / element_bytes(e->expected->type);

    for (size_t i = 0; i < evidence_count(e); i++)
        if (e->comparison->wrong_mask[i] != (i % row >= right))
            return false;
    return right < row;
}

/* The same by way of other host memory, which had something else: a copy of
 * each row ends early.  Few bytes may be a flag, where kernels can write to
 * host memory themselves. */
bool copied_rows_in_part(const struct evidence *e, char *text)
{
    enum { FLAG = 16 };
    const struct facts *f = e->facts;
    const size_t size = element_bytes(e->expected->type);
    const size_t count = evidence_count(e), *sizes = e->expected->size;
    const size_t row = sizes[1] && !sizes[2] ? sizes[1] : count;

    if (!f || e->on_device || !f->counted || f->graph_launches || !f->launches
        || !f->d2h_bytes || !row || f->d2h_bytes % (count / row)
        || (f->managed_bytes && f->d2h_bytes < FLAG
            && f->d2h_bytes % size == 0)
        || evidence_all_unwritten(e)
        || !are_behind(e, row, f->d2h_bytes / (count / row)))
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "%s to the host had %llu bytes, and %zu "
             "element%s ha%s %zu: is %s length the number of elements times "
             "%zu?", count > row ? "the copies" : "the copy",
             (unsigned long long)f->d2h_bytes, count, count == 1 ? "" : "s",
             count == 1 ? "s" : "ve", size * count,
             count > row ? "their" : "its", size);
    return true;
}

/* Did as many bytes come to the host as the output has? */
bool output_was_copied(const struct evidence *e)
{
    return e->facts
           && e->facts->d2h_bytes
                  >= evidence_count(e) * element_bytes(e->expected->type);
}

/* Copies to the host that end before these elements. */
bool copies_lack_them(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;
    const size_t size = element_bytes(e->expected->type);
    const size_t bytes = evidence_count(e) * size;
    const size_t *sizes = e->expected->size;
    const size_t row = sizes[1] * (sizes[2] ? sizes[2] : 1);
    char rows[80] = "";

    if (!f || e->on_device || !f->counted || !f->d2h_bytes
        || f->d2h_bytes != bytes - e->comparison->wrong * size)
        return false;
    if (row > 0 && e->comparison->wrong % row == 0
        && e->comparison->first == evidence_count(e) - e->comparison->wrong)
        snprintf(rows, sizeof rows,
                 ": the last %zu of its %zu rows are missing",
                 e->comparison->wrong / row, e->expected->size[0]);
    snprintf(text, DIAGNOSIS_SIZE, "never written: %llu bytes were copied from "
             "the device to the host, and the output has %zu%s",
             (unsigned long long)f->d2h_bytes, bytes, rows);
    return true;
}

/* What is computed from memory that an input was not copied to has its pattern,
 * too: the mean of one pixel is that pixel. */
bool is_of_no_input(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;
    const uint32_t missing = f ? suite_missing_inputs(f) : 0;
    const unsigned i = missing ? (unsigned)ffs((int)missing) - 1 : 0;
    char name[48];

    if (!f || !f->counted || e->on_device || !missing || !f->launches
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

/* The rows that lack all elements, by number: "out[1] and out[2] of 4".
 * @return false when a wrong element lies in another row */
static bool name_rows(const struct evidence *e, char *text, size_t bytes)
{
    enum { MOST = 4 };
    const size_t rows = e->expected->size[0], row = evidence_count(e) / rows;
    const char *name = e->expected->name;
    size_t missing = 0, used = 0;

    for (size_t r = 0; r < rows; r++) {
        size_t wrong = 0;

        for (size_t i = 0; i < row; i++)
            wrong += e->comparison->wrong_mask[r * row + i] != 0;
        if (wrong && wrong != row)
            return false;
        if (wrong && missing++ < MOST && used < bytes)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s[%zu]",
                                     missing > 1 ? ", " : "", name, r);
    }
    if (missing == rows)
        snprintf(text, bytes, "nothing of %s", name);
    else if (missing > MOST || used >= bytes)
        snprintf(text, bytes, "%zu of %zu rows", missing, rows);
    else
        snprintf(text + used, bytes - used, " of %zu", rows);
    return true;
}

/* As many bytes came to the host as the output has, and these rows have what
 * the host's memory held before the call, bit for bit. */
bool left_in_buffer(const struct evidence *e, char *text)
{
    char rows[96];

    if (e->on_device || !e->poison || !output_was_copied(e)
        || !e->facts->counted
        || !(e->facts->launches || e->facts->graph_launches)
        || !e->expected->size[1] || e->expected->size[2]
        || !evidence_all_wrong(e, evidence_is_poison, 1)
        || !name_rows(e, rows, sizeof rows))
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "never written: %s; as many bytes as it has "
             "came to the host: are those that lie in another buffer at the "
             "end copied here, too?", rows);
    return true;
}
