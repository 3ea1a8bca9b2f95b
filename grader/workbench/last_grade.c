/* SPDX-License-Identifier: MIT */
/* Score and first failing test, from result.json. */
#include "last_grade.h"

#include <jansson.h>
#include <string.h>

#include "common/base/text.h"

void last_grade_read(const char *path, struct last_grade *last)
{
    json_t *root = json_load_file(path, 0, NULL), *test;
    size_t i;

    *last = (struct last_grade){0};
    last->is_complete =
        root
        && json_number_value(json_object_get(root, "score"))
               >= json_number_value(json_object_get(root, "max_score"));
    json_array_foreach(json_object_get(root, "tests"), i, test)
    {
        const char *verdict =
            json_string_value(json_object_get(test, "verdict"));
        const char *name = json_string_value(json_object_get(test, "name"));

        if (*last->failing || !verdict || !name || !strcmp(verdict, "PASS"))
            continue;
        text_format(last->failing, sizeof last->failing, "%.63s", name);
        last->is_wrong = !strcmp(verdict, "WRONG");
    }
    json_decref(root);
}
