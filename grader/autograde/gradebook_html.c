/* SPDX-License-Identifier: MIT */
/* The gradebook as one page for the instructor. */
#include <string.h>

#include "common/base/html.h"
#include "gradebook.h"

static const char style[] =
    "body{font:14px sans-serif;margin:2em;max-width:80em}"
    "table{border-collapse:collapse;margin:1em 0}"
    "td,th{padding:.3em .7em;border-bottom:1px solid #ccc;text-align:left;"
    "vertical-align:top}.n{text-align:right}.PASS{color:#176b2c}"
    ".bad{color:#a02020}.wait{color:#8a5a00;font-weight:bold}"
    ".notes{color:#555;max-width:36em}";

static const char *class_of(const struct cell *cell)
{
    if (cell->state == CELL_PENDING)
        return "wait";
    return !strcmp(cell->verdict, "PASS") ? "PASS" : "bad";
}

static void put_student(struct html *h, const struct gradebook *book,
                        const struct row *row)
{
    char points[32], most[32];

    html_open(h, "tr");
    html_element(h, "td", row->student.id);
    html_element(h, "td", row->student.name);
    for (int k = 0; k < book->labs; k++) {
        const struct cell *cell = &row->cell[k];

        html_open_with(h, "td", "class=n");
        if (cell->state == CELL_PENDING)
            html_text(h, "-");
        else
            html_textf(h, "%s/%s", points_text(points, cell->points),
                       points_text(most, cell->max));
        html_close(h);
        html_open_with(h, "td", "class=%s", class_of(cell));
        html_text(h, cell->verdict);
        html_close(h);
    }
    html_open_with(h, "td", "class=n");
    if (row->is_complete)
        html_textf(h, "%s/%s", points_text(points, row->total),
                   points_text(most, row->max));
    else
        html_text(h, "incomplete");
    html_close(h);
    html_open_with(h, "td", "class=notes");
    for (int k = 0; k < book->labs; k++)
        if (*row->cell[k].notes)
            html_textf(h, "%s: %s. ", book->stem[k], row->cell[k].notes);
    if (!row->in_roster && book->roster.count)
        html_text(h, "Not in the roster.");
    html_close(h);
    html_close(h);
    html_newline(h);
}

static void put_students(struct html *h, const struct gradebook *book)
{
    html_open(h, "table");
    html_open(h, "tr");
    html_element(h, "th", "id");
    html_element(h, "th", "name");
    for (int k = 0; k < book->labs; k++) {
        html_element(h, "th", book->stem[k]);
        html_element(h, "th", "");
    }
    html_element(h, "th", "total");
    html_element(h, "th", "notes");
    html_close(h);
    html_newline(h);
    for (size_t i = 0; i < book->rows; i++)
        put_student(h, book, &book->row[i]);
    html_close(h);
}

/* How many students have each verdict, a line a lab. */
static void put_verdicts(struct html *h, const struct gradebook *book)
{
    for (int k = 0; k < book->labs; k++) {
        html_open(h, "p");
        html_textf(h, "%s:", book->stem[k]);
        for (size_t i = 0; i < book->rows; i++) {
            const char *verdict = book->row[i].cell[k].verdict;
            size_t count = 0, first = 0;

            while (strcmp(book->row[first].cell[k].verdict, verdict))
                first++;
            for (size_t n = 0; n < book->rows; n++)
                count += !strcmp(book->row[n].cell[k].verdict, verdict);
            if (first == i)
                html_textf(h, " %s %zu;", verdict, count);
        }
        html_close(h);
    }
}

bool print_class_page(FILE *out, const struct gradebook *book,
                      struct failure *failure)
{
    struct html html = {.out = out};

    (void)failure;
    html_begin(&html, *book->course.name ? book->course.name : "Gradebook",
               style);
    html_element(&html, "h1",
                 *book->course.name ? book->course.name : "Gradebook");
    put_verdicts(&html, book);
    put_students(&html, book);
    html_end(&html);
    return true;
}
