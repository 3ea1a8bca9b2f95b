/* SPDX-License-Identifier: MIT */
/* Members of JSON objects: see json_member.h. */
#include "json_member.h"

const char *member_text(const json_t *object, const char *key,
                        const char *missing)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : missing;
}

uint64_t member_count(const json_t *object, const char *key)
{
    const json_int_t value = json_integer_value(json_object_get(object, key));

    return value > 0 ? (uint64_t)value : 0;
}

int member_int(const json_t *object, const char *key, int max)
{
    const json_int_t value = json_integer_value(json_object_get(object, key));

    return value > 0 && value <= max ? (int)value : 0;
}

double member_number(const json_t *object, const char *key)
{
    const double value = json_number_value(json_object_get(object, key));

    return value > 0 && value < 1e18 ? value : 0;
}

void member_index(const json_t *object, const char *key, unsigned index[3])
{
    const json_t *list = json_object_get(object, key);

    for (size_t i = 0; i < 3; i++) {
        const json_int_t value = json_integer_value(json_array_get(list, i));

        index[i] = value > 0 && value <= INT32_MAX ? (unsigned)value : 0;
    }
}
