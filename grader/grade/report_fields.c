/* SPDX-License-Identifier: MIT */
/* Ranges of a report's members.  A report comes from the process of the
 * submission: its numbers go into the model's integer arithmetic only when a
 * GPU could have them. */
#include "report_fields.h"

#include <stdint.h>
#include <string.h>

#include "common/base/text.h"

enum {
    MAX_DEPTH = 8,
    MAX_MEMBERS = 256,     /* of an object */
    MAX_ELEMENTS = 8192,   /* of an array */
    MAX_VALUES = 1 << 18,  /* of the whole report */
    MAX_TEXT = 8192,       /* bytes of a text; twice PATH_MAX */
    MAX_THREADS_A_BLOCK = 1024
};

/* Of keys that are not in the table: counts and nanoseconds. */
static const json_int_t max_count = (json_int_t)1 << 50;
static const double max_real = 1e18;

/* Inclusive ranges of integers, by key; elements of an array have its key. */
static const struct {
    const char *key;
    json_int_t least, most;
} ranges[] = {
    {"schema", 1, 1},
    {"line", 0, 1 << 24},
    {"column", 0, 1 << 16},
    {"other_line", 0, 1 << 24},
    {"other_column", 0, 1 << 16},
    {"grid", 0, INT32_MAX},
    {"block", 0, INT32_MAX}, /* of a finding: blockIdx */
    {"thread", 0, MAX_THREADS_A_BLOCK - 1},
    {"launches", 0, (json_int_t)1 << 32},
    {"blocks", 0, (json_int_t)1 << 40},
    {"blocks_watched", 0, (json_int_t)1 << 40},
    {"static_shared", 0, 1 << 20},
    {"dynamic_shared", 0, 1 << 20},
    {"registers", 0, 4096},
    {"registers_measured", 0, 1},
    {"bytes", 0, 1 << 20}, /* of an access; TMA moves whole tiles */
    {"warp", 0, INT32_MAX},
    {"lanes", -1, (json_int_t)1 << 48},
    {"spans", -1, (json_int_t)1 << 50},
};

/* Where the check is, and what it found. */
struct check {
    size_t values;
    const char *key; /* of the value, or of the array that it is in */
    char *reason;
    size_t bytes;
};

static bool refuse(struct check *check, const char *what)
{
    text_format(check->reason, check->bytes, "its member %.40s %s", check->key,
                what);
    make_printable(check->reason);
    return false;
}

static bool integer_is_in_range(const json_t *value, struct check *check)
{
    const json_int_t number = json_integer_value(value);
    json_int_t least = 0, most = max_count;

    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (!strcmp(ranges[i].key, check->key)) {
            least = ranges[i].least;
            most = ranges[i].most;
        }
    return (number >= least && number <= most)
           || refuse(check, "is out of range");
}

static bool value_is_in_range(const json_t *value, int depth,
                              struct check *check);

static bool array_is_in_range(const json_t *array, int depth,
                              struct check *check)
{
    const char *key = check->key;
    const json_t *element;
    size_t i;

    if (json_array_size(array) > MAX_ELEMENTS)
        return refuse(check, "has too many elements");
    json_array_foreach(array, i, element) {
        check->key = key;
        if (!value_is_in_range(element, depth + 1, check))
            return false;
    }
    return true;
}

static bool object_is_in_range(const json_t *object, int depth,
                               struct check *check)
{
    const char *key;
    json_t *member;

    if (json_object_size(object) > MAX_MEMBERS)
        return refuse(check, "has too many members");
    json_object_foreach((json_t *)object, key, member) {
        check->key = key;
        if (!value_is_in_range(member, depth + 1, check))
            return false;
    }
    return true;
}

static bool real_is_in_range(double real, struct check *check)
{
    const double least = strcmp(check->key, "gain_us") ? 0
                                                       : -1; /* not known */

    return (real >= least && real <= max_real)
           || refuse(check, "is out of range");
}

static bool value_is_in_range(const json_t *value, int depth,
                              struct check *check)
{
    if (depth > MAX_DEPTH || ++check->values > MAX_VALUES)
        return refuse(check, "lies too deep, or is one too many");
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return object_is_in_range(value, depth, check);
    case JSON_ARRAY:
        return array_is_in_range(value, depth, check);
    case JSON_STRING:
        return json_string_length(value) <= MAX_TEXT
               || refuse(check, "is too long");
    case JSON_INTEGER:
        return integer_is_in_range(value, check);
    case JSON_REAL:
        return real_is_in_range(json_real_value(value), check);
    default:
        return true;
    }
}

/* A kernel's blockDim: three numbers from 1, of at most 1024 threads. */
static bool block_is_possible(const json_t *kernel, struct check *check)
{
    const json_t *block = json_object_get(kernel, "block");
    json_int_t threads = 1;

    check->key = "block";
    for (size_t i = 0; i < json_array_size(block); i++) {
        const json_int_t n = json_integer_value(json_array_get(block, i));

        if (n > MAX_THREADS_A_BLOCK)
            return refuse(check, "is out of range");
        threads *= n;
    }
    return (json_array_size(block) <= 3 && threads <= MAX_THREADS_A_BLOCK)
           || refuse(check, "has too many threads");
}

bool report_is_in_range(const json_t *report, char *reason, size_t bytes)
{
    struct check check = {.key = "report", .reason = reason, .bytes = bytes};
    const json_t *kernels = json_object_get(report, "kernels"), *kernel;
    size_t i;

    if (!json_is_array(json_object_get(report, "findings"))
        || !json_is_array(kernels)) {
        text_format(reason, bytes, "it has not the expected form");
        return false;
    }
    if (!value_is_in_range(report, 0, &check))
        return false;
    json_array_foreach(kernels, i, kernel)
        if (!block_is_possible(kernel, &check))
            return false;
    return true;
}
