/* SPDX-License-Identifier: MIT */
/* Reading rosters. */
#include "roster.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/text.h"
#include "csv.h"
#include "text_clean.h"

enum { MAX_BYTES = 16 << 20 };
static const size_t max_students = 100000;

/* A column: its names in the exports that are known, and its member. */
struct column {
    const char *names[8];
    size_t offset, bytes;
};

#define COLUMN(member, ...) \
    {{__VA_ARGS__, NULL}, offsetof(struct student, member), \
     sizeof((struct student *)0)->member}
static const struct column columns[] = {
    COLUMN(name, "name", "full name", "student", "student name"),
    COLUMN(email, "email", "email address", "e-mail"),
    COLUMN(login, "login", "username", "sis login id", "user name",
           "login_id"),
    COLUMN(section, "group_name", "group", "groups", "section", "sections"),
    COLUMN(sid, "sid", "student id", "sis user id", "id number", "student_id",
           "user_id"),
    COLUMN(canvas, "canvas id", "canvas_user_id", "id"),
    COLUMN(participant, "identifier", "participant"),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Full names in two columns. */
static const char *const first_names[] = {"first name", "firstname", NULL};
static const char *const last_names[] = {"last name", "lastname", "surname",
                                         NULL};

/* Columns name members of struct student by their offset. */
static char *member(struct student *student, const struct column *column)
{
    return (char *)student + column->offset;
}

/* A line may have fewer fields than the header. */
static const char *field(const struct csv *csv, int column)
{
    return column >= 0 && column < csv->fields ? csv->field[column] : "";
}

/* The first of these that is not empty identifies a student in results. */
static void choose_id(struct student *student)
{
    const char *candidates[] = {student->sid, student->login, student->email,
                                student->canvas, student->participant,
                                student->name};

    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
        if (*candidates[i]) {
            text_format(student->id, sizeof student->id, "%.95s",
                        candidates[i]);
            return;
        }
}

/* Moodle writes "Participant 1234567". */
static void strip_to_number(char *participant)
{
    char *digits = participant + strcspn(participant, "0123456789");

    memmove(participant, digits, strlen(digits) + 1);
}

/* Where the columns of a file are, -1 for those that it lacks. */
struct layout {
    int column[COLUMNS], first, last;
    int count; /* of all columns */
};

/* Blanks around a field would be part of a number that matches nobody's. */
static void trim(char *text)
{
    static const char blanks[] = " \t";
    char *start = text + strspn(text, blanks), *end = start + strlen(start);

    while (end > start && strchr(blanks, end[-1]))
        end--;
    *end = 0;
    memmove(text, start, (size_t)(end - start) + 1);
}

/* Absent columns leave empty strings; a name may come in two columns. */
static void read_student(const struct csv *csv, const struct layout *layout,
                         struct student *student)
{
    char name[256];

    *student = (struct student){0};
    for (int i = 0; i < csv->fields; i++)
        trim(csv->field[i]);
    for (int i = 0; i < (int)COLUMNS; i++)
        clean_copy(member(student, &columns[i]), columns[i].bytes,
                   field(csv, layout->column[i]));
    if (!*student->name && (layout->first >= 0 || layout->last >= 0)) {
        text_format(name, sizeof name, "%.100s %.100s",
                    field(csv, layout->first), field(csv, layout->last));
        text_join_lines(name);
        trim(name); /* one of the two may be empty */
        clean_copy(student->name, sizeof student->name, name);
    }
    strip_to_number(student->participant);
    choose_id(student);
}

/* Canvas's export has up to two lines below the first that are no students:
 * which assignments are posted by hand, with nothing before that, and
 * points. */
static bool is_canvas_row(const struct csv *csv, const struct student *student)
{
    if (strstr(student->name, "Points Possible"))
        return true;
    for (int i = 0; !*student->id && i < csv->fields; i++)
        if (!strncmp(csv->field[i], "Manual Posting", 14)
            || !strcmp(csv->field[i], "Muted"))
            return true;
    return false;
}

/* Ids are compared without regard to case, as e-mail addresses are. */
static const struct student *find_id(const struct roster *roster,
                                     const char *id)
{
    for (size_t i = 0; i < roster->count; i++)
        if (equals_folded(roster->student[i].id, id))
            return &roster->student[i];
    return NULL;
}

/* Two lines of one student are an error: marks could go to either. */
static bool append(struct roster *roster, const struct student *student,
                   const struct csv *csv, struct failure *failure)
{
    struct student *more;

    if (!*student->id)
        return fail(failure, "%s:%d: this line names no student", csv->path,
                    csv->line);
    if (find_id(roster, student->id))
        return fail(failure, "%s:%d: a second line for student \"%s\"",
                    csv->path, csv->line, student->id);
    if (roster->count == max_students)
        return fail(failure, "%s:%d: more than %zu students", csv->path,
                    csv->line, max_students);
    more = realloc(roster->student, (roster->count + 1) * sizeof *more);
    if (!more)
        return fail(failure, "%s: out of memory", csv->path);
    roster->student = more;
    more[roster->count++] = *student;
    return true;
}

/* Any order of columns; unknown columns are ignored. */
static bool read_header(struct csv *csv, struct layout *layout,
                        struct failure *failure)
{
    bool any = false;

    if (!csv_next(csv, failure))
        return *failure->text
               ? false
               : fail(failure, "%s: empty; its first line should name its "
                      "columns", csv->path);
    for (int i = 0; i < (int)COLUMNS; i++) {
        layout->column[i] = csv_column(csv, columns[i].names);
        any |= layout->column[i] >= 0;
    }
    layout->first = csv_column(csv, first_names);
    layout->last = csv_column(csv, last_names);
    layout->count = csv->fields;
    any |= layout->first >= 0 && layout->last >= 0;
    return any
           || fail(failure, "%s:%d: no column names a student: expected one of "
                   "name, email, login, sid, identifier", csv->path, csv->line);
}

/* A comma in a name without quotes shifts the fields behind it. */
static bool check_fields(const struct csv *csv, const struct layout *layout,
                         struct failure *failure)
{
    for (int i = layout->count; i < csv->fields; i++)
        if (csv->field[i][strspn(csv->field[i], " \t")])
            return fail(failure, "%s:%d: more fields than the first line has "
                        "columns (%d): put a text that has a '%c' into "
                        "quotes (\")", csv->path, csv->line, layout->count,
                        csv->separator);
    return true;
}

bool roster_read(const char *path, struct roster *roster,
                 struct failure *failure)
{
    size_t length = 0;
    char *text = read_file(path, MAX_BYTES, &length);
    struct csv csv;
    struct layout layout = {0};
    bool ok;

    *roster = (struct roster){0};
    if (!text)
        return fail(failure, "%s: %s", path, strerror(errno));
    if (strlen(text) != length) {
        free(text);
        return fail(failure, "%s: not text: it has a NUL; a spreadsheet saves "
                    "it as \"CSV UTF-8\"", path);
    }
    text = text_to_utf8(text);
    if (!text)
        return fail(failure, "out of memory");
    csv_open(&csv, path, text);
    ok = read_header(&csv, &layout, failure);
    while (ok && csv_next(&csv, failure)) {
        struct student student;

        ok = check_fields(&csv, &layout, failure);
        read_student(&csv, &layout, &student);
        if (ok && !is_canvas_row(&csv, &student))
            ok = append(roster, &student, &csv, failure);
    }
    ok = ok && !*failure->text
         && (roster->count
             || fail(failure, "%s: no student below the line that names the "
                     "columns", path));
    free(text);
    roster->claim = calloc(roster->count + 1, sizeof *roster->claim);
    if (ok && !roster->claim)
        ok = fail(failure, "%s: out of memory", path);
    if (!ok)
        roster_free(roster);
    return ok;
}

void roster_free(struct roster *roster)
{
    free(roster->student);
    free(roster->claim);
    *roster = (struct roster){0};
}
