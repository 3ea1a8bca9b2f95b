/* SPDX-License-Identifier: MIT */
/* The changes that a regrade made. */
#include "comparison.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/base/json_member.h"
#include "common/base/text.h"
#include "grader/autograde/entry.h"
#include "grader/autograde/text_clean.h"

/* The lab may have changed: tests are the same when their names are. */
static const json_t *find_test(const json_t *list, const char *name)
{
    const json_t *test;
    size_t i;

    json_array_foreach(list, i, test)
        if (!strcmp(member_text(test, "name", ""), name))
            return test;
    return NULL;
}

/* Have both the same verdict, points and most points? */
static bool is_same_mark(const json_t *a, const json_t *b)
{
    return a && b
           && !strcmp(member_text(a, "verdict", ""),
                      member_text(b, "verdict", ""))
           && member_number(a, "score") == member_number(b, "score")
           && member_number(a, "max_score") == member_number(b, "max_score");
}

/* "WRONG 5/20", or "none". */
static const char *show_mark(char text[64], const json_t *of)
{
    if (!of)
        return "none";
    return text_format(text, 64, "%.15s %g/%g", member_text(of, "verdict", "?"),
                       member_number(of, "score"),
                       member_number(of, "max_score"));
}

/* Print the tests that differ, and those that only one result has. */
static void compare_tests(const json_t *old, const json_t *now)
{
    static const char *const lists[] = {"tests", "checks", "costs", "speed"};
    char from[64], to[64];
    const json_t *test, *other;
    size_t k;

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const json_t *before = json_object_get(old, lists[i]);
        const json_t *after = json_object_get(now, lists[i]);

        json_array_foreach(after, k, test) {
            other = find_test(before, member_text(test, "name", ""));
            if (!is_same_mark(other, test))
                printf("      %-12s %s -> %s\n",
                       member_text(test, "name", "?"), show_mark(from, other),
                       show_mark(to, test));
        }
        json_array_foreach(before, k, test)
            if (!find_test(after, member_text(test, "name", "")))
                printf("      %-12s %s -> none\n",
                       member_text(test, "name", "?"), show_mark(from, test));
    }
}

void comparison_print(struct comparison *comparison, const json_t *entry,
                      const json_t *old, const json_t *now)
{
    const json_t *a = json_object_get(old, "result");
    const json_t *b = json_object_get(now, "result");
    const bool same = is_same_mark(a, b);
    char name[NAME_COLUMN], from[64], to[64];

    comparison->all++;
    comparison->different += !same;
    printf("  %s %s %-16s %s -> %s\n", same ? "same   " : "CHANGED",
           name_column(name, entry_student(entry, "id")),
           entry_text(entry, "lab"), show_mark(from, a), show_mark(to, b));
    compare_tests(a, b);
}
