/* SPDX-License-Identifier: MIT */
/* The order of a student's attempts at a lab, and their lateness. */
#include "gradebook_attempts.h"

#include <string.h>

#include "common/base/json_member.h"
#include "common/base/text.h"

void cell_note(struct cell *cell, const char *format, const char *what)
{
    size_t used = strlen(cell->notes);

    if (used + 2 < NOTES_BYTES && used)
        used += (size_t)snprintf(cell->notes + used, 3, "; ");
    text_format(cell->notes + used, NOTES_BYTES - used, format, what);
}

/* A member that is absent counts as 0. */
static int64_t number(const json_t *entry, const char *key)
{
    return (int64_t)member_count(entry, key);
}

bool entry_is_internal(const json_t *entry)
{
    return !strcmp(entry_text(entry, "verdict"), "INTERNAL");
}

/* When it was found, or found again. */
static int64_t found(const json_t *entry)
{
    return number(entry, number(entry, "returned") ? "returned" : "seen");
}

/* Did a come after b (above 0), before it, or does nothing tell (0)?  Of two
 * that were first read together the one that is still there is the later. */
static int compare(const json_t *a, const json_t *b)
{
    static const char *const keys[] = {"read", "attempt"};

    if (entry_is_internal(a) != entry_is_internal(b))
        return entry_is_internal(b) ? 1 : -1; /* an error of ours hides no
                                               * submission */
    if (number(a, "submitted") != number(b, "submitted"))
        return number(a, "submitted") > number(b, "submitted") ? 1 : -1;
    if (found(a) != found(b))
        return found(a) > found(b) ? 1 : -1;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (number(a, keys[i]) != number(b, keys[i]))
            return number(a, keys[i]) > number(b, keys[i]) ? 1 : -1;
    return 0;
}

/* Files with the same text, or refused for the same reason. */
static bool are_equal(const json_t *a, const json_t *b)
{
    static const char *const keys[] = {"content", "verdict", "message"};
    bool same = true;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        same = same && !strcmp(entry_text(a, keys[i]), entry_text(b, keys[i]));
    return same || (*entry_text(a, "content")
                    && !strcmp(entry_text(a, "content"),
                               entry_text(b, "content")));
}

void cell_take_later(struct cell *cell, const json_t *entry)
{
    const json_t *other = cell->entry;
    int order = compare(entry, other);

    if (order < 0)
        return;
    /* of the same second: platforms number submissions */
    if (order > 0 || strverscmp(entry_text(entry, "from"),
                                entry_text(other, "from")) > 0)
        cell->entry = entry;
    if (order > 0)
        cell->rival = NULL;
    else if (!number(entry, "submitted") && !are_equal(entry, other))
        cell->rival = cell->entry == entry ? other : entry;
}

bool cell_refuse_rival(struct cell *cell)
{
    char both[160];

    if (!cell->rival)
        return false;
    cell->state = CELL_PENDING;
    text_format(cell->verdict, sizeof cell->verdict, "NOT GRADED");
    cell_note(cell, "two submissions, %s, and nothing says which is the later: "
              "remove or rename one and run autograde again",
              text_format(both, sizeof both, "%.60s and %.60s",
                          entry_text(cell->rival, "from"),
                          entry_text(cell->entry, "from")));
    return true;
}

/* "24:00:01" */
static char *format_late(char text[32], int64_t seconds)
{
    return text_format(text, 32, "%lld:%02d:%02d", (long long)(seconds / 3600),
                       (int)(seconds / 60 % 60), (int)(seconds % 60));
}

/* Platforms tell the time of submission, or only that it was late. */
void cell_set_late(const struct course_lab *lab, struct cell *cell)
{
    int64_t submitted = number(cell->entry, "submitted");
    bool says_late = json_is_true(json_object_get(cell->entry, "late"));
    char text[64], due[TIME_TEXT], late[32];

    cell->factor = 1;
    if (lab->deadline.seconds && submitted > lab->deadline.seconds)
        cell->late = submitted - lab->deadline.seconds;
    else if (!submitted && says_late)
        cell->late = 1 + (int64_t)lab->late.grace;
    if (!cell->late)
        return;
    cell->factor = late_factor(&lab->late, (double)cell->late);
    cell->is_time_known = submitted != 0;
    if (!submitted)
        cell_note(cell, "%s", "late by an unknown time: counted as one day");
    else
        cell_note(cell, "late by %s",
                  text_format(text, sizeof text, "%s: was due %s",
                              format_late(late, cell->late),
                              deadline_format(due, &lab->deadline)));
    if (cell->factor < 1)
        cell_note(cell, "keeps %s of its points",
                  text_format(text, sizeof text, "%g %%", 100 * cell->factor));
}
