/* SPDX-License-Identifier: MIT */
/* Computing the gradebook: labs, points, weights.  gradebook_rows.c: the
 * students; gradebook_attempts.c: the order of attempts, and lateness. */
#include "gradebook.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/json_member.h"
#include "common/base/text.h"
#include "gradebook_attempts.h"
#include "gradebook_rows.h"

char *points_text(char text[32], double value)
{
    return text_format(text, 32, "%.10g", round(value * 100) / 100);
}

/* --- labs ----------------------------------------------------------------- */

/* @return the column, or -1 */
static int find_lab(const struct gradebook *book, const char *stem)
{
    int i = 0;

    while (i < book->labs && strcmp(book->stem[i], stem))
        i++;
    return i < book->labs ? i : -1;
}

/* Columns are sorted by name, so that their order depends on no order of
 * files. */
static void add_lab(struct gradebook *book, const char *stem,
                    const char *only)
{
    int at = book->labs;

    if (!*stem || (only && strcmp(only, stem)) || find_lab(book, stem) >= 0
        || at == GRADEBOOK_LABS)
        return;
    for (; at > 0 && strcmp(book->stem[at - 1], stem) > 0; at--)
        strcpy(book->stem[at], book->stem[at - 1]);
    text_format(book->stem[at], 64, "%s", stem);
    book->labs++;
}

/* --- one cell ------------------------------------------------------------- */

const json_t *cell_result(const struct cell *cell)
{
    struct result_reader *reader = cell->reader;

    if (!reader || cell->state != CELL_GRADED)
        return NULL;
    if (reader->of == cell)
        return reader->result;
    json_decref(reader->result);
    reader->of = cell;
    reader->result = entry_result(reader->store, cell->entry);
    reader->has_failed |= !reader->result;
    return reader->result;
}

/* Why a person should look at it. */
static void note_reviews(struct cell *cell, const json_t *inner)
{
    static const char *const lists[] = {"tests", "checks", "costs"};
    const json_t *test;
    size_t k;

    if (inner && *member_text(inner, "review", "")) {
        cell_note(cell, "REVIEW: %.120s", member_text(inner, "review", ""));
        return;
    }
    for (size_t i = 0; i < 3; i++)
        json_array_foreach(json_object_get(inner, lists[i]), k, test)
            if (*member_text(test, "review", "")) {
                cell_note(cell, "REVIEW: %.120s",
                          member_text(test, "review", ""));
                return;
            }
}

/* Why no test was run: all tests have the same message then. */
static void note_reason(struct cell *cell, const json_t *inner)
{
    const char *verdict = member_text(inner, "verdict", "");
    const json_t *first = json_array_get(json_object_get(inner, "tests"), 0);

    if (!strcmp(verdict, "REJECTED") || !strcmp(verdict, "MISSING"))
        cell_note(cell, "%.200s", member_text(first, "message", ""));
}

static void set_verdict(struct cell *cell, const char *verdict)
{
    text_format(cell->verdict, sizeof cell->verdict, "%s", verdict);
}

/* State, verdict and points of the chosen attempt; an error of the grader is
 * pending, never 0 points. */
static void fill_cell(const struct store *store, const struct course_lab *lab,
                      struct cell *cell)
{
    const char *verdict = entry_text(cell->entry, "verdict");
    const json_t *inner;
    json_t *result;

    cell_set_late(lab, cell);
    if (*entry_text(cell->entry, "doubt"))
        cell_note(cell, "%.200s", entry_text(cell->entry, "doubt"));
    if (cell_refuse_rival(cell))
        return;
    if (*verdict) {
        bool ours = entry_is_internal(cell->entry);

        cell->state = ours ? CELL_PENDING : CELL_REFUSED;
        set_verdict(cell, ours ? "NOT GRADED" : verdict);
        cell_note(cell, "%.200s", entry_text(cell->entry, "message"));
        return;
    }
    result = entry_result(store, cell->entry);
    inner = json_object_get(result, "result");
    cell->state = inner ? CELL_GRADED : CELL_PENDING;
    set_verdict(cell, inner ? member_text(inner, "verdict", "?")
                            : "NOT GRADED");
    if (!inner) {
        cell_note(cell, "%s", *entry_text(cell->entry, "key")
                              ? "its result cannot be read: run autograde again"
                              : "no result yet: run autograde again");
        json_decref(result);
        return;
    }
    if (*entry_text(cell->entry, "message"))
        cell_note(cell, "%.200s", entry_text(cell->entry, "message"));
    cell->is_self_test = !strcmp(member_text(inner, "tier", ""), "D");
    cell->raw = member_number(inner, "score");
    cell->raw_max = member_number(inner, "max_score");
    note_reason(cell, inner);
    note_reviews(cell, inner);
    json_decref(result);
}

/* Points of a cell: scaled, after the late policy. */
static void scale_cell(const struct course_lab *lab, double lab_max,
                       struct cell *cell)
{
    cell->max = lab->points > 0 ? lab->points : lab_max;
    if (cell->state == CELL_GRADED && cell->raw_max > 0)
        cell->points = cell->raw / cell->raw_max * cell->max * cell->factor;
    cell->points = round(cell->points * 100) / 100;
}

/* The most points of a lab on the device that graded it. */
static double find_lab_max(const struct gradebook *book, int lab)
{
    for (size_t i = 0; i < book->rows; i++)
        if (book->row[i].cell[lab].raw_max > 0)
            return book->row[i].cell[lab].raw_max;
    return 100;
}

/* --- attempts ------------------------------------------------------------- */

/* Points of an attempt after its deduction; -1 before it is graded. */
static double entry_score(const struct store *store,
                          const struct course_lab *lab, const json_t *entry)
{
    struct cell cell = {.entry = entry};

    fill_cell(store, lab, &cell);
    return cell.state == CELL_GRADED ? cell.raw * cell.factor : -1;
}

/* Of several attempts the best or the last one counts, as the course says. */
static void choose(const struct store *store, const struct gradebook *book,
                   int lab, struct cell *cell, const json_t *entry)
{
    const struct course_lab *wanted = course_lab(&book->course,
                                                 book->stem[lab]);

    double score, best;

    cell->attempts++;
    if (!cell->entry) {
        cell->entry = entry;
        return;
    }
    score = book->course.takes_best ? entry_score(store, wanted, entry) : 0;
    best = book->course.takes_best ? entry_score(store, wanted, cell->entry)
                                   : 0;
    if (score > best)
        cell->entry = entry;
    else if (score == best)
        cell_take_later(cell, entry);
    if (book->course.takes_best) /* of two equal ones either may count */
        cell->rival = NULL;
}

/* SHA-256 of no bytes, FIPS 180-4: the content of an empty file. */
static const char empty_content[] =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/* Byte-identical files of two students are noted in both rows, unless they are
 * empty; a group's one submission is in the row of each member. */
static void note_copies(struct gradebook *book, const struct row *row, int lab,
                        struct cell *cell)
{
    const char *content = entry_text(cell->entry, "content");
    const bool is_empty = !strcmp(content, empty_content);

    for (size_t i = 0; i < book->rows && *content && !is_empty; i++) {
        const struct cell *other = &book->row[i].cell[lab];

        if (&book->row[i] != row && other->entry
            && !strcmp(entry_text(other->entry, "content"), content)
            && strcmp(entry_text(other->entry, "from"),
                      entry_text(cell->entry, "from"))) {
            cell_note(cell, "the same file as %.90s", book->row[i].student.id);
            return;
        }
    }
}

/* Weighted totals; a row with a pending cell is incomplete. */
static void sum_row(struct gradebook *book, struct row *row)
{
    row->is_complete = true;
    for (int k = 0; k < book->labs; k++) {
        const struct course_lab *lab = course_lab(&book->course,
                                                  book->stem[k]);

        row->total += lab->weight * row->cell[k].points;
        row->max += lab->weight * row->cell[k].max;
        row->is_complete &= row->cell[k].state != CELL_PENDING;
    }
}

/* Points are scaled after all cells of a column are known. */
static void fill_cells(const struct store *store, struct gradebook *book)
{
    for (size_t i = 0; i < book->rows; i++)
        for (int k = 0; k < book->labs; k++) {
            struct cell *cell = &book->row[i].cell[k];

            set_verdict(cell, "NONE");
            cell->reader = &book->reader;
            if (cell->entry)
                fill_cell(store, course_lab(&book->course, book->stem[k]),
                          cell);
        }
    for (int k = 0; k < book->labs; k++) {
        double most = find_lab_max(book, k);

        for (size_t i = 0; i < book->rows; i++) {
            struct row *row = &book->row[i];

            scale_cell(course_lab(&book->course, book->stem[k]), most,
                       &row->cell[k]);
            if (row->cell[k].entry)
                note_copies(book, row, k, &row->cell[k]);
        }
    }
}

/* Entries of submissions in which no lab's file was found. */
static bool has_no_lab(const json_t *entry)
{
    return !*entry_text(entry, "lab");
}

/* A submission whose lab is not known goes to the first empty cell of its
 * student, so that it is seen. */
static void note_unknown(struct gradebook *book, size_t index)
{
    const json_t *entry = book->entries.entry[index];
    struct student student;
    bool in_roster;
    struct row *row;

    gradebook_resolve(book, index, &student, &in_roster);
    row = gradebook_find_row(book, student.id);
    for (int k = 0; row && k < book->labs; k++)
        if (!row->cell[k].entry) {
            set_verdict(&row->cell[k], entry_text(entry, "verdict"));
            cell_note(&row->cell[k], "%.200s", entry_text(entry, "message"));
            return;
        }
}

bool gradebook_make(const struct store *store, const struct given *given,
                    const char *student, struct gradebook *book,
                    struct failure *failure)
{
    memset(book, 0, sizeof *book);
    book->reader.store = store;
    if (!settings_load(store, given, &book->course, &book->roster, failure))
        return false;
    if (!entries_read(store, &book->entries, failure)) {
        gradebook_free(book);
        return false;
    }
    if (given->stem) /* also where nobody submitted it */
        add_lab(book, given->stem, given->stem);
    for (int i = 0; i < book->course.labs; i++)
        add_lab(book, book->course.lab[i].stem, given->stem);
    for (size_t i = 0; i < book->entries.count; i++)
        add_lab(book, entry_text(book->entries.entry[i], "lab"), given->stem);
    if ((given->roster && !gradebook_match_again(book))
        || !gradebook_add_rows(book, student)) {
        gradebook_free(book);
        return fail(failure, "out of memory");
    }
    for (size_t i = 0; i < book->entries.count; i++) {
        const json_t *entry = book->entries.entry[i];
        int lab = find_lab(book, entry_text(entry, "lab"));
        struct student found;
        bool in_roster;
        struct row *row;

        gradebook_resolve(book, i, &found, &in_roster);
        row = gradebook_find_row(book, found.id);
        if (row && lab >= 0)
            choose(store, book, lab, &row->cell[lab], entry);
    }
    fill_cells(store, book);
    for (size_t i = 0; i < book->entries.count; i++)
        if (has_no_lab(book->entries.entry[i]))
            note_unknown(book, i);
    for (size_t i = 0; i < book->rows; i++)
        sum_row(book, &book->row[i]);
    if (student && !book->rows) {
        gradebook_free(book);
        return fail(failure, "%s: no student \"%.60s\"", store->path, student);
    }
    return true;
}

void gradebook_free(struct gradebook *book)
{
    json_decref(book->reader.result);
    book->reader = (struct result_reader){0};
    free(book->cell);
    free(book->row);
    free(book->match);
    book->match = NULL;
    roster_free(&book->roster);
    entries_free(&book->entries);
    book->row = NULL;
    book->cell = NULL;
    book->rows = 0;
}
