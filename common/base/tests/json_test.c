/* SPDX-License-Identifier: MIT */
/* Members of JSON objects: values, and defaults for whatever is wrong. */
#include <errno.h>
#include <string.h>

#include "common/base/json_file.h"
#include "common/base/json_member.h"
#include "scratch.h"

static json_t *object; /* of the test that runs */

/* The object that the other functions read. */
static void parse(const char *text)
{
    object = json_loads(text, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(object);
}

/* A value of each type. */
static void values_are_read(void)
{
    unsigned index[3];

    parse("{\"t\": \"x\", \"n\": 7, \"r\": 0.5, \"i\": [1, 2147483647, 3]}");
    CU_ASSERT_STRING_EQUAL(member_text(object, "t", "?"), "x");
    CU_ASSERT_EQUAL(member_count(object, "n"), 7);
    CU_ASSERT_EQUAL(member_int(object, "n", 7), 7);
    CU_ASSERT_EQUAL(member_number(object, "r"), 0.5);
    CU_ASSERT_EQUAL(member_number(object, "n"), 7);
    member_index(object, "i", index);
    CU_ASSERT_TRUE(index[0] == 1 && index[1] == 2147483647 && index[2] == 3);
    json_decref(object);
}

/* A member of another type counts as absent. */
static void wrong_types_are_missing(void)
{
    unsigned index[3] = {9, 9, 9};

    parse("{\"t\": 4, \"n\": \"7\", \"r\": [1], \"i\": [null, 0.5]}");
    CU_ASSERT_STRING_EQUAL(member_text(object, "t", "?"), "?");
    CU_ASSERT_PTR_NULL(member_text(NULL, "t", NULL));
    CU_ASSERT_EQUAL(member_count(object, "n"), 0);
    CU_ASSERT_EQUAL(member_int(object, "absent", 7), 0);
    CU_ASSERT_EQUAL(member_number(object, "r"), 0);
    member_index(object, "i", index);
    CU_ASSERT_TRUE(index[0] == 0 && index[1] == 0 && index[2] == 0);
    json_decref(object);
}

/* Values that the type cannot hold count as absent. */
static void values_out_of_range_are_zero(void)
{
    unsigned index[3];

    parse("{\"n\": -1, \"m\": 8, \"r\": 1e18, \"s\": -0.5, "
          "\"i\": [-1, 2147483648, 4294967297]}");
    CU_ASSERT_EQUAL(member_count(object, "n"), 0);
    CU_ASSERT_EQUAL(member_int(object, "m", 7), 0);
    CU_ASSERT_EQUAL(member_number(object, "r"), 0);
    CU_ASSERT_EQUAL(member_number(object, "s"), 0);
    member_index(object, "i", index);
    CU_ASSERT_TRUE(index[0] == 0 && index[1] == 0 && index[2] == 0);
    json_decref(object);
}

/* Of a value that is no JSON nothing is written. */
static void value_is_written(void)
{
    char path[PATH_BYTES];
    json_t *read;

    parse("{\"a\": [1, 0.25]}");
    CU_ASSERT_TRUE(write_json(scratch_path(path, "a.json"), object,
                              JSON_INDENT(1)));
    read = json_load_file(path, 0, NULL);
    CU_ASSERT_TRUE(json_equal(object, read));
    CU_ASSERT_FALSE(write_json(scratch_path(path, "none.json"), NULL, 0));
    CU_ASSERT_EQUAL(errno, EINVAL);
    CU_ASSERT_EQUAL(file_size(path), 0);
    json_decref(read);
    json_decref(object);
}

CU_TestInfo json_tests[] = {
    {"values are read", values_are_read},
    {"members of a wrong type are missing", wrong_types_are_missing},
    {"values out of range are 0", values_out_of_range_are_zero},
    {"a value is written to a file", value_is_written},
    CU_TEST_INFO_NULL,
};
