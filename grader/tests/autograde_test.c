/* SPDX-License-Identifier: MIT */
/* The autograder's parsers: names in downloads, rosters, settings, times,
 * late policies, CSV. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "grader/autograde/csv.h"
#include "grader/autograde/late.h"
#include "grader/autograde/roster_match.h"
#include "grader/autograde/text_clean.h"
#include "scratch.h"

/* --- names ---------------------------------------------------------------- */

/* The folder names of a download of Moodle. */
static void moodle_names(void)
{
    struct download_name parsed;

    CU_ASSERT(parse_moodle_name("Ann Lee_1234567_assignsubmission_file_",
                                &parsed));
    CU_ASSERT_STRING_EQUAL(parsed.student.name, "Ann Lee");
    CU_ASSERT_STRING_EQUAL(parsed.student.participant, "1234567");
    CU_ASSERT_STRING_EQUAL(parsed.file, "");
    CU_ASSERT(parse_moodle_name(
        "J\xc3\xb6rg_O'Neil_42_assignsubmission_file_vector_add.cu", &parsed));
    CU_ASSERT_STRING_EQUAL(parsed.student.name, "J\xc3\xb6rg_O'Neil");
    CU_ASSERT_STRING_EQUAL(parsed.student.participant, "42");
    CU_ASSERT_STRING_EQUAL(parsed.file, "vector_add.cu");
    CU_ASSERT_FALSE(parse_moodle_name("Ann Lee_assignsubmission_file_",
                                      &parsed));
    CU_ASSERT_FALSE(parse_moodle_name("_7_assignsubmission_file_x",
                                      &parsed) && *parsed.student.name);
    CU_ASSERT(is_moodle_text("Ann Lee_7_assignsubmission_onlinetext_"));
    CU_ASSERT_FALSE(is_moodle_text("Ann Lee_7_assignsubmission_file_"));
    CU_ASSERT_FALSE(parse_moodle_name("7_assignsubmission_file_", &parsed));
    CU_ASSERT_FALSE(parse_moodle_name("vector_add.cu", &parsed));
}

/* The file names of a download of Canvas, with lateness and attempt. */
static void canvas_names(void)
{
    struct download_name parsed;

    CU_ASSERT(parse_canvas_name("leeann_LATE_12345_67890_vector_add-2.cu",
                                &parsed));
    CU_ASSERT_STRING_EQUAL(parsed.student.name, "leeann");
    CU_ASSERT_STRING_EQUAL(parsed.student.canvas, "12345");
    CU_ASSERT_STRING_EQUAL(parsed.file, "vector_add.cu");
    CU_ASSERT_EQUAL(parsed.attempt, 2);
    CU_ASSERT(parsed.is_late);
    CU_ASSERT(parse_canvas_name("leeann_12345_67890_my_work.tar.gz",
                                &parsed));
    CU_ASSERT_FALSE(parsed.is_late);
    CU_ASSERT_EQUAL(parsed.attempt, 0);
    CU_ASSERT_STRING_EQUAL(parsed.file, "my_work.tar.gz");
    CU_ASSERT(parse_canvas_name("van_dyke_7jo_LATE_12_34_vector_add.cu",
                                &parsed));
    CU_ASSERT_STRING_EQUAL(parsed.student.name, "van_dyke_7jo");
    CU_ASSERT_STRING_EQUAL(parsed.student.canvas, "12");
    CU_ASSERT(parsed.is_late);
    CU_ASSERT_FALSE(parse_canvas_name("leeann_12_text.html", &parsed));
    CU_ASSERT_FALSE(parse_canvas_name("_LATE_12_34_x.cu", &parsed));
    CU_ASSERT_FALSE(parse_canvas_name("vector_add.cu", &parsed));
    CU_ASSERT_FALSE(parse_canvas_name("leeann_12345_vector_add.cu", &parsed));
    CU_ASSERT_FALSE(parse_canvas_name("leeann_12345_67890_", &parsed));
}

static struct gradescope_entry found[8];
static int founds;

/* Keeps the entries that the reader finds. */
static bool add(void *user, const struct gradescope_entry *entry)
{
    (void)user;
    if (founds < 8)
        found[founds++] = *entry;
    return true;
}

/* Keys are known by their depth: output of a student cannot forge them. */
static void gradescope_metadata(void)
{
    static const char text[] =
        "---\nsubmission_11:\n  :submitters:\n  - :name: Ann Lee\n"
        "    :sid: '0042'\n    :email: ann@x.org\n"
        "  :created_at: 2026-03-01 10:00:00.123456000 Z\n"
        "  :score: 3.0\n  :results:\n    output: |-\n"
        "      :name: Forged\n      :sid: '1'\n"
        "    tests:\n    - :name: t\n      :sid: '2'\n"
        "  :history:\n  - :created_at: 2020-01-01\n"
        "    :submitters:\n    - :name: Old\n      :sid: '9'\n"
        "submission_12:\n  :submitters:\n  - :name: Bo\n    :sid:\n"
        "    :email: bo@x.org\n  - :name: Cy\n    :sid: '7'\n"
        "submission_13:\n  :submitters: []\n  :created_at: 2026-03-02\n";
    struct failure failure = {""};

    founds = 0;
    CU_ASSERT(read_gradescope("m.yml", text, strlen(text), add, NULL,
                              &failure));
    CU_ASSERT_EQUAL_FATAL(founds, 4);
    CU_ASSERT_STRING_EQUAL(found[0].folder, "submission_11");
    CU_ASSERT_STRING_EQUAL(found[0].student.name, "Ann Lee");
    CU_ASSERT_STRING_EQUAL(found[0].student.id, "0042");
    CU_ASSERT_STRING_EQUAL(found[0].created,
                           "2026-03-01 10:00:00.123456000 Z");
    CU_ASSERT_STRING_EQUAL(found[1].student.id, "bo@x.org");
    CU_ASSERT_EQUAL(found[1].submitters, 2);
    CU_ASSERT_STRING_EQUAL(found[2].student.sid, "7");
    CU_ASSERT_STRING_EQUAL(found[3].student.id, "submission_13");
    CU_ASSERT_FALSE(read_gradescope("m.yml", "a:\n  b: [1\n", 11, add, NULL,
                                    &failure));
    CU_ASSERT_EQUAL(strncmp(failure.text, "m.yml:3: ", 9), 0);
}

/* --- times ---------------------------------------------------------------- */

/* -1 if it is no time. */
static int64_t seconds_of(const char *text)
{
    int64_t seconds = -1;

    return time_parse(text, &seconds) ? seconds : -1;
}

/* With zones, fractions and without seconds; all platforms' forms. */
static void times(void)
{
    char text[TIME_TEXT];

    CU_ASSERT_EQUAL(seconds_of("2026-03-01T10:00Z"), 1772359200);
    CU_ASSERT_EQUAL(seconds_of("2026-03-01T11:00+01:00"), 1772359200);
    CU_ASSERT_EQUAL(seconds_of("2026-03-01 10:00:00.123456000 Z"), 1772359200);
    CU_ASSERT_EQUAL(seconds_of("2026-03-01 02:00:00 -0800"), 1772359200);
    CU_ASSERT_EQUAL(seconds_of("2026-02-29"), -1);
    CU_ASSERT_EQUAL(seconds_of("2026-3-1"), -1);
    CU_ASSERT_EQUAL(seconds_of("2026-03-01T25:00Z"), -1);
    CU_ASSERT_EQUAL(seconds_of("2026-03-01T10:00 tomorrow"), -1);
    CU_ASSERT_EQUAL(seconds_of("soon"), -1);
    CU_ASSERT_STRING_EQUAL(time_format(text, 1772359200),
                           "2026-03-01T10:00:00Z");
}

/* The share of its points that a submission keeps, or -1 for no policy. */
static double kept(const char *policy, double seconds)
{
    struct late_policy late;

    return late_parse(policy, &late) ? late_factor(&late, seconds) : -1;
}

/* Grace, days begun, and the most days. */
static void late_policies(void)
{
    CU_ASSERT_EQUAL(kept("accept", 1e9), 1);
    CU_ASSERT_EQUAL(kept("refuse", 0), 1);
    CU_ASSERT_EQUAL(kept("refuse", 1), 0);
    CU_ASSERT_EQUAL(kept("refuse grace 15", 900), 1);
    CU_ASSERT_EQUAL(kept("refuse grace 15", 901), 0);
    CU_ASSERT_DOUBLE_EQUAL(kept("10%/day", 1), 0.9, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(kept("10%/day", 86400), 0.9, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(kept("10%/day", 86401), 0.8, 1e-12);
    CU_ASSERT_EQUAL(kept("60%/day", 2 * 86400), 0);
    CU_ASSERT_DOUBLE_EQUAL(kept("10%/day, max 3, grace 5", 2e5), 0.7, 1e-12);
    CU_ASSERT_EQUAL(kept("10%/day, max 3", 3e5), 0);
    CU_ASSERT_EQUAL(kept("10% a day", 1), -1);
    CU_ASSERT_EQUAL(kept("101%/day", 1), -1);
    CU_ASSERT_EQUAL(kept("10%/day max", 1), -1);
    CU_ASSERT_EQUAL(kept("", 1), -1);
}

/* --- files ---------------------------------------------------------------- */

/* Quotes, separators and line ends in fields; a file of any platform. */
static void csv_rows(void)
{
    char text[] = "\xef\xbb\xbf"
                  "name;a,b;c\r\n\n\"x \"\"y\"\";\nz\";2\r\nlast;";
    char broken[] = "a,b\n\"c\nd,e\n";
    struct csv csv;
    struct failure failure;

    csv_open(&csv, "f.csv", text);
    CU_ASSERT(csv_next(&csv, &failure));
    CU_ASSERT_EQUAL(csv.fields, 3);
    CU_ASSERT_STRING_EQUAL(csv.field[1], "a,b");
    CU_ASSERT(csv_next(&csv, &failure));
    CU_ASSERT_STRING_EQUAL(csv.field[0], "x \"y\";\nz");
    CU_ASSERT_STRING_EQUAL(csv.field[1], "2");
    CU_ASSERT_EQUAL(csv.line, 3);
    CU_ASSERT(csv_next(&csv, &failure));
    CU_ASSERT_EQUAL(csv.line, 5);
    CU_ASSERT_STRING_EQUAL(csv.field[0], "last");
    CU_ASSERT_EQUAL(csv.fields, 2);
    CU_ASSERT_FALSE(csv_next(&csv, &failure));
    CU_ASSERT_STRING_EQUAL(failure.text, "");
    csv_open(&csv, "f.csv", broken);
    CU_ASSERT(csv_next(&csv, &failure));
    CU_ASSERT_FALSE(csv_next(&csv, &failure));
    CU_ASSERT_STRING_EQUAL(failure.text,
                           "f.csv:2: a quote (\") is never closed");
}

/* A field that a spreadsheet would execute gets an apostrophe. */
static void csv_formulas(void)
{
    static const char *const texts[][2] = {
        {"plain", "plain"},       {"a,b", "\"a,b\""},
        {"say \"x\"", "\"say \"\"x\"\"\""},
        {"=1+1", "\"'=1+1\""},    {"+1", "\"'+1\""},
        {"-1", "\"'-1\""},        {"@SUM(A1)", "\"'@SUM(A1)\""},
        {"\t=1", "\"'\t=1\""},    {"a=1", "a=1"},
        {"  =1", "\"'  =1\""},    {" a", "\" a\""},
        {"", ""}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *text = NULL;
        size_t length;
        FILE *out = open_memstream(&text, &length);

        csv_write(out, texts[i][0]);
        fclose(out);
        CU_ASSERT_STRING_EQUAL(text, texts[i][1]);
        free(text);
    }
}

/* A roster of this text. */
static bool read_roster(const char *text, struct roster *roster,
                        struct failure *failure)
{
    return roster_read(scratch("roster.csv", text, strlen(text)), roster,
                       failure);
}

/* Canvas's, Moodle's and Gradescope's columns; double and nameless lines. */
static void rosters(void)
{
    static const char canvas[] =
        "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1\n"
        "    Points Possible,,,,,100\n"
        "\"Lee, Ann\",12345,s042,alee,A,\n\"Ray, Bo\",12346,s043,bray,A,\n";
    struct student found = {.canvas = "12346", .id = "12346",
                            .name = "raybo"};
    struct roster roster;
    struct failure failure = {""};

    CU_ASSERT_FATAL(read_roster(canvas, &roster, &failure));
    CU_ASSERT_EQUAL(roster.count, 2);
    CU_ASSERT_STRING_EQUAL(roster.student[0].name, "Lee, Ann");
    CU_ASSERT_PTR_EQUAL(roster_find(&roster, &found), &roster.student[1]);
    found = (struct student){.id = "ALEE"};
    CU_ASSERT_PTR_EQUAL(roster_find(&roster, &found), &roster.student[0]);
    found = (struct student){.canvas = "99", .id = "s042"};
    CU_ASSERT_PTR_NULL(roster_find(&roster, &found));
    roster_free(&roster);
    CU_ASSERT(read_roster("Identifier,Full name,Email address\n"
                          "Participant 77,Cy Dee,c@x.org\n", &roster,
                          &failure));
    found = (struct student){.participant = "77", .id = "77"};
    CU_ASSERT_PTR_EQUAL(roster_find(&roster, &found), roster.student);
    roster_free(&roster);
    CU_ASSERT(read_roster("name;email\nM\xfcller \x80;m@x.org\n", &roster,
                          &failure));
    CU_ASSERT_STRING_EQUAL(roster.student[0].name,
                           "M\xc3\xbcller \xe2\x82\xac");
    roster_free(&roster);
    CU_ASSERT(
        read_roster("\xef\xbb\xbfsid,name,mark\r\n1,A,\r\n,,\r\n , \t,\r\n"
                    "2,\"B, C\",\r\n,,\r\n",
                    &roster, &failure));
    CU_ASSERT_EQUAL(roster.count, 2);
    CU_ASSERT_STRING_EQUAL(roster.student[1].name, "B, C");
    roster_free(&roster);
    CU_ASSERT(read_roster("first name,last name,x\nAnn, Lee ,\nB,Ray,,,\n",
                          &roster, &failure));
    CU_ASSERT_STRING_EQUAL(roster.student[0].id, "Ann Lee");
    roster_free(&roster);
    CU_ASSERT(read_roster("sid;name\n 12\t; Ann  Lee \n", &roster, &failure));
    CU_ASSERT_STRING_EQUAL(roster.student[0].id, "12");
    CU_ASSERT_STRING_EQUAL(roster.student[0].name, "Ann  Lee");
    roster_free(&roster);
    CU_ASSERT_FALSE(read_roster("sid,name\n\n", &roster, &failure));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure.text, "no student below the line"));
    CU_ASSERT_FALSE(read_roster("sid,name\n1,Lee, Ann\n", &roster, &failure));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure.text, ":2: more fields than"));
    CU_ASSERT_FALSE(read_roster("sid,mark\n1,5\n,4\n", &roster, &failure));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure.text, ":3: this line names no"));
    CU_ASSERT_FALSE(read_roster("sid,name\n1,A\n\n1,B\n", &roster, &failure));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure.text, "roster.csv:4: a second"));
    CU_ASSERT_FALSE(read_roster("color\nred\n", &roster, &failure));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure.text, ":1: no column names"));
    CU_ASSERT_FALSE(read_roster("", &roster, &failure));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure.text, "empty"));
}

/* --- texts ---------------------------------------------------------------- */

/* No control characters, no broken UTF-8, nothing cut in a character. */
static void cleaned_texts(void)
{
    char text[16];

    CU_ASSERT_STRING_EQUAL(clean_copy(text, sizeof text, "a\033[31mb"),
                           "a?[31mb");
    CU_ASSERT_STRING_EQUAL(clean_copy(text, sizeof text, "a\xff" "b"), "a?b");
    CU_ASSERT_STRING_EQUAL(name_copy(text, 9, "M\xfcller \xc3"), "M\xc3\xbcller ");
    CU_ASSERT_STRING_EQUAL(name_copy(text, 9, "M\xf6\nx"), "M\xc3\xb6?x");
    CU_ASSERT_STRING_EQUAL(clean_copy(text, 4, "ab\xc3\xbc"), "ab");
    CU_ASSERT_STRING_EQUAL(clean_copy(text, 5, "ab\xc3\xbc"), "ab\xc3\xbc");
}

int main(void)
{
    CU_TestInfo tests[] = {{"names of Moodle", moodle_names},
                           {"names of Canvas", canvas_names},
                           {"metadata of Gradescope", gradescope_metadata},
                           {"times", times},
                           {"late policies", late_policies},
                           {"CSV: rows", csv_rows},
                           {"CSV: formulas", csv_formulas},
                           {"rosters", rosters},
                           {"cleaned texts", cleaned_texts},
                           CU_TEST_INFO_NULL};

    return run_tests("autograde", tests);
}
