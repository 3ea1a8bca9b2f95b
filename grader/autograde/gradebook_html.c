/* SPDX-License-Identifier: MIT */
/* The page of the class: marks, distributions, tests, diagnoses, times. */
#include <stdlib.h>
#include <string.h>

#include "common/base/json_member.h"
#include "pages.h"

enum { COMMONEST = 12 };

/* The title of the page. */
static const char *course_name(const struct gradebook *book)
{
    return *book->course.name ? book->course.name : "Gradebook";
}

/* --- distributions -------------------------------------------------------- */

/* Shares of the points: of a lab, or with lab -1 of the total.
 * @return malloced */
static double *list_shares(const struct gradebook *book, int lab,
                           size_t *count)
{
    double *share = calloc(book->rows + 1, sizeof *share);

    *count = 0;
    for (size_t i = 0; share && i < book->rows; i++) {
        const struct row *row = &book->row[i];
        const struct cell *cell = &row->cell[lab < 0 ? 0 : lab];
        double points = lab < 0 ? row->total : cell->points;
        double max = lab < 0 ? row->max : cell->max;

        if (max > 0 && (lab < 0 ? row->is_complete
                                : cell->state == CELL_GRADED
                                  || cell->state == CELL_REFUSED))
            share[(*count)++] = points / max;
    }
    return share;
}

/* The distribution of the points of a lab, as shares of the maximum. */
static void write_distribution(struct html *h, const struct gradebook *book,
                               int lab, const char *label)
{
    size_t count;
    double *share = list_shares(book, lab, &count), sum = 0;
    char text[160];

    for (size_t i = 0; i < count; i++)
        sum += share[i];
    snprintf(text, sizeof text, "%.60s: %zu students, mean %.0f %%", label,
             count, count ? 100 * sum / (double)count : 0.);
    if (count)
        chart_shares(h, text, share, count);
    free(share);
}

/* --- a lab ---------------------------------------------------------------- */

/* A row a test: how many students got all, some or no points, and which
 * verdicts. */
static void write_tests(struct html *h, const struct class_counts *counts)
{
    static const char *const head[] = {"test", "points: all, some, none", "",
                                       "verdicts", NULL};

    html_open_with(h, "div", "class=wide");
    html_open_with(h, "table", "class=s");
    page_head_row(h, head);
    for (size_t i = 0; i < counts->tests; i++) {
        const struct test_counts *test = &counts->test[i];

        html_open(h, "tr");
        html_open_with(h, "td", "class=t");
        html_element(h, "b", test->name);
        html_empty(h, "br", "class=x");
        html_element(h, "small", test->title);
        html_close(h);
        html_open(h, "td");
        chart_parts(h, test);
        html_close(h);
        html_open_with(h, "td", "class=n");
        html_textf(h, "%zu / %zu / %zu", test->full, test->partial,
                   test->none);
        html_close(h);
        html_open_with(h, "td", "class=m");
        for (size_t k = 0; k < test->verdicts.count; k++) {
            const struct tally *verdict = &test->verdicts.item[k];

            page_verdict(h, verdict->text);
            html_textf(h, " %zu ", verdict->students);
        }
        html_close(h);
        html_close(h);
        html_newline(h);
    }
    html_close(h);
    html_close(h);
}

/* The test that most students failed. */
static void write_hardest(struct html *h, const struct class_counts *counts)
{
    const struct test_counts *hardest = NULL;

    for (size_t i = 0; i < counts->tests; i++)
        if (counts->test[i].is_test
            && (!hardest || counts->test[i].none > hardest->none))
            hardest = &counts->test[i];
    if (!hardest || !hardest->none)
        return;
    html_open(h, "p");
    html_textf(h, "The test that fails most is %s (%s): %zu of %zu students "
               "have no points for it.", hardest->name, hardest->title,
               hardest->none, hardest->none + hardest->partial
                              + hardest->full);
    html_close(h);
}

/* The commonest texts, each with one complete example. */
static void write_tallies(struct html *h, const char *title,
                          const struct tallies *all, const char *what)
{
    const char *const head[] = {"students", what, "for example", NULL};

    html_element(h, "h3", title);
    if (!all->count) {
        html_element(h, "p", "None.");
        return;
    }
    html_open_with(h, "div", "class=wide");
    html_open(h, "table");
    page_head_row(h, head);
    for (size_t i = 0; i < all->count && i < COMMONEST; i++) {
        html_open(h, "tr");
        html_open_with(h, "td", "class=n");
        html_textf(h, "%zu", all->item[i].students);
        html_close(h);
        html_open_with(h, "td", "class=t");
        html_text(h, all->item[i].text);
        html_close(h);
        html_open_with(h, "td", "class=m");
        html_element(h, "small", all->item[i].example);
        html_close(h);
        html_close(h);
        html_newline(h);
    }
    html_close(h);
    html_close(h);
}

/* --- times ---------------------------------------------------------------- */

/* Measurements of the first timed run, or of the result itself. */
static double measured(const json_t *result, const char *key, bool is_timed)
{
    const json_t *speed = json_array_get(json_object_get(result, "speed"), 0);

    return member_number(is_timed ? speed : result, key);
}

/* A point a student for a measured value; absent and zero values are left
 * out. */
static void write_spread(struct html *h, const struct gradebook *book, int lab,
                         const char *label, const char *key, bool is_timed,
                         const char *unit)
{
    double *value = calloc(book->rows + 1, sizeof *value);
    size_t count = 0;

    for (size_t i = 0; value && i < book->rows; i++) {
        const json_t *result =
            json_object_get(cell_result(&book->row[i].cell[lab]), "result");
        double one = measured(result, key, is_timed);

        if (one > 0)
            value[count++] = one;
    }
    if (value)
        chart_spread(h, label, value, count, unit);
    free(value);
}

/* All attempts, those that do not count too. */
static void write_attempts(struct html *h, const struct gradebook *book,
                           int lab)
{
    int64_t *time = calloc(book->entries.count + 1, sizeof *time);
    size_t count = 0;
    bool is_known = true;

    for (size_t i = 0; time && i < book->entries.count; i++) {
        const json_t *entry = book->entries.entry[i];
        int64_t submitted = (int64_t)member_count(entry, "submitted");

        if (strcmp(entry_text(entry, "lab"), book->stem[lab]))
            continue;
        is_known &= submitted != 0;
        time[count++] = submitted ? submitted
                                  : (int64_t)member_count(entry, "seen");
    }
    if (time)
        chart_times(h, is_known ? "Attempts, by time of submission; the line "
                                  "is the deadline"
                                : "Attempts, by the time when they were first "
                                  "read: the download tells no other",
                    time, count,
                    course_lab(&book->course,
                               book->stem[lab])->deadline.seconds);
    free(time);
}

/* The instant, and its zone. */
static void write_due(struct html *h, const struct gradebook *book, int lab)
{
    const struct deadline *deadline =
        &course_lab(&book->course, book->stem[lab])->deadline;
    char text[TIME_TEXT];

    if (deadline->seconds)
        html_textf(h, "Due %s", deadline_format(text, deadline));
}

/* Charts, the hardest test, all tests, commonest messages. */
static void write_lab(struct html *h, const struct gradebook *book, int lab)
{
    struct class_counts counts;

    class_count(book, lab, &counts);
    html_element(h, "h2", book->stem[lab]);
    write_due(h, book, lab);
    html_open_with(h, "div", "class=charts");
    write_distribution(h, book, lab, "Points");
    write_attempts(h, book, lab);
    write_spread(h, book, lab, "Speedup over the baseline, measured", "ratio",
                 true, " x");
    write_spread(h, book, lab,
                 "Speedup over the baseline, modeled (not graded)",
                 "modeled_ratio", false, " x");
    write_spread(h, book, lab, "Time to grade a submission", "seconds", false,
                 " s");
    html_close(h);
    write_hardest(h, &counts);
    write_tests(h, &counts);
    write_tallies(h, "Commonest diagnoses", &counts.diagnoses, "diagnosis");
    write_tallies(h, "Commonest findings", &counts.findings, "finding");
    class_counts_free(&counts);
}

/* --- students ------------------------------------------------------------- */

/* Points and verdict, linked to the student's page if there is one. */
static void write_cell(struct html *h, const struct gradebook *book,
                       const struct row *row, int lab, bool linked)
{
    const struct cell *cell = &row->cell[lab];
    char points[32], most[32], name[PAGE_NAME];

    linked = linked && has_page(cell);
    html_open_with(h, "td", "class=n");
    if (linked)
        html_open_with(h, "a", "href=%s",
                       page_name(name, book->stem[lab], row->student.id));
    if (cell->state == CELL_PENDING)
        html_text(h, "-");
    else
        html_textf(h, "%s/%s", points_text(points, cell->points),
                   points_text(most, cell->max));
    html_text(h, " ");
    page_verdict(h, cell->verdict);
    if (linked)
        html_close(h);
    html_close(h);
}

/* The id and the name are isolated from the direction of the text around
 * them. */
static void write_student(struct html *h, const struct gradebook *book,
                          const struct row *row, bool linked)
{
    char points[32], most[32];

    html_open(h, "tr");
    html_open_with(h, "td", "class=t");
    html_element(h, "bdi", row->student.id);
    html_empty(h, "br", "class=x");
    html_open(h, "small");
    html_element(h, "bdi", row->student.name);
    html_close(h);
    html_close(h);
    html_open_with(h, "td", "class=n");
    if (row->is_complete)
        html_textf(h, "%s/%s", points_text(points, row->total),
                   points_text(most, row->max));
    else
        html_text(h, "incomplete");
    html_close(h);
    for (int k = 0; k < book->labs; k++)
        write_cell(h, book, row, k, linked);
    html_open_with(h, "td", "class=m");
    for (int k = 0; k < book->labs; k++)
        if (*row->cell[k].notes)
            html_textf(h, "%s: %s. ", book->stem[k], row->cell[k].notes);
    if (!row->in_roster && book->roster.count)
        html_text(h, "Not in the roster.");
    html_close(h);
    html_close(h);
    html_newline(h);
}

/* One row a student, one column a lab. */
static void write_students(struct html *h, const struct gradebook *book,
                           bool linked)
{
    html_element(h, "h2", "Students");
    html_open_with(h, "div", "class=wide");
    html_open(h, "table");
    html_open(h, "tr");
    html_element(h, "th", "student");
    html_open_with(h, "th", "class=n");
    html_text(h, "total");
    html_close(h);
    for (int k = 0; k < book->labs; k++) {
        html_open_with(h, "th", "class=n");
        html_text(h, book->stem[k]);
        html_close(h);
    }
    html_element(h, "th", "notes");
    html_close(h);
    html_newline(h);
    for (size_t i = 0; i < book->rows; i++)
        write_student(h, book, &book->row[i], linked);
    html_close(h);
    html_close(h);
}

/* How many students have a mark, how many wait for one. */
static void write_summary(struct html *h, const struct gradebook *book)
{
    size_t pending = 0, review = 0;

    for (size_t i = 0; i < book->rows; i++) {
        pending += !book->row[i].is_complete;
        for (int k = 0; k < book->labs; k++)
            if (strstr(book->row[i].cell[k].notes, "REVIEW")) {
                review++;
                break;
            }
    }
    html_open(h, "p");
    html_textf(h, "%zu students. For the instructor: not to be published.",
               book->rows);
    html_close(h);
    if (pending || review) {
        html_open_with(h, "p", "class=note");
        html_textf(h, "%zu without a complete mark: the grader could not grade "
                   "all of their files. %zu with a result that a person "
                   "should review.", pending, review);
        html_close(h);
    }
}

void print_index_page(FILE *out, const struct gradebook *book, bool linked)
{
    struct html html = {.out = out}, *h = &html;

    html_begin(h, course_name(book), pages_style);
    html_element(h, "h1", course_name(book));
    write_summary(h, book);
    html_open_with(h, "div", "class=charts");
    write_distribution(h, book, -1, "Total");
    html_close(h);
    for (int k = 0; k < book->labs; k++)
        write_lab(h, book, k);
    write_students(h, book, linked);
    html_end(h);
}

bool print_class_page(FILE *out, const struct gradebook *book,
                      struct failure *failure)
{
    (void)failure;
    print_index_page(out, book, false);
    return true;
}
