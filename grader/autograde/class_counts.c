/* SPDX-License-Identifier: MIT */
/* Counting the results of a class. */
#include "class_counts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/json_member.h"
#include "common/base/text.h"

const char *const point_lists[] = {"tests", "checks", "costs", "speed", NULL};

/* --- diagnoses ------------------------------------------------------------ */

/* May the character be part of an identifier? */
static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The end of a number in decimal or hexadecimal, with an exponent. */
static const char *skip_number(const char *at)
{
    while (is_word(*at) || (*at == '.' && is_word(at[1]))
           || ((*at == '+' || *at == '-') && tolower(at[-1]) == 'e'))
        at++;
    return at;
}

/* Copy a text; numbers become an ellipsis, what stands in parentheses is left
 * out. */
static void copy_pattern(char *to, const char *from)
{
    static const char dots[] = "\u2026";
    char before = ' ';
    size_t n = 0;

    while (*from && n + sizeof dots < COUNT_TEXT) {
        const char *end = *from == '(' ? strchr(from, ')') : NULL;
        bool is_number = isdigit((unsigned char)*from) && !is_word(before);

        before = *from;
        if (end) {
            from = end + 1;
            n -= n > 0 && to[n - 1] == ' ';
        } else if (is_number) {
            memcpy(to + n, dots, sizeof dots - 1);
            n += sizeof dots - 1;
            from = skip_number(from);
        } else {
            to[n++] = *from++;
        }
    }
    to[n] = 0;
}

char *diagnosis_text(char *text, const char *message)
{
    const char *wrong = strstr(message, " wrong"), *at = message, *part;

    if (wrong && (part = strstr(wrong, "; "))) {
        at = part + 2;
    } else if (wrong && strstr(wrong, " wrong, ")) {
        at = wrong + 1;
    } else if (wrong && strstr(message, "should be")) {
        at = "wrong elements in no known pattern";
    } else {
        part = strstr(message, ": ");
        at = part ? part + 2 : message;
    }
    copy_pattern(text, at);
    return text;
}

/* --- tallies -------------------------------------------------------------- */

/* Count a text once for a student.
 * @param row  from 1 */
static void tally(struct tallies *all, const char *text, const char *example,
                  size_t row)
{
    struct tally *item = all->item;

    while (item < all->item + all->count && strcmp(item->text, text))
        item++;
    if (item == all->item + all->count) {
        item = realloc(all->item, (all->count + 1) * sizeof *item);
        if (!item)
            abort();
        all->item = item;
        item += all->count++;
        *item = (struct tally){0};
        text_format(item->text, COUNT_TEXT, "%s", text);
        text_format(item->example, COUNT_TEXT, "%s", example);
    }
    item->students += item->last != row;
    item->last = row;
}

/* For qsort(): the commonest first, then by text, so that the order is the same
 * each time. */
static int by_students(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;

    if (x->students != y->students)
        return x->students < y->students ? 1 : -1;
    return strcmp(x->text, y->text);
}

/* qsort() must not get a null pointer. */
static void sort_tallies(struct tallies *all)
{
    if (all->count)
        qsort(all->item, all->count, sizeof *all->item, by_students);
}

/* --- tests ---------------------------------------------------------------- */

/* A budget is named for its counter: with its case it is unique. */
static void name_test(char name[64], const json_t *test)
{
    const char *part = member_text(test, "case", "");

    text_format(name, 64, "%s%s%s", part, *part ? " " : "",
                member_text(test, "name", "?"));
}

/* The counts of a test, by name; a new test is appended. */
static struct test_counts *find_test(struct class_counts *counts,
                                     const json_t *test, bool is_test)
{
    struct test_counts *found = counts->test;
    char name[64];

    name_test(name, test);
    while (found < counts->test + counts->tests && strcmp(found->name, name))
        found++;
    if (found < counts->test + counts->tests)
        return found;
    found = realloc(counts->test, (counts->tests + 1) * sizeof *found);
    if (!found)
        abort();
    counts->test = found;
    found += counts->tests++;
    *found = (struct test_counts){.is_test = is_test};
    text_format(found->name, sizeof found->name, "%s", name);
    text_format(found->title, COUNT_TEXT, "%s",
                member_text(test, "title", ""));
    return found;
}

/* One student's result of one test: points, verdict, diagnosis, findings. */
static void count_test(struct class_counts *counts, const char *list,
                       const json_t *test, size_t row)
{
    const bool is_test = !strcmp(list, point_lists[0]);
    struct test_counts *found = find_test(counts, test, is_test);
    const char *verdict = member_text(test, "verdict", "?");
    const char *message = member_text(test, "message", "");
    const json_t *finding;
    double score = member_number(test, "score");
    char text[COUNT_TEXT];
    size_t k;

    if (score >= member_number(test, "max_score")
        && !strcmp(verdict, "PASS"))
        found->full++;
    else if (score > 0)
        found->partial++;
    else
        found->none++;
    tally(&found->verdicts, verdict, "", row);
    if (is_test && *message && strcmp(verdict, "UNMEASURED"))
        tally(&counts->diagnoses, diagnosis_text(text, message), message, row);
    json_array_foreach(json_object_get(test, "findings"), k, finding)
        tally(&counts->findings, member_text(finding, "kind", "?"),
              member_text(finding, "message", ""), row);
}

void class_count(const struct gradebook *book, int lab,
                 struct class_counts *counts)
{
    const json_t *result, *test;
    size_t k, n;

    *counts = (struct class_counts){0};
    for (size_t i = 0; i < book->rows; i++) {
        result = json_object_get(cell_result(&book->row[i].cell[lab]),
                                 "result");
        counts->graded += result != NULL;
        if (*member_text(result, "message", "")) { /* no test has run */
            tally(&counts->diagnoses, member_text(result, "verdict", "?"),
                  member_text(result, "message", ""), i + 1);
            continue;
        }
        for (n = 0; point_lists[n]; n++)
            json_array_foreach(json_object_get(result, point_lists[n]), k,
                               test)
                count_test(counts, point_lists[n], test, i + 1);
    }
    sort_tallies(&counts->diagnoses);
    sort_tallies(&counts->findings);
    for (size_t i = 0; i < counts->tests; i++)
        sort_tallies(&counts->test[i].verdicts);
}

void class_counts_free(struct class_counts *counts)
{
    for (size_t i = 0; i < counts->tests; i++)
        free(counts->test[i].verdicts.item);
    free(counts->test);
    free(counts->diagnoses.item);
    free(counts->findings.item);
    *counts = (struct class_counts){0};
}
