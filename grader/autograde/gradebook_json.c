/* SPDX-License-Identifier: MIT */
/* The gradebook for platforms that start an autograder for each submission:
 * Gradescope's results.json, Autolab's autoresult, GitHub Classroom's result of
 * a test runner. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/json_member.h"
#include "gradebook.h"

/* Gradescope's words. */
static const char *visibility_name(enum visibility visibility)
{
    static const char *const names[] = {"visible", "hidden",
                                        "after_due_date"};

    return names[visibility];
}

/* The visibility that two settings allow together: a test's own would overrule
 * that of the whole result. */
static enum visibility stricter(enum visibility a, enum visibility b)
{
    return a == HIDDEN || b == HIDDEN ? HIDDEN : a == VISIBLE ? b : a;
}

/* A test in Gradescope's format; only hidden tests name a visibility. */
static json_t *test_to_json(const json_t *test, double scale,
                            enum visibility hidden)
{
    json_t *json = json_pack(
        "{ss ss sf sf}", "name", member_text(test, "name", "?"), "output",
        test_reason(test), "score",
        scale * member_number(test, "score"), "max_score",
        scale * member_number(test, "max_score"));

    json_object_set_new(
        json, "status",
        json_string(strcmp(member_text(test, "verdict", ""), "PASS")
                    ? "failed" : "passed"));
    if (is_hidden_result(test))
        json_object_set_new(json, "visibility",
                            json_string(visibility_name(hidden)));
    return json;
}

/* Scores are scaled so that they sum to the cell's points after the deduction
 * for lateness. */
static void add_tests(json_t *all, const struct cell *cell,
                      enum visibility hidden)
{
    static const char *const lists[] = {"tests", "checks", "costs", "speed"};
    const json_t *result = json_object_get(cell_result(cell), "result"), *test;
    double scale = cell->raw_max > 0
                   ? cell->max / cell->raw_max * cell->factor : 0;
    size_t k;

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        json_array_foreach(json_object_get(result, lists[i]), k, test)
            json_array_append_new(all, test_to_json(test, scale, hidden));
}

/* The feedback as a test, which is as visible as the whole result; the output
 * of the submission might always be shown. */
static json_t *feedback_to_json(const char *feedback)
{
    return json_pack("{ss ss}", "name", "feedback", "output", feedback);
}

/* The object that an autograder leaves as results.json.  Without a mark there
 * is no score, which Gradescope shows as an error of the autograder. */
static json_t *cell_to_json(const struct gradebook *book, int lab,
                            const struct cell *cell)
{
    char *feedback = cell_feedback(book, cell);
    const struct course_lab wanted = *course_lab(&book->course,
                                                 book->stem[lab]);
    const bool is_open = wanted.visibility == VISIBLE;
    json_t *json = json_object(), *tests = json_array();

    if (cell->state != CELL_PENDING)
        json_object_set_new(json, "score", json_real(cell->points));
    if (is_open)
        json_object_set_new(json, "output",
                            json_string(feedback ? feedback : ""));
    else
        json_array_append_new(tests,
                              feedback_to_json(feedback ? feedback : ""));
    json_object_set_new(json, "visibility",
                        json_string(visibility_name(wanted.visibility)));
    json_object_set_new(json, "stdout_visibility", json_string("hidden"));
    if (book->course.feedback == FEEDBACK_ALL)
        add_tests(tests, cell, stricter(wanted.visibility, wanted.hidden));
    if (json_array_size(tests) || book->course.feedback == FEEDBACK_ALL)
        json_object_set(json, "tests", tests);
    json_decref(tests);
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

/* --- one submission ------------------------------------------------------- */

/* The only student's only lab. */
static const struct cell *only_cell(const struct gradebook *book,
                                    const char *format,
                                    struct failure *failure)
{
    if (book->labs == 1 && book->rows == 1)
        return &book->row[0].cell[0];
    fail(failure, "--format %s holds one lab of one student: name them by "
         "--lab and --student", format);
    return NULL;
}

/* These platforms show all of it at once. */
static bool shows_feedback(const struct gradebook *book)
{
    return cell_is_visible(book, 0, (int64_t)time(NULL));
}

/* The feedback, which Autolab shows, and the score as the last line.  Without a
 * mark there is no such line, which Autolab shows as an error. */
bool print_autoresult(FILE *out, const struct gradebook *book,
                      struct failure *failure)
{
    const struct cell *cell = only_cell(book, "autoresult", failure);
    const char *problem = book->labs ? strchr(book->stem[0], '_') : NULL;
    char *feedback;
    json_t *json;

    if (!cell)
        return false;
    feedback = shows_feedback(book) ? cell_feedback(book, cell) : NULL;
    fprintf(out, "%s\n", feedback ? feedback : "");
    free(feedback);
    if (cell->state == CELL_PENDING)
        return true;
    json = json_pack("{s{sf}}", "scores", problem ? problem + 1 : "score",
                     cell->points);
    json_dumpf(json, out, JSON_REAL_PRECISION(6));
    fputc('\n', out);
    json_decref(json);
    return true;
}

/* A test in GitHub Classroom's format. */
static json_t *classroom_test(const char *name, const char *message,
                              double score, double max)
{
    return json_pack("{ss ss sf ss ss ss si}", "name", name, "status",
                     score >= max ? "pass" : "fail", "score", score,
                     "message", message, "test_code", "", "filename", "",
                     "line_no", 0);
}

/* The scores of all tests; those of hidden ones, which alone have a visibility,
 * as one sum. */
static void add_classroom_tests(json_t *tests, const struct cell *cell,
                                bool shows_hidden)
{
    json_t *from = json_array(), *test;
    double score = 0, most = 0;
    size_t i;

    add_tests(from, cell, HIDDEN);
    json_array_foreach(from, i, test)
        if (!shows_hidden && json_object_get(test, "visibility")) {
            score += member_number(test, "score");
            most += member_number(test, "max_score");
        } else {
            json_array_append_new(tests, classroom_test(
                member_text(test, "name", "?"),
                member_text(test, "output", ""), member_number(test, "score"),
                member_number(test, "max_score")));
        }
    if (most > 0)
        json_array_append_new(tests, classroom_test("hidden tests", "", score,
                                                    most));
    json_decref(from);
}

/* The reporter adds the scores up: they are those of the tests, unless only the
 * sum may be shown or is known. */
bool print_classroom(FILE *out, const struct gradebook *book,
                     struct failure *failure)
{
    const struct cell *cell = only_cell(book, "classroom", failure);
    json_t *tests, *json;
    char *feedback;

    if (!cell)
        return false;
    tests = json_array();
    if (book->course.feedback == FEEDBACK_ALL && shows_feedback(book))
        add_classroom_tests(tests, cell, shows_hidden(book, book->stem[0]));
    feedback = shows_feedback(book) ? cell_feedback(book, cell) : NULL;
    if (!json_array_size(tests))
        json_array_append_new(tests, classroom_test(
            book->stem[0], feedback ? feedback : "", cell->points,
            cell->max));
    free(feedback);
    json = json_pack("{si ss sf so}", "version", 1, "status",
                     cell->state == CELL_PENDING ? "error"
                     : cell->points >= cell->max ? "pass" : "fail",
                     "max_score", cell->max, "tests", tests);
    json_dumpf(json, out, JSON_REAL_PRECISION(6));
    fputc('\n', out);
    json_decref(json);
    return true;
}
