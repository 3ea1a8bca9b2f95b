/* SPDX-License-Identifier: MIT */
/* Comparing an output with a reference computed in double. */
#include "compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t element_bytes(enum element type)
{
    static const size_t bytes[] = {4, 4, 1, 8, 4, 4};

    return bytes[type];
}

double element_value(const void *array, enum element type, size_t index)
{
    const unsigned char *at =
        (const unsigned char *)array + index * element_bytes(type);
    double real;
    float single;
    uint32_t bits;
    int32_t whole;

    switch (type) {
    case FLOAT32:
        memcpy(&single, at, sizeof single);
        return single;
    case INT32:
        memcpy(&whole, at, sizeof whole);
        return whole;
    case UINT32:
    case BITS32:
        memcpy(&bits, at, sizeof bits);
        return bits;
    case UINT8:
        return *at;
    default:
        memcpy(&real, at, sizeof real);
        return real;
    }
}

bool is_real(enum element type)
{
    return type == FLOAT32 || type == FLOAT64;
}

/* NaN unsigned */
void element_format(enum element type, double value, int digits, char *text,
                    size_t bytes)
{
    if (is_real(type))
        snprintf(text, bytes, "%.*g", digits, isnan(value) ? NAN : value);
    else if (type == BITS32)
        snprintf(text, bytes, "0x%08" PRIx32, (uint32_t)value);
    else
        snprintf(text, bytes, "%.0f", value);
}

static unsigned rank(const struct expected *expected)
{
    unsigned count = 1;

    while (count < EXPECTED_DIMS && expected->size[count])
        count++;
    return count;
}

size_t expected_count(const struct expected *expected)
{
    size_t count = 1;

    for (unsigned i = 0; i < rank(expected); i++)
        count *= expected->size[i];
    return count;
}

/* k * steps * eps * scale, as compare.h derives it. */
double element_tolerance(const struct expected *expected, size_t i)
{
    double eps = expected->type == FLOAT64 ? 0x1p-53 : 0x1p-24;
    double scale =
        expected->scale ? expected->scale[i] : fabs(expected->want[i]);

    return 2 * expected->steps * eps * scale;
}

static bool is_equal(const struct expected *expected, size_t i, double got)
{
    double want = expected->want[i];

    if (expected->type == FLOAT32)
        want = (float)want;
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got);
    if (got == want)
        return true;
    if (isinf(want) || isinf(got) || expected->steps == 0)
        return false;
    return fabs(got - expected->want[i]) <= element_tolerance(expected, i);
}

/* Is each float the expected one, or within no tolerance of it?  The usual
 * answer, by a loop that the compiler makes vectors of; NaN is left to
 * is_equal(). */
static bool all_floats_equal(const struct expected *expected, size_t count)
{
    const float *got = expected->got;
    size_t other = 0;

    if (expected->type != FLOAT32 || (uintptr_t)got % sizeof *got)
        return false;
    for (size_t i = 0; i < count; i++)
        other += !(got[i] == (float)expected->want[i]);
    return other == 0;
}

bool compare(const struct expected *expected, struct comparison *out)
{
    size_t count = expected_count(expected);

    *out = (struct comparison){.count = count};
    out->wrong_mask = calloc(count + 1, 1);
    if (!out->wrong_mask)
        return false;
    if (all_floats_equal(expected, count))
        return true;
    for (size_t i = 0; i < count; i++) {
        double got = element_value(expected->got, expected->type, i);

        if (is_equal(expected, i, got))
            continue;
        out->wrong_mask[i] = 1;
        if (out->wrong++ == 0) {
            out->first = i;
            out->got = got;
            out->want = expected->want[i];
        }
    }
    return true;
}

void element_name(const struct expected *expected, size_t index, char *text,
                  size_t bytes)
{
    unsigned count = rank(expected);
    size_t at[EXPECTED_DIMS], used = (size_t)snprintf(text, bytes, "%s",
                                                      expected->name);

    for (unsigned i = count; i-- > 0;) {
        at[i] = expected->size[i] ? index % expected->size[i] : 0;
        index = expected->size[i] ? index / expected->size[i] : 0;
    }
    for (unsigned i = 0; i < count && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "[%zu]", at[i]);
}
