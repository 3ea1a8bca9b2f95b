/* SPDX-License-Identifier: MIT */
/* The gradebook for Gradescope: results.json of its autograders. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/json_member.h"
#include "gradebook.h"

static const char *visibility_name(enum visibility visibility)
{
    static const char *const names[] = {"visible", "hidden",
                                        "after_due_date"};

    return names[visibility];
}

static json_t *test_to_json(const json_t *test, double scale)
{
    json_t *json = json_pack(
        "{ss ss sf sf}", "name", member_text(test, "name", "?"), "output",
        member_text(test, "message", ""), "score",
        scale * member_number(test, "score"), "max_score",
        scale * member_number(test, "max_score"));

    json_object_set_new(
        json, "status",
        json_string(strcmp(member_text(test, "verdict", ""), "PASS")
                    ? "failed" : "passed"));
    return json;
}

static json_t *tests_to_json(const struct cell *cell)
{
    static const char *const lists[] = {"tests", "checks", "costs", "speed"};
    const json_t *result = json_object_get(cell->result, "result"), *test;
    double scale = cell->raw_max > 0
                   ? cell->max / cell->raw_max * cell->factor : 0;
    json_t *all = json_array();
    size_t k;

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        json_array_foreach(json_object_get(result, lists[i]), k, test)
            json_array_append_new(all, test_to_json(test, scale));
    return all;
}

/* The object that an autograder leaves as results.json.  Without a mark there
 * is no score, which Gradescope shows as an error of the autograder. */
static json_t *cell_to_json(const struct gradebook *book, int lab,
                            const struct cell *cell)
{
    const struct course_lab *wanted = course_lab(&book->course,
                                                 book->stem[lab]);
    char *feedback = cell_feedback(book, cell);
    json_t *json = json_object();

    if (cell->state != CELL_PENDING)
        json_object_set_new(json, "score", json_real(cell->points));
    json_object_set_new(json, "output", json_string(feedback ? feedback : ""));
    json_object_set_new(json, "visibility",
                        json_string(visibility_name(wanted->visibility)));
    json_object_set_new(json, "stdout_visibility", json_string("hidden"));
    if (book->course.feedback == FEEDBACK_ALL)
        json_object_set_new(json, "tests", tests_to_json(cell));
    free(feedback);
    return json;
}

bool print_gradescope(FILE *out, const struct gradebook *book,
                      struct failure *failure)
{
    json_t *all;

    if (book->labs != 1)
        return fail(failure, "a result of Gradescope holds one lab: name it "
                    "by --lab");
    if (book->rows == 1) {
        all = cell_to_json(book, 0, &book->row[0].cell[0]);
    } else {
        all = json_object();
        for (size_t i = 0; i < book->rows; i++)
            json_object_set_new(all, book->row[i].student.id,
                                cell_to_json(book, 0, &book->row[i].cell[0]));
    }
    json_dumpf(all, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    fputc('\n', out);
    json_decref(all);
    return true;
}
