/* SPDX-License-Identifier: MIT */
/* Values of the wrong elements. */
#include "diagnose.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/softgpu/core/core.h"
#include "hypothesis.h"

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

bool diagnose_first(diagnosis_rule *const *rules,
                    const struct evidence *evidence, char *text)
{
    for (; *rules; rules++)
        if ((*rules)(evidence, text))
            return true;
    text[0] = 0;
    return false;
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

/* SOFTGPU_POISON fills fresh global memory with this byte. */
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

bool evidence_is_unwritten(const struct evidence *e, size_t index)
{
    return element_bytes(e->expected->type) >= 4
           && ((e->poison && is_poison(e, index))
               || (!e->on_device && is_uninitialized(e, index)));
}

/* An array of the host is a copy of device memory that was not written. */
static bool is_unwritten(const struct evidence *e)
{
    return (e->poison && holds_for_all_wrong(e, is_poison, 1))
           || (!e->on_device && holds_for_all_wrong(e, is_uninitialized, 1));
}

/* Written, with the content of allocated memory. */
static bool copied_uninitialized(const struct evidence *e, char *text)
{
    return e->on_device && holds_for_all_wrong(e, is_uninitialized, 1)
           && set_text(text, "they were read from memory that nobody wrote");
}

/* Shared memory and fragments are filled with patterns of their own.
 * Arithmetic keeps the pattern of a NaN of type float. */
static bool has_pattern(const struct evidence *e, size_t i, uint16_t pattern)
{
    const size_t bytes = element_bytes(e->expected->type);
    const char *at = (const char *)e->expected->got + i * bytes;

    for (size_t k = 0; k < bytes; k += sizeof pattern)
        if (bytes < sizeof pattern || memcmp(at + k, &pattern, sizeof pattern))
            return false;
    return true;
}

static bool is_shared_poison(const struct evidence *e, size_t i)
{
    return has_pattern(e, i, SOFTGPU_SHARED_POISON);
}

static bool is_fragment_poison(const struct evidence *e, size_t i)
{
    return has_pattern(e, i, SOFTGPU_FRAGMENT_POISON);
}

static bool read_unfilled_fragment(const struct evidence *e, char *text)
{
    return holds_for_all_wrong(e, is_fragment_poison, 1)
           && set_text(text, "added to a fragment that nothing was put into: "
                       "fill_fragment() sets the accumulator to 0");
}

static bool read_unwritten_shared(const struct evidence *e, char *text)
{
    size_t found = 0;

    for (size_t i = 0; i < evidence_count(e); i++)
        found += e->comparison->wrong_mask[i] && is_shared_poison(e, i);
    if (found == e->comparison->wrong)
        return set_text(text, "read from shared memory that nobody wrote");
    if (found > 0)
        snprintf(text, DIAGNOSIS_SIZE,
                 "%zu of them were read from shared memory that nobody wrote",
                 found);
    return found > 0;
}

static bool is_zero(const struct evidence *e, size_t i)
{
    return evidence_got(e, i) == 0;
}

/* The launch has fewer threads than elements, and exactly the elements past
 * them are wrong. */
static bool too_few_threads(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;
    uint64_t threads = 1;

    if (!f || f->launches != 1
        || !(is_unwritten(e) || holds_for_all_wrong(e, is_zero, 1)))
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

/* An output in host memory, and no byte left the device: kernels ran, but
 * nothing that they stored arrived. */
static bool not_copied_back(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;

    if (!f || e->on_device || !f->counted || f->launches == 0
        || f->graph_launches || f->managed_bytes || f->d2h_bytes
        || e->comparison->wrong != evidence_count(e) || !is_unwritten(e))
        return false;
    return set_text(text, "they were never written: nothing was copied from "
                    "the device to the host");
}

/* A copy to the host that ends early: its length may be that of the elements,
 * where bytes are asked for. */
static bool copied_in_part(const struct evidence *e, char *text)
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

/* A correct output came before, and now nothing at all was written.  Of a few
 * elements after many, a lost tail may be all. */
static bool stopped_writing(const struct evidence *e)
{
    enum { FEW = 32 };

    return e->previous && e->comparison->wrong == evidence_count(e)
           && (evidence_count(e) >= FEW
               || e->previous_count <= evidence_count(e))
           && e->facts && e->facts->launches > 0;
}

static const char coverage_hint[] =
    "No thread stores these: does the grid cover all rows and all columns, is "
    "each bounds check that of its own dimension, and does a thread return "
    "before it stores?";

/* Did as many bytes come to the host as the output has? */
static bool was_copied_back(const struct evidence *e)
{
    return e->facts
           && e->facts->d2h_bytes
                  >= evidence_count(e) * element_bytes(e->expected->type);
}

/* Some elements of an array of two or more dimensions, by a kernel. */
static bool is_part_of_matrix(const struct evidence *e)
{
    return (e->on_device || was_copied_back(e)) && e->expected->size[1] > 1
           && e->facts
           && e->facts->launches > 0
           && !isnan(evidence_got(e, e->comparison->first))
           && e->comparison->wrong < evidence_count(e);
}

static bool never_written(const struct evidence *e, char *text)
{
    if (!is_unwritten(e))
        return false;
    if (stopped_writing(e))
        return set_text(text, "they were never written, though an earlier call "
                        "wrote them: does a __device__ variable or the "
                        "workspace keep something, as a counter that is not "
                        "reset?");
    if (e->facts && e->facts->launches == 0 && e->facts->graph_launches == 0)
        return set_text(text,
                        "they were never written, and no kernel was launched");
    return set_text(text, isnan(evidence_got(e, e->comparison->first))
                              ? "they were never written, or computed from "
                                "what was in the memory before, which was NaN"
                              : "they were never written");
}

/* A small integer or an address whose bits are read as a float. */
static bool is_subnormal(const struct evidence *e, size_t i)
{
    const double got = fabs(evidence_got(e, i));

    return e->expected->type == FLOAT32 && got > 0 && got < 0x1p-126;
}

/* What a register holds that was never set is mostly that; beside larger terms
 * it does not show. */
static bool unset_variable(const struct evidence *e, char *text)
{
    return holds_for_all_wrong(e, is_subnormal, 1)
           && set_text(text, "they are the bits of an integer or an address: is "
                       "a local variable, or an element of a local array, added "
                       "to before it is set?");
}

/* Bytes that are 0 and 1 only, or two other neighbors, are all zero or off by
 * one whatever the mistake is. */
static bool has_few_values(const struct evidence *e)
{
    const double *want = e->expected->want;
    double low = want[0], high = want[0];

    for (size_t i = 0; i < evidence_count(e); i++) {
        low = fmin(low, want[i]);
        high = fmax(high, want[i]);
    }
    return e->expected->type == UINT8 && high - low < 8;
}

static bool all_zero(const struct evidence *e, char *text)
{
    return holds_for_all_wrong(e, is_zero, 2) && !has_few_values(e)
           && set_text(text, "they are all zero");
}

static bool is_nan(const struct evidence *e, size_t i)
{
    return isnan(evidence_got(e, i));
}

/* NaN where the contract gives a number. */
static bool all_nan(const struct evidence *e, char *text)
{
    const double *scale = e->expected->scale;

    return holds_for_all_wrong(e, is_nan, 1)
           && !(scale && isnan(scale[e->comparison->first])) /* expected */
           && set_text(text, "they are NaN: infinity minus infinity, 0 times "
                       "infinity, 0 divided by 0, or NaN from memory?");
}

/* A float32 whose low mantissa bits are 0 is representable in fewer bits.  A
 * number whose expected value is representable as well is no evidence. */
static bool has_few_bits(const struct evidence *e, size_t i, int zeros)
{
    const float got = (float)evidence_got(e, i);
    uint32_t bits;

    memcpy(&bits, &got, sizeof bits);
    return isfinite(got) && (bits & ((1u << zeros) - 1)) == 0;
}

static bool is_rounded(const struct evidence *e, int zeros)
{
    size_t telling = 0;

    for (size_t i = 0; i < evidence_count(e); i++) {
        const float want = (float)e->expected->want[i];
        uint32_t bits;

        if (!e->comparison->wrong_mask[i])
            continue;
        if (!has_few_bits(e, i, zeros))
            return false;
        memcpy(&bits, &want, sizeof bits);
        telling += evidence_got(e, i) != 0 && bits << (32 - zeros) != 0;
    }
    return telling >= 3;
}

/* Within the precision of a bfloat16, or too small for a half. */
static bool is_near(const struct evidence *e, size_t i)
{
    const double want = e->expected->want[i];

    return fabs(evidence_got(e, i) - want) <= fabs(want) * 0x1p-6 + 0x1p-14;
}

/* bfloat16 has 8 bits of mantissa, a half and TF32 have 11. */
static bool fewer_mantissa_bits(const struct evidence *e, char *text)
{
    if (e->expected->type != FLOAT32 || !holds_for_all_wrong(e, is_near, 3))
        return false;
    if (is_rounded(e, 16))
        return set_text(text, "each wrong element has only 8 bits of mantissa: "
                        "a bfloat16");
    return is_rounded(e, 13)
           && set_text(text, "each wrong element has only 11 bits of "
                       "mantissa: a half");
}

static bool is_close(const struct evidence *e, size_t i)
{
    double want = e->expected->want[i];

    if (!is_real(e->expected->type))
        return fabs(evidence_got(e, i) - want) <= 1;
    return isfinite(want)
           && fabs(evidence_got(e, i) - want) <= fabs(want) * 0x1p-8;
}

/* The largest float, or near it, where infinity is expected. */
static bool is_finite_for_infinity(const struct evidence *e, size_t i)
{
    return isinf(e->expected->want[i]) && isfinite(evidence_got(e, i))
           && fabs(evidence_got(e, i)) > 1e38;
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
    const enum element type = e->expected->type;

    if (type == BITS32 || !holds_for_all_wrong(e, is_close, 1))
        return false;
    if (type == UINT8)
        return e->comparison->wrong >= 4 && !has_few_values(e)
               && set_text(text, "they are off by one: how is it rounded?");
    if (!is_real(type))
        return set_text(text,
                        "they are off by one: is something counted twice, or "
                        "left out?");
    return set_text(text,
                    "they are close, but outside of float's tolerance: was it "
                    "computed in lower precision, or is a small term wrong?");
}

enum certainty diagnose_values(const struct evidence *evidence, char *text,
                               const char **hint)
{
    static diagnosis_rule *const causes[] = {
        too_few_threads, not_copied_back, copied_in_part, unset_variable,
        finite_for_infinity, fewer_mantissa_bits, read_unfilled_fragment,
        NULL};
    static diagnosis_rule *const facts[] = {all_zero, all_nan, rounding_error,
                                            NULL};
    enum certainty certainty;

    *hint = "";
    if (diagnose_first(causes, evidence, text))
        return CERTAIN;
    *hint = NULL;
    if (never_written(evidence, text)) {
        *hint = stopped_writing(evidence)    ? ""
                : is_part_of_matrix(evidence) ? coverage_hint : NULL;
        return VAGUE;
    }
    if (copied_uninitialized(evidence, text)
        || read_unwritten_shared(evidence, text))
        return VAGUE;
    certainty = diagnose_mistake(evidence, text, hint);
    if (certainty != UNKNOWN)
        return certainty;
    return diagnose_first(facts, evidence, text) ? VAGUE : UNKNOWN;
}
