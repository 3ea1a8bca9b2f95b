/* SPDX-License-Identifier: MIT */
/* What is in the wrong elements. */
#include "diagnose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A test of one wrong element. */
typedef bool element_test(const struct evidence *e, size_t i);

size_t evidence_count(const struct evidence *e)
{
    return e->comparison->count;
}

double evidence_got(const struct evidence *e, size_t index)
{
    return element_at(e->expected->got, e->expected->type, index);
}

void diagnose_first(diagnosis_rule *const *rules,
                    const struct evidence *evidence, char *text)
{
    for (; *rules; rules++)
        if ((*rules)(evidence, text))
            return;
    text[0] = 0;
}

/* True when the test holds for all wrong elements, at least `least` of them. */
static bool all_wrong(const struct evidence *e, element_test *test,
                      size_t least)
{
    if (e->comparison->wrong < least)
        return false;
    for (size_t i = 0; i < evidence_count(e); i++)
        if (e->comparison->bad[i] && !test(e, i))
            return false;
    return true;
}

static bool say(char *text, const char *words)
{
    snprintf(text, DIAGNOSIS_TEXT, "%s", words);
    return true;
}

static bool is_poison(const struct evidence *e, size_t i)
{
    size_t bytes = element_bytes(e->expected->type);

    return memcmp((const char *)e->expected->got + i * bytes,
                  e->poison + i * bytes, bytes) == 0;
}

/* SOFTGPU_POISON fills fresh device memory with this byte. */
static bool is_fresh(const struct evidence *e, size_t i)
{
    size_t bytes = element_bytes(e->expected->type);
    const unsigned char *at =
        (const unsigned char *)e->expected->got + i * bytes;

    for (size_t k = 0; k < bytes; k++)
        if (at[k] != 0xCB)
            return false;
    return true;
}

static bool unwritten(const struct evidence *e)
{
    return (e->poison && all_wrong(e, is_poison, 1))
           || all_wrong(e, is_fresh, 1);
}

/* The launch has fewer threads than elements, and exactly the elements past
 * them are wrong. */
static bool no_thread(const struct evidence *e, char *text)
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
    snprintf(text, DIAGNOSIS_TEXT,
             "%u block%s of %u threads are %llu threads, for %zu elements: "
             "round the number of blocks up",
             f->grid[0], f->grid[0] == 1 ? "" : "s", f->block[0],
             (unsigned long long)threads, evidence_count(e));
    return true;
}

static bool never_written(const struct evidence *e, char *text)
{
    if (!unwritten(e))
        return false;
    if (e->facts && e->facts->launches == 0 && e->facts->replays == 0)
        return say(text, "they were never written, and no kernel was launched");
    return say(text, "they were never written");
}

static bool is_zero(const struct evidence *e, size_t i)
{
    return evidence_got(e, i) == 0;
}

static bool zeros(const struct evidence *e, char *text)
{
    return all_wrong(e, is_zero, 2) && say(text, "they are all zero");
}

static bool is_nan(const struct evidence *e, size_t i)
{
    return isnan(evidence_got(e, i));
}

static bool nans(const struct evidence *e, char *text)
{
    const double *scale = e->expected->scale;

    return all_wrong(e, is_nan, 1)
           && !(scale && isnan(scale[e->comparison->first])) /* the input's */
           && say(text, "NaN: was something read that was never written, or "
                        "infinity taken from itself, or 0 divided by 0?");
}

static bool is_input(const struct evidence *e, size_t i)
{
    return evidence_got(e, i)
           == element_at(e->expected->input, e->expected->type, i);
}

static bool copied(const struct evidence *e, char *text)
{
    return e->expected->input && all_wrong(e, is_input, 2)
           && say(text, "they hold the input, unchanged");
}

static bool is_previous(const struct evidence *e, size_t i)
{
    return i < e->previous_count && evidence_got(e, i) == e->previous[i];
}

static bool stale(const struct evidence *e, char *text)
{
    return e->previous && all_wrong(e, is_previous, 2)
           && say(text, "they hold the result of the call before");
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
           && all_wrong(e, is_transposed, 3)
           && say(text, "rows and columns are exchanged");
}

static bool is_next(const struct evidence *e, size_t i)
{
    return i + 1 >= evidence_count(e)
           || evidence_got(e, i) == e->expected->want[i + 1];
}

static bool is_before(const struct evidence *e, size_t i)
{
    return i == 0 || evidence_got(e, i) == e->expected->want[i - 1];
}

static bool shifted(const struct evidence *e, char *text)
{
    if (all_wrong(e, is_next, 3))
        return say(text, "each holds what belongs one place later: an index "
                         "is off by one");
    return all_wrong(e, is_before, 3)
           && say(text, "each holds what belongs one place earlier: an index "
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
        || !all_wrong(e, is_scaled, 3))
        return false;
    snprintf(text, DIAGNOSIS_TEXT, "each is %g times what it should be",
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

/* An infinity is due, and some number is there. */
static bool is_bounded(const struct evidence *e, size_t i)
{
    return isinf(e->expected->want[i]) && isfinite(evidence_got(e, i));
}

static bool bounded(const struct evidence *e, char *text)
{
    return all_wrong(e, is_bounded, 1)
           && say(text, "no number is as large: is one such as FLT_MAX used "
                        "for infinity?");
}

/* Bytes are rounded; whole numbers of 4 bytes are counts. */
static bool rounded(const struct evidence *e, char *text)
{
    if (!all_wrong(e, is_close, 1))
        return false;
    if (e->expected->type == UINT8)
        return say(text, "they are off by one: how is it rounded?");
    if (e->expected->type == INT32)
        return say(text, "they are off by one: is something counted twice, or "
                         "left out?");
    return say(text, "they are close, but too far off for float: was it "
                     "computed in fewer bits, or is a small term not as it "
                     "should be?");
}

void diagnose_what(const struct evidence *evidence, char *text)
{
    static diagnosis_rule *const rules[] = {
        no_thread,  never_written, zeros,  nans,    stale, copied,
        transposed, shifted,       scaled, bounded, rounded, NULL};

    diagnose_first(rules, evidence, text);
}
