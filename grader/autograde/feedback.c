/* SPDX-License-Identifier: MIT */
/* Feedback that students may see, and the choice of a format. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/json_member.h"
#include "gradebook.h"

/* AFTER_DUE without a deadline stays hidden. */
static bool is_visible(enum visibility visibility,
                       const struct deadline *deadline, int64_t now)
{
    return visibility == VISIBLE
           || (visibility == AFTER_DUE && deadline->seconds
               && now > deadline->seconds);
}

bool cell_is_visible(const struct gradebook *book, int lab, int64_t now)
{
    const struct course_lab *wanted = course_lab(&book->course,
                                                 book->stem[lab]);

    return is_visible(wanted->visibility, &wanted->deadline, now);
}

bool shows_hidden(const struct gradebook *book, const char *stem)
{
    const struct course_lab *wanted = course_lab(&book->course, stem);

    return is_visible(wanted->hidden, &wanted->deadline, (int64_t)time(NULL));
}

const char *test_reason(const json_t *test)
{
    const char *message = member_text(test, "message", "");

    return !*message && !strcmp(member_text(test, "verdict", ""), "PASS")
                   && member_number(test, "score")
                          < member_number(test, "max_score")
           ? "no points before all tests pass" : message;
}

bool is_hidden_result(const json_t *test)
{
    return json_is_true(json_object_get(test, "hidden"));
}

/* The points of all hidden tests together: the total tells them anyway. */
static void write_hidden_points(FILE *out, const json_t *result)
{
    double score = 0, most = 0;
    const json_t *test;
    size_t k;

    json_array_foreach(json_object_get(result, "tests"), k, test)
        if (is_hidden_result(test)) {
            score += member_number(test, "score");
            most += member_number(test, "max_score");
        }
    if (most > 0)
        fprintf(out, "hidden tests: %g/%g\n", score, most);
}

/* A line for each test, or for the first that failed. */
static void write_tests(FILE *out, const json_t *result, enum feedback level,
                        bool with_hidden)
{
    static const char *const lists[] = {"tests", "checks", "costs", "speed"};
    const json_t *test;
    size_t k;

    if (!with_hidden)
        write_hidden_points(out, result);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        json_array_foreach(json_object_get(result, lists[i]), k, test) {
            const char *verdict = member_text(test, "verdict", "?");
            bool failed = strcmp(verdict, "PASS") != 0;

            if ((is_hidden_result(test) && !with_hidden)
                || (level == FEEDBACK_FIRST && !failed))
                continue;
            fprintf(out, "%s: %s %g/%g%s%s\n", member_text(test, "name", "?"),
                    verdict, member_number(test, "score"),
                    member_number(test, "max_score"),
                    *test_reason(test) ? " " : "", test_reason(test));
            if (level == FEEDBACK_FIRST)
                return;
        }
}

char *cell_feedback(const struct gradebook *book, const struct cell *cell)
{
    const json_t *result = json_object_get(cell_result(cell), "result");
    char *text = NULL, number[32], most[32];
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    if (!out)
        return NULL;
    if (cell->state == CELL_PENDING) {
        fputs("not graded yet", out);
    } else {
        fprintf(out, "%s, %s of %s points\n", cell->verdict,
                points_text(number, cell->points),
                points_text(most, cell->max));
        if (cell->factor < 1 && cell->late)
            fprintf(out, "late: %g %% of the points count\n",
                    100 * cell->factor);
        if (cell->state == CELL_REFUSED)
            fprintf(out, "%s\n", entry_text(cell->entry, "message"));
        else if (!cell->entry && *cell->notes) /* its lab is not known */
            fprintf(out, "%s\n", cell->notes);
        if (*member_text(result, "message", "")
            && book->course.feedback != FEEDBACK_SCORE)
            fprintf(out, "%s\n", member_text(result, "message", ""));
        else if (book->course.feedback != FEEDBACK_SCORE)
            write_tests(out, result, book->course.feedback,
                        shows_hidden(book, member_text(result, "lab", "")));
    }
    fclose(out);
    return text;
}

/* A format's name and its printer. */
static const struct {
    const char *name;
    bool (*print)(FILE *, const struct gradebook *, struct failure *);
} formats[] = {{"csv", print_csv},
               {"canvas", print_canvas},
               {"moodle", print_moodle},
               {"autolab", print_autolab},
               {"gradescope", print_gradescope},
               {"autoresult", print_autoresult},
               {"classroom", print_classroom},
               {"junit", print_junit},
               {"cunit", print_cunit},
               {"html", print_class_page}};

bool gradebook_print(FILE *out, const struct gradebook *book,
                     const char *format, struct failure *failure)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(format, formats[i].name))
            return formats[i].print(out, book, failure)
                   && (!book->reader.has_failed
                       || fail(failure, "a result can no longer be read: the "
                               "gradebook would lack it"));
    return fail(failure, "--format \"%.40s\": none of csv, canvas, moodle, "
                "gradescope, autolab, autoresult, classroom, junit, cunit, "
                "html", format);
}
