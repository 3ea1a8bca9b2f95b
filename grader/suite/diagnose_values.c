/* SPDX-License-Identifier: MIT */
/* Values of the wrong elements. */
#include "diagnose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A condition on one wrong element. */
typedef bool element_test(const struct evidence *e, size_t i);

size_t evidence_count(const struct evidence *e)
{
    return e->comparison->count;
}

double evidence_got(const struct evidence *e, size_t index)
{
    return element_value(e->expected->got, e->expected->type, index);
}

void diagnose_first(diagnosis_rule *const *rules,
                    const struct evidence *evidence, char *text)
{
    for (; *rules; rules++)
        if ((*rules)(evidence, text))
            return;
    text[0] = 0;
}

/* True when the condition holds for all wrong elements, at least `least`. */
static bool holds_for_all_wrong(const struct evidence *e, element_test *test,
                                size_t least)
{
    if (e->comparison->wrong < least)
        return false;
    for (size_t i = 0; i < evidence_count(e); i++)
        if (e->comparison->wrong_mask[i] && !test(e, i))
            return false;
    return true;
}

static bool set_text(char *text, const char *words)
{
    snprintf(text, DIAGNOSIS_SIZE, "%s", words);
    return true;
}

static bool is_poison(const struct evidence *e, size_t i)
{
    size_t bytes = element_bytes(e->expected->type);

    return memcmp((const char *)e->expected->got + i * bytes,
                  e->poison + i * bytes, bytes) == 0;
}

/* SOFTGPU_POISON fills fresh device memory with this byte. */
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

static bool is_unwritten(const struct evidence *e)
{
    return (e->poison && holds_for_all_wrong(e, is_poison, 1))
           || holds_for_all_wrong(e, is_uninitialized, 1);
}

/* The launch has fewer threads than elements, and exactly the elements past
 * them are wrong. */
static bool too_few_threads(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;
    uint64_t threads = 1;

    if (!f || f->launches != 1)
        return false;
    for (int i = 0; i < 3; i++)
        threads *= (uint64_t)f->grid[i] * f->block[i];
    if (!threads /* launches are not counted here */
        || threads >= evidence_count(e) || e->comparison->first != threads
        || e->comparison->wrong != evidence_count(e) - threads)
        return false;
    snprintf(text, DIAGNOSIS_SIZE,
             "%u block%s of %u threads are %llu threads, for %zu elements: "
             "round the number of blocks up",
             f->grid[0], f->grid[0] == 1 ? "" : "s", f->block[0],
             (unsigned long long)threads, evidence_count(e));
    return true;
}

static bool never_written(const struct evidence *e, char *text)
{
    if (!is_unwritten(e))
        return false;
    if (e->facts && e->facts->launches == 0 && e->facts->graph_launches == 0)
        return set_text(text,
                        "they were never written, and no kernel was launched");
    return set_text(text, "they were never written");
}

static bool is_zero(const struct evidence *e, size_t i)
{
    return evidence_got(e, i) == 0;
}

static bool all_zero(const struct evidence *e, char *text)
{
    return holds_for_all_wrong(e, is_zero, 2)
           && set_text(text, "they are all zero");
}

static bool is_nan(const struct evidence *e, size_t i)
{
    return isnan(evidence_got(e, i));
}

static bool all_nan(const struct evidence *e, char *text)
{
    const double *scale = e->expected->scale;

    return holds_for_all_wrong(e, is_nan, 1)
           && !(scale && isnan(scale[e->comparison->first])) /* expected */
           && set_text(text, "NaN: an uninitialized read, infinity minus "
                       "infinity, or 0 divided by 0?");
}

static bool is_input(const struct evidence *e, size_t i)
{
    return evidence_got(e, i)
           == element_value(e->expected->input, e->expected->type, i);
}

static bool equals_input(const struct evidence *e, char *text)
{
    return e->expected->input && holds_for_all_wrong(e, is_input, 2)
           && set_text(text, "they equal the input");
}

static bool is_previous(const struct evidence *e, size_t i)
{
    return i < e->previous_count && evidence_got(e, i) == e->previous[i];
}

static bool stale(const struct evidence *e, char *text)
{
    return e->previous && holds_for_all_wrong(e, is_previous, 2)
           && set_text(text, "they equal the previous call's result");
}

static bool is_transposed(const struct evidence *e, size_t i)
{
    size_t rows = e->expected->size[0], cols = e->expected->size[1];

    return evidence_got(e, i) == e->expected->want[i % rows * cols + i / rows];
}

static bool transposed(const struct evidence *e, char *text)
{
    const size_t *size = e->expected->size;

    return size[0] > 1 && size[1] > 1 && !size[2]
           && holds_for_all_wrong(e, is_transposed, 3)
           && set_text(text, "rows and columns are exchanged");
}

static bool equals_next(const struct evidence *e, size_t i)
{
    return i + 1 >= evidence_count(e)
           || evidence_got(e, i) == e->expected->want[i + 1];
}

static bool equals_previous(const struct evidence *e, size_t i)
{
    return i == 0 || evidence_got(e, i) == e->expected->want[i - 1];
}

static bool off_by_one(const struct evidence *e, char *text)
{
    if (holds_for_all_wrong(e, equals_next, 3))
        return set_text(text, "each has the next element's value: an index "
                        "is off by one");
    return holds_for_all_wrong(e, equals_previous, 3)
           && set_text(text, "each has the previous element's value: an index "
                       "is off by one");
}

static double ratio(const struct evidence *e, size_t i)
{
    return evidence_got(e, i) / e->expected->want[i];
}

static bool is_scaled(const struct evidence *e, size_t i)
{
    double scale = ratio(e, e->comparison->first);

    return fabs(ratio(e, i) - scale) <= 1e-5 * fabs(scale);
}

static bool scaled(const struct evidence *e, char *text)
{
    double scale = ratio(e, e->comparison->first);

    if (!isfinite(scale) || fabs(scale - 1) < 1e-3
        || !holds_for_all_wrong(e, is_scaled, 3))
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "each is %g times the expected value",
             scale);
    return true;
}

static bool is_close(const struct evidence *e, size_t i)
{
    double want = e->expected->want[i];

    if (e->expected->type == UINT8 || e->expected->type == INT32)
        return fabs(evidence_got(e, i) - want) <= 1;
    return fabs(evidence_got(e, i) - want) <= fabs(want) * 0x1p-8;
}

/* A finite number where infinity is expected. */
static bool is_finite_for_infinity(const struct evidence *e, size_t i)
{
    return isinf(e->expected->want[i]) && isfinite(evidence_got(e, i));
}

static bool finite_for_infinity(const struct evidence *e, char *text)
{
    return holds_for_all_wrong(e, is_finite_for_infinity, 1)
           && set_text(text, "finite instead of infinite: is FLT_MAX used for "
                       "infinity?");
}

/* Bytes are rounded values, 4-byte integers are counts. */
static bool rounding_error(const struct evidence *e, char *text)
{
    if (!holds_for_all_wrong(e, is_close, 1))
        return false;
    if (e->expected->type == UINT8)
        return set_text(text, "they are off by one: how is it rounded?");
    if (e->expected->type == INT32)
        return set_text(text,
                        "they are off by one: is something counted twice, or "
                        "left out?");
    return set_text(text,
                    "they are close, but outside of float's tolerance: was it "
                    "computed in lower precision, or is a small term wrong?");
}

void diagnose_values(const struct evidence *evidence, char *text)
{
    static diagnosis_rule *const rules[] = {
        too_few_threads, never_written,       all_zero,       all_nan,
        stale,           equals_input,        transposed,     off_by_one,
        scaled,          finite_for_infinity, rounding_error, NULL};

    diagnose_first(rules, evidence, text);
}
