/* SPDX-License-Identifier: MIT */
/* Which elements of the input do wrong elements hold?  In a further call each
 * element of the input tells its index. */
#include "response.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/** Where the elements of the output come from. */
struct sources {
    const struct evidence *evidence;
    const struct matrix *m;
    size_t *source; /* of each: an index in the input */
};

/** How the row and the column of the source differ from the right ones. */
struct difference {
    size_t wrong_rows, wrong_columns; /* elements where these do */
    size_t row, column; /* by how much in all of them, modulo 2^64 */
    bool is_same_row, is_same_column; /* by as much in all of them */
};

/* Row and column of the input that belong to an element of the output. */
static size_t right_row(const struct sources *s, size_t i)
{
    return i % s->m->rows;
}

static size_t right_column(const struct sources *s, size_t i)
{
    return i / s->m->rows;
}

/* Do these elements explain all that are wrong in the failed call? */
static bool explain_all(const struct sources *s)
{
    for (size_t i = 0; i < evidence_count(s->evidence); i++)
        if (s->evidence->comparison->wrong_mask[i]
            && (s->source[i] == RESPONSE_NONE
                || evidence_got(s->evidence, i)
                       != element_value(s->m->in, s->m->type, s->source[i])))
            return false;
    return true;
}

static struct difference compare_sources(const struct sources *s)
{
    struct difference d = {.is_same_row = true, .is_same_column = true};
    size_t seen = 0;

    for (size_t i = 0; i < evidence_count(s->evidence); i++) {
        const size_t row = s->source[i] / s->m->cols - right_row(s, i);
        const size_t column = s->source[i] % s->m->cols - right_column(s, i);

        if (!s->evidence->comparison->wrong_mask[i])
            continue;
        if (seen++ == 0) {
            d.row = row;
            d.column = column;
        }
        d.is_same_row = d.is_same_row && row == d.row;
        d.is_same_column = d.is_same_column && column == d.column;
        d.wrong_rows += row != 0;
        d.wrong_columns += column != 0;
    }
    return d;
}

/* "r + 3", "r - 3", "r" */
static void say_index(char name, size_t offset, char *text, size_t bytes)
{
    const bool is_before = offset > SIZE_MAX / 2;

    if (offset)
        snprintf(text, bytes, "%c %c %zu", name, is_before ? '-' : '+',
                 is_before ? 0 - offset : offset);
    else
        snprintf(text, bytes, "%c", name);
}

/* What is true of all of them, behind the example. */
static void say_rest(const struct sources *s, const struct difference *d,
                     char *text, size_t bytes)
{
    const size_t wrong = s->evidence->comparison->wrong;

    if (d->wrong_rows == 0)
        snprintf(text, bytes, ": each wrong element comes from the right row "
                 "of the input, and from a wrong column");
    else if (d->wrong_columns == 0)
        snprintf(text, bytes, ": each wrong element comes from the right "
                 "column of the input, and from a wrong row");
    else if (d->wrong_rows == wrong && d->wrong_columns == wrong)
        snprintf(text, bytes, ": each wrong element comes from a wrong row and "
                 "a wrong column of the input");
    else
        *text = 0;
}

static enum certainty say_sources(const struct sources *s, char *text)
{
    enum { LEAST = 4 }; /* of fewer elements much is true by chance */
    const struct comparison *c = s->evidence->comparison;
    const struct difference d = compare_sources(s);
    const size_t from = s->source[c->first];
    char row[40], column[40], rest[128] = "";

    if (c->wrong < LEAST)
        return UNKNOWN;
    if (d.is_same_row && d.is_same_column) {
        say_index('r', d.row, row, sizeof row);
        say_index('c', d.column, column, sizeof column);
        snprintf(text, DIAGNOSIS_SIZE, "each wrong out[c][r] is in[%s][%s]",
                 row, column);
        return CERTAIN;
    }
    say_rest(s, &d, rest, sizeof rest);
    snprintf(text, DIAGNOSIS_SIZE, "out[%zu][%zu] is in[%zu][%zu], should be "
             "in[%zu][%zu]%s", right_column(s, c->first),
             right_row(s, c->first), from / s->m->cols, from % s->m->cols,
             right_row(s, c->first), right_column(s, c->first), rest);
    return VAGUE;
}

static enum certainty explain(const struct evidence *evidence,
                              response_call *call, void *context, char *text)
{
    struct sources s = {evidence, evidence->expected->response->context,
                        NULL};
    enum certainty certainty = UNKNOWN;

    s.source = malloc((evidence_count(evidence) + 1) * sizeof *s.source);
    if (s.source && response_sources(evidence, false, call, context, s.source)
        && explain_all(&s))
        certainty = say_sources(&s, text);
    free(s.source);
    return certainty;
}

struct response transpose_response(const struct matrix *m)
{
    return (struct response){.in = {"in", m->in, m->in, {m->rows * m->cols}},
                             .context = m, .explain = explain,
                             .hint = "Which thread stores this element, and "
                                     "from where? With a tile: which thread "
                                     "stored that place of it?"};
}
