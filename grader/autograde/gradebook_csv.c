/* SPDX-License-Identifier: MIT */
/* The gradebook as comma-separated values. */
#include <stdlib.h>
#include <time.h>

#include "common/base/html.h"
#include "common/base/text.h"
#include "csv.h"
#include "gradebook.h"

/* Points without trailing zeros, with a point in any locale. */
static void write_number(FILE *out, double value)
{
    char text[32];

    fputs(points_text(text, value), out);
}

/* A comma, then a text. */
static void next(FILE *out, const char *text)
{
    fputc(',', out);
    csv_write(out, text);
}

/* Points, or a text where there is no mark. */
static void write_points(FILE *out, const struct cell *cell, const char *none)
{
    if (cell->state == CELL_PENDING)
        csv_write(out, none);
    else
        write_number(out, cell->points);
}

/* --- csv ------------------------------------------------------------------ */

/* Points, maximum, verdict, hours late. */
static void write_cell(FILE *out, const struct cell *cell)
{
    char late[32] = "";

    fputc(',', out);
    write_points(out, cell, "not graded");
    fputc(',', out);
    write_number(out, cell->max);
    next(out, cell->verdict);
    if (cell->late && cell->is_time_known)
        points_text(late, (double)cell->late / 3600);
    next(out, late);
}

/* The columns of write_cell(). */
static void write_headings(FILE *out, const char *stem)
{
    static const char *const heads[] = {"points", "max", "verdict",
                                        "hours late"};
    char head[96];

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        next(out, text_format(head, sizeof head, "%s %s", stem, heads[i]));
}

bool print_csv(FILE *out, const struct gradebook *book,
               struct failure *failure)
{
    (void)failure;
    fputs("id,name,email,section,in roster", out);
    for (int k = 0; k < book->labs; k++)
        write_headings(out, book->stem[k]);
    fputs(",total,total max,notes\n", out);
    for (size_t i = 0; i < book->rows; i++) {
        const struct row *row = &book->row[i];
        char notes[GRADEBOOK_LABS * NOTES_BYTES] = "";
        size_t used = 0;

        csv_write(out, row->student.id);
        next(out, row->student.name);
        next(out, row->student.email);
        next(out, row->student.section);
        next(out, row->in_roster ? "yes" : "no");
        for (int k = 0; k < book->labs; k++) {
            write_cell(out, &row->cell[k]);
            if (*row->cell[k].notes)
                used += (size_t)snprintf(notes + used, sizeof notes - used,
                                         "%s%s: %s", used ? "; " : "",
                                         book->stem[k], row->cell[k].notes);
        }
        fputc(',', out);
        if (row->is_complete)
            write_number(out, row->total);
        else
            csv_write(out, "incomplete");
        fputc(',', out);
        write_number(out, row->max);
        next(out, notes);
        fputc('\n', out);
    }
    return true;
}

/* --- Canvas, Moodle, Autolab ---------------------------------------------- */

/* A cell without a mark stays empty: the import then changes nothing. */
bool print_canvas(FILE *out, const struct gradebook *book,
                  struct failure *failure)
{
    (void)failure;
    fputs("Student,ID,SIS User ID,SIS Login ID,Section", out);
    for (int k = 0; k < book->labs; k++)
        next(out, book->stem[k]);
    fputs("\nPoints Possible,,,,", out);
    for (int k = 0; k < book->labs; k++) {
        fputc(',', out);
        write_number(out, book->rows ? book->row[0].cell[k].max : 100);
    }
    fputc('\n', out);
    for (size_t i = 0; i < book->rows; i++) {
        const struct student *student = &book->row[i].student;

        csv_write(out, *student->name ? student->name : student->id);
        next(out, student->canvas);
        next(out, student->sid);
        next(out, student->login);
        next(out, student->section);
        for (int k = 0; k < book->labs; k++) {
            fputc(',', out);
            write_points(out, &book->row[i].cell[k], "");
        }
        fputc('\n', out);
    }
    return true;
}

/* A comma, then a text for Moodle, which shows comments as HTML. */
static void next_html(FILE *out, const char *text)
{
    char *escaped = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&escaped, &length);
    struct html html = {.out = memory};

    if (memory) {
        html_text(&html, text);
        fclose(memory);
    }
    next(out, escaped ? escaped : "");
    free(escaped);
}

bool print_moodle(FILE *out, const struct gradebook *book,
                  struct failure *failure)
{
    if (book->labs != 1)
        return fail(failure, "a worksheet of Moodle holds one lab: name it by "
                    "--lab");
    fputs("Identifier,Full name,Email address,Grade,Maximum Grade,"
          "Feedback comments\n", out);
    for (size_t i = 0; i < book->rows; i++) {
        const struct student *student = &book->row[i].student;
        const struct cell *cell = &book->row[i].cell[0];
        char *feedback = cell_is_visible(book, 0, time(NULL))
                         ? cell_feedback(book, cell) : NULL;

        if (*student->participant)
            fprintf(out, "Participant %s", student->participant);
        next(out, student->name);
        next(out, student->email);
        fputc(',', out);
        write_points(out, cell, "");
        fputc(',', out);
        write_number(out, cell->max);
        next_html(out, feedback ? feedback : "");
        fputc('\n', out);
        free(feedback);
    }
    return true;
}

/* Autolab knows students by their addresses: the others have no row, and
 * `warpbook gradebook` names them. */
bool print_autolab(FILE *out, const struct gradebook *book,
                   struct failure *failure)
{
    size_t known = 0;

    for (size_t i = 0; i < book->rows; i++)
        known += *book->row[i].student.email != 0;
    if (book->rows && !known)
        return fail(failure, "Autolab knows students by their addresses, and "
                    "nobody has one: give a --roster with a column email");
    fputs("email", out);
    for (int k = 0; k < book->labs; k++)
        next(out, book->stem[k]);
    fputc('\n', out);
    for (size_t i = 0; i < book->rows; i++) {
        if (!*book->row[i].student.email)
            continue;
        csv_write(out, book->row[i].student.email);
        for (int k = 0; k < book->labs; k++) {
            fputc(',', out);
            write_points(out, &book->row[i].cell[k], "");
        }
        fputc('\n', out);
    }
    return true;
}
