/* SPDX-License-Identifier: MIT */
/* Whose submission is it: names as people write them, exports of Canvas, Moodle
 * and Gradescope, groups, and names that decide nothing. */
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "grader/autograde/person_name.h"
#include "grader/autograde/roster_match.h"
#include "scratch.h"

/* The roster of this text. */
static struct roster read(const char *text)
{
    struct failure failure = {""};
    struct roster roster = {0};

    CU_ASSERT_FATAL(roster_read(scratch("roster.csv", text, strlen(text)),
                                &roster, &failure));
    return roster;
}

/* The id of the student of a plain folder; "-": none. */
static const char *plain(const struct roster *roster, const char *folder)
{
    struct student found = {0};
    struct roster_match match;

    strcpy(found.id, folder);
    roster_match(roster, &found, &match);
    return match.student ? match.student->id : *match.doubt ? "?" : "-";
}

static void names(void)
{
    static const struct {
        const char *a, *b;
        enum name_match match;
    } pairs[] = {
        {"Garcia, Jose", "Jose Garcia", NAME_EQUAL},
        {"Garc\xc3\xad" "a L\xc3\xb3pez, Jos\xc3\xa9", "JOSE GARCIA-LOPEZ",
         NAME_EQUAL},
        {"Jose\xcc\x81 Garcia", "garcia_jos\xc3\xa9", NAME_EQUAL},
        {"O'Neil, J\xc3\xb6rg", "Jorg O\xe2\x80\x99Neil", NAME_EQUAL},
        {"\xc5\x81ukasz Stra\xc3\x9f", "strass, lukasz", NAME_EQUAL},
        {"Nguy\xe1\xbb\x85n V\xc4\x83n An", "Nguyen Van An", NAME_EQUAL},
        {"garcialopezjose", "Jose Garcia Lopez", NAME_EQUAL},
        {"Cy", "cy", NAME_EQUAL},
        {"\xe7\x8e\x8b \xe4\xbc\x9f", "\xe4\xbc\x9f \xe7\x8e\x8b", NAME_EQUAL},
        {"Garcia, Jose Maria", "Jose Garcia", NAME_MIDDLE},
        {"Jose M. Garcia", "Jose Maria Garcia", NAME_MIDDLE},
        {"Jose A. Garcia", "Jose Maria Garcia", NAME_DIFFERS},
        {"Jose Garcia Lopez", "Jose Garcia", NAME_DIFFERS},
        {"Maria Jose Garcia", "Jose Garcia", NAME_DIFFERS},
        {"Garcia", "Jose Garcia", NAME_DIFFERS},
        {"", "", NAME_DIFFERS},
        {"...", "---", NAME_DIFFERS},
    };

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        CU_ASSERT_EQUAL(names_compare(pairs[i].a, pairs[i].b), pairs[i].match);
        CU_ASSERT_EQUAL(names_compare(pairs[i].b, pairs[i].a), pairs[i].match);
    }
}

/* A name that is equal goes first; two that are as near decide nothing. */
static void plain_folders(void)
{
    struct roster roster = read("sid,name\n1,\"Garcia, Jose\"\n2,Ann Lee\n"
                                "3,Lee Ann\n4,\"M\xc3\xbcller, Bo\"\n"
                                "5,Cy Anna Dee\n");
    struct student other = {.id = "Cy Dee"};

    CU_ASSERT_STRING_EQUAL(plain(&roster, "Jos\xc3\xa9 Garc\xc3\xad" "a"), "1");
    CU_ASSERT_STRING_EQUAL(plain(&roster, "ann lee"), "2");
    CU_ASSERT_STRING_EQUAL(plain(&roster, "Lee, Ann"), "?");
    CU_ASSERT_STRING_EQUAL(plain(&roster, "bo_muller"), "4");
    CU_ASSERT_STRING_EQUAL(plain(&roster, "Bo Miller"), "-");
    CU_ASSERT_STRING_EQUAL(plain(&roster, "5"), "5");
    CU_ASSERT_STRING_EQUAL(plain(&roster, "Cy Dee"), "?"); /* not announced */
    roster_expect(&roster, &other);
    CU_ASSERT_STRING_EQUAL(plain(&roster, "Cy Dee"), "5");
    CU_ASSERT_PTR_NULL(roster_find(&roster, &other));
    other = (struct student){.id = "Cy A. Dee"}; /* two that could be */
    roster_expect(&roster, &other);
    CU_ASSERT_STRING_EQUAL(plain(&roster, "Cy Dee"), "?");
    other = (struct student){.id = "5"}; /* the student's own */
    roster_expect(&roster, &other);
    CU_ASSERT_STRING_EQUAL(plain(&roster, "Cy A. Dee"), "?");
    roster_free(&roster);
}

/* Both lines below Canvas's first one, and names in two columns. */
static void canvas_export(void)
{
    struct roster roster = read(
        "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,Lab 1 (7)\n"
        ",,,,,,Manual Posting (scores hidden from instructors)\n"
        "    Points Possible,,,,,,100\n"
        "Garc\xc3\xad" "a,Jos\xc3\xa9,11,s1,jg,A,\nGarcia,Jose,12,s2,jo,A,\n");
    struct student found = {.id = "13", .canvas = "13", .name = "garciajose"};

    CU_ASSERT_EQUAL(roster.count, 2);
    CU_ASSERT_PTR_NULL(roster_find(&roster, &found)); /* a third one */
    strcpy(found.canvas, "12");
    CU_ASSERT_PTR_EQUAL(roster_find(&roster, &found), &roster.student[1]);
    roster_free(&roster);
}

/* A worksheet is of one assignment: in another one its numbers are others'. */
static void moodle_worksheet(void)
{
    struct roster roster = read("Identifier,Full name,Email address,Group\n"
                                "Participant 7,Cy Dee,c@x.org,Red team\n"
                                "Participant 8,Ann Lee,a@x.org,Blue\n"
                                "Participant 9,Bo Ray,b@x.org,Red team\n");
    struct student found = {.id = "9", .participant = "9", .name = "Cy Dee"};
    size_t at = 0;

    CU_ASSERT_PTR_EQUAL(roster_find(&roster, &found), &roster.student[0]);
    strcpy(found.name, "Participant"); /* marked blindly */
    CU_ASSERT_PTR_EQUAL(roster_find(&roster, &found), &roster.student[2]);
    CU_ASSERT_PTR_NULL(roster_member(&roster, &found, &at));
    found = (struct student){.id = "8", .participant = "8", .name = "Red team"};
    CU_ASSERT_PTR_NULL(roster_find(&roster, &found)); /* a group's number */
    at = 0;
    CU_ASSERT_PTR_EQUAL(roster_member(&roster, &found, &at), roster.student);
    CU_ASSERT_PTR_EQUAL(roster_member(&roster, &found, &at),
                        &roster.student[2]);
    CU_ASSERT_PTR_NULL(roster_member(&roster, &found, &at));
    roster_free(&roster);
}

/* The students of submissions that are read together: one id, "?" or "-" for
 * each, with a blank between them. */
static const char *together(struct roster *roster, const struct student *found,
                            size_t count)
{
    static char text[200];
    struct roster_match match;

    *text = 0;
    for (size_t i = 0; i < count; i++)
        roster_expect(roster, &found[i]);
    for (size_t i = 0; i < count; i++) {
        roster_match(roster, &found[i], &match);
        strcat(strcat(text, i ? " " : ""), match.student ? match.student->id
                                           : *match.doubt ? "?" : "-");
    }
    roster_free(roster);
    return text;
}

/* Two people with one name, of whom the roster has one: by the numbers of
 * Moodle, of Canvas and of Gradescope. */
static void namesakes(void)
{
    static const struct student moodle[] = {
        {.id = "11", .participant = "11", .name = "Ann Lee"},
        {.id = "12", .participant = "12", .name = "Ann Lee"},
        {.id = "13", .participant = "13", .name = "Bo Ray"}};
    static const struct student canvas[] = {
        {.id = "21", .canvas = "21", .name = "leeann"},
        {.id = "22", .canvas = "22", .name = "leeann"}};
    static const struct student gradescope[] = {
        {.id = "31", .sid = "31", .name = "Ann Lee"},
        {.id = "32", .sid = "32", .name = "Ann Lee"}};
    struct roster roster = read("login,name\nal,Ann Lee\nbr,Bo Ray\n");

    CU_ASSERT_STRING_EQUAL(together(&roster, moodle, 3), "? ? br");
    roster = read("identifier,name\n11,Ann Lee\n13,Bo Ray\n");
    CU_ASSERT_STRING_EQUAL(together(&roster, moodle, 3), "11 ? 13");
    roster = read("login,name\nal,Ann Lee\n");
    CU_ASSERT_STRING_EQUAL(together(&roster, canvas, 2), "? ?");
    roster = read("login,name,ID\nal,Ann Lee,22\n");
    CU_ASSERT_STRING_EQUAL(together(&roster, canvas, 2), "- al");
    roster = read("login,name\nal,Ann Lee\n");
    CU_ASSERT_STRING_EQUAL(together(&roster, gradescope, 2), "? ?");
    roster = read("login,name\nal,Ann Lee\n"); /* in two files */
    CU_ASSERT_STRING_EQUAL(together(&roster, moodle + 1, 1), "al");
}

/* A number of one student that is a login, or an address, of another. */
static void numbers_of_two(void)
{
    struct roster roster = read("sid,login,email,name\n5,1001,a@x.org,Ann\n"
                                "1001,b,b@x.org,Bo\n7,c,b@x.org,Cy\n");
    struct student found = {.id = "5", .sid = "5", .email = "b@x.org",
                            .name = "Ann"};
    struct roster_match match;

    CU_ASSERT_STRING_EQUAL(plain(&roster, "1001"), "?");
    CU_ASSERT_STRING_EQUAL(plain(&roster, "b@x.org"), "?");
    CU_ASSERT_STRING_EQUAL(plain(&roster, "5"), "5");
    CU_ASSERT_STRING_EQUAL(plain(&roster, "c"), "7");
    roster_match(&roster, &found, &match);
    CU_ASSERT_PTR_NULL(match.student);
    CU_ASSERT_PTR_NOT_NULL(strstr(match.doubt, "Ann (5) and of Bo (1001)"));
    CU_ASSERT_PTR_NULL(roster_find(&roster, &found));
    roster_free(&roster);
}

/* Names in spellings that this program does not know decide nothing. */
static void foreign_spellings(void)
{
    static const char *const others[] = {
        "Joerg Mueller", "Jurg Muller", "J. Muller", "Jorg Muller-Lee",
        "Jorg Muller Jr", "Muller", "Jorg", "Jorgmuller Lee", "Georg Muller",
        "\xd0\x99\xd0\xbe\xd1\x80\xd0\xb3 \xd0\x9c\xd1\x8e\xd0\xbb",
        "Jorg Muller (2)", "Jorg Mullerr", "Jorg  de Muller Lee"};
    static const char *const same[] = {
        "Muller, Jorg", "jorg_muller", "J\xc3\x96RG M\xc3\x9cLLER",
        "Jo\xcc\x88rg Mu\xcc\x88ller", "mullerjorg", "Jorg-Muller",
        " Jorg.Muller ", "MULLER Jorg"};
    struct roster roster = read("sid,name\n1,\"M\xc3\xbcller, J\xc3\xb6rg\"\n"
                                "2,Jorge Mulle\n3,Georgia Miller\n");

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CU_ASSERT_STRING_EQUAL(plain(&roster, others[i]), "-");
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        CU_ASSERT_STRING_EQUAL(plain(&roster, same[i]), "1");
    roster_free(&roster);
}

/* Canvas's export of groups, Moodle's of participants. */
static void group_columns(void)
{
    struct roster roster = read(
        "name,canvas_user_id,user_id,login_id,sections,group_name\n"
        "Ann Lee,11,s1,alee,A,Group B\nBo Ray,12,s2,bray,A,Group C\n");
    struct student found = {.id = "11", .canvas = "11", .name = "groupb"};
    size_t at = 0;

    CU_ASSERT_STRING_EQUAL(roster.student[0].login, "alee");
    CU_ASSERT_PTR_EQUAL(roster_member(&roster, &found, &at), roster.student);
    CU_ASSERT_PTR_NULL(roster_member(&roster, &found, &at));
    roster_free(&roster);
    roster = read("First name,Last name,Email address,Groups\n"
                  "Ann,Lee,a@x.org,\"Red, Blue\"\n");
    found = (struct student){.id = "3", .participant = "3", .name = "Blue"};
    at = 0;
    CU_ASSERT_PTR_EQUAL(roster_member(&roster, &found, &at), roster.student);
    roster_free(&roster);
}

int main(void)
{
    CU_TestInfo tests[] = {{"names", names},
                           {"plain folders", plain_folders},
                           {"an export of Canvas", canvas_export},
                           {"a worksheet of Moodle", moodle_worksheet},
                           {"columns with groups", group_columns},
                           {"people with one name", namesakes},
                           {"numbers of two students", numbers_of_two},
                           {"foreign spellings", foreign_spellings},
                           CU_TEST_INFO_NULL};

    return run_tests("roster", tests);
}
