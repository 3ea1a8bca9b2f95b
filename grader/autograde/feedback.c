/* SPDX-License-Identifier: MIT */
/* What students may see, and the choice of a format. */
#include <stdlib.h>
#include <string.h>

#include "common/base/json_member.h"
#include "gradebook.h"

bool cell_is_visible(const struct gradebook *book, int lab, int64_t now)
{
    const struct course_lab *wanted = course_lab(&book->course,
                                                 book->stem[lab]);

    return wanted->visibility == VISIBLE
           || (wanted->visibility == AFTER_DUE && wanted->deadline
               && now > wanted->deadline);
}

/* A line for each test, or for the first that failed. */
static void put_tests(FILE *out, const json_t *result, enum feedback level)
{
    static const char *const lists[] = {"tests", "checks", "costs", "speed"};
    const json_t *test;
    size_t k;

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        json_array_foreach(json_object_get(result, lists[i]), k, test) {
            const char *verdict = member_text(test, "verdict", "?");
            bool failed = strcmp(verdict, "PASS") != 0;

            if (level == FEEDBACK_FIRST && !failed)
                continue;
            fprintf(out, "%s: %s %g/%g %s\n", member_text(test, "name", "?"),
                    verdict, member_number(test, "score"),
                    member_number(test, "max_score"),
                    member_text(test, "message", ""));
            if (level == FEEDBACK_FIRST)
                return;
        }
}

char *cell_feedback(const struct gradebook *book, const struct cell *cell)
{
    const json_t *result = json_object_get(cell->result, "result");
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
        if (*member_text(result, "message", "")
            && book->course.feedback != FEEDBACK_SCORE)
            fprintf(out, "%s\n", member_text(result, "message", ""));
        else if (book->course.feedback != FEEDBACK_SCORE)
            put_tests(out, result, book->course.feedback);
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
            return formats[i].print(out, book, failure);
    return fail(failure, "--format \"%.40s\": none of csv, canvas, moodle, "
                "gradescope, autolab, autoresult, classroom, junit, cunit, html",
                format);
}
