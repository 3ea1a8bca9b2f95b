/* SPDX-License-Identifier: MIT */
/* The students of a gradebook: those of the roster, then those who submitted
 * something and are not in it. */
#include "gradebook_rows.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/json_member.h"
#include "roster_match.h"
#include "text_clean.h"

struct row *gradebook_find_row(struct gradebook *book, const char *id)
{
    for (size_t i = 0; i < book->rows; i++)
        if (equals_folded(book->row[i].student.id, id))
            return &book->row[i];
    return NULL;
}

/* A student has one row, whatever name a platform used. */
static struct row *add_row(struct gradebook *book,
                           const struct student *student, bool in_roster)
{
    struct row *row = gradebook_find_row(book, student->id);

    if (row)
        return row;
    row = realloc(book->row, (book->rows + 1) * sizeof *row);
    if (!row)
        return NULL;
    book->row = row;
    row += book->rows++;
    memset(row, 0, sizeof *row);
    row->student = *student;
    row->in_roster = in_roster;
    return row;
}

/* A damaged entry may hold what none is written with. */
static void student_from_entry(const json_t *entry, struct student *student)
{
#define COPY(member) \
    clean_copy(student->member, sizeof student->member, \
               entry_student(entry, #member))
    COPY(id);
    COPY(name);
    COPY(email);
    COPY(login);
    COPY(section);
    COPY(sid);
    COPY(canvas);
    COPY(participant);
#undef COPY
}

/* For qsort(). */
static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->student.id,
                  ((const struct row *)b)->student.id);
}

/* autograde has seen the other submissions of the folder, too. */
static bool is_in_doubt(const json_t *entry)
{
    return *entry_text(entry, "doubt")
           && !json_is_true(json_object_get(entry, "in_roster"));
}

/* --- another roster ------------------------------------------------------- */

/* An entry, and where it stands in the gradebook. */
struct place {
    json_t *entry;
    size_t index;
    bool is_matched;
};

/* For qsort(). */
static int by_student(const void *a, const void *b)
{
    return strcmp(entry_student(((const struct place *)a)->entry, "id"),
                  entry_student(((const struct place *)b)->entry, "id"));
}

/* Of this lab, or of none: its file may have been forgotten. */
static bool may_be_of(const struct place *place, const char *stem)
{
    const char *lab = entry_text(place->entry, "lab");

    return !*lab || !*stem || !strcmp(lab, stem);
}

/* Tell the roster whose submissions of a lab there are, each student once.
 *  @param sorted  all entries, by student */
static void expect_students(struct roster *roster, const struct place *sorted,
                            size_t count, const char *stem)
{
    const char *last = "";

    memset(roster->claim, 0, (roster->count + 1) * sizeof *roster->claim);
    for (size_t i = 0; i < count; i++) {
        struct student student = {0};

        if (!may_be_of(&sorted[i], stem))
            continue;
        student_from_entry(sorted[i].entry, &student);
        if (strcmp(student.id, last))
            roster_expect(roster, &student);
        last = entry_student(sorted[i].entry, "id");
    }
}

/* As autograde matches it; the entry's file stays as it is. */
static void match_again(struct gradebook *book, struct place *place)
{
    struct roster_match *match = &book->match[place->index];
    struct student student = {0};

    student_from_entry(place->entry, &student);
    roster_match(&book->roster, &student, match);
    json_object_set_new(place->entry, "doubt", json_string(match->doubt));
    place->is_matched = true;
}

bool gradebook_match_again(struct gradebook *book)
{
    const size_t count = book->entries.count;
    struct place *sorted = calloc(count + 1, sizeof *sorted);

    book->match = calloc(count + 1, sizeof *book->match);
    for (size_t i = 0; sorted && i < count; i++)
        sorted[i] = (struct place){book->entries.entry[i], i, false};
    if (sorted && count)
        qsort(sorted, count, sizeof *sorted, by_student);
    for (size_t i = 0; sorted && book->match && i < count; i++) {
        const char *stem = entry_text(sorted[i].entry, "lab");

        if (sorted[i].is_matched)
            continue;
        expect_students(&book->roster, sorted, count, stem);
        for (size_t k = i; k < count; k++)
            if (!strcmp(entry_text(sorted[k].entry, "lab"), stem))
                match_again(book, &sorted[k]);
    }
    free(sorted);
    return sorted && book->match;
}

void gradebook_resolve(const struct gradebook *book, size_t index,
                       struct student *student, bool *in_roster)
{
    const json_t *entry = book->entries.entry[index];
    const struct student *known;

    *student = (struct student){0};
    student_from_entry(entry, student);
    known = book->match          ? book->match[index].student
            : is_in_doubt(entry) ? NULL : roster_find(&book->roster, student);
    *in_roster = known != NULL;
    if (known)
        *student = *known;
}

/* --- renamed submissions --------------------------------------------------- */

static int64_t when(const json_t *entry, const char *key)
{
    return (int64_t)member_count(entry, key);
}

/* The same file, or the same reason why there is none. */
static bool has_same(const json_t *a, const json_t *b)
{
    static const char *const keys[] = {"lab", "content", "verdict", "message"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(entry_text(a, keys[i]), entry_text(b, keys[i])))
            return false;
    return true;
}

bool gradebook_is_renamed(const struct gradebook *book, size_t index)
{
    const json_t *entry = book->entries.entry[index], *other;
    struct student student;
    bool in_roster;

    if (!book->roster.count)
        return false;
    gradebook_resolve(book, index, &student, &in_roster);
    if (in_roster || !when(entry, "read"))
        return false;
    for (size_t i = 0; i < book->entries.count; i++) {
        other = book->entries.entry[i];
        if (when(other, "seen") <= when(entry, "read")
            || !has_same(entry, other))
            continue;
        gradebook_resolve(book, i, &student, &in_roster);
        if (in_roster)
            return true;
    }
    return false;
}

bool gradebook_add_rows(struct gradebook *book, const char *student)
{
    bool ok = true;

    for (size_t i = 0; i < book->roster.count; i++)
        ok &= add_row(book, &book->roster.student[i], true) != NULL;
    for (size_t i = 0; i < book->entries.count; i++) {
        struct student found;
        bool in_roster;

        if (gradebook_is_renamed(book, i))
            continue;
        gradebook_resolve(book, i, &found, &in_roster);
        ok &= add_row(book, &found, in_roster) != NULL;
    }
    for (size_t i = 0; student && i < book->rows;) {
        const struct student *known = &book->row[i].student;

        if (equals_folded(known->id, student)
            || equals_folded(known->name, student)
            || equals_folded(known->email, student)
            || equals_folded(known->login, student))
            i++;
        else
            book->row[i] = book->row[--book->rows];
    }
    if (book->rows)
        qsort(book->row, book->rows, sizeof *book->row, by_id);
    book->cell = calloc(book->rows * (size_t)book->labs + 1,
                        sizeof *book->cell);
    for (size_t i = 0; book->cell && i < book->rows; i++)
        book->row[i].cell = book->cell + i * (size_t)book->labs;
    return ok && book->cell;
}
