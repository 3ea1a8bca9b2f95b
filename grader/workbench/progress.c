/* SPDX-License-Identifier: MIT */
/* From the lines of the journal to how far each lab is, and what is next. */
#include "progress.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/terminal.h"
#include "common/base/text.h"
#include "grader/lab/suite_table.h"
#include "journal.h"

enum { BAR_COLUMNS = 32, ROW_COLUMNS = 72, POINTS_OF_A_LAB = 100 };

/* The cost of the try with the most points; of two such, the better one. */
static bool is_best(const struct journal_entry *entry,
                    const struct lab_progress *lab)
{
    return entry->score > lab->best || !*lab->cost
           || (entry->score >= lab->best
               && strtod(entry->cost, NULL) >= strtod(lab->cost, NULL));
}

static void count_grade(const struct journal_entry *entry,
                        struct lab_progress *lab)
{
    lab->tries++;
    lab->max_score = entry->max_score;
    lab->is_passed |= !strcmp(entry->verdict, "PASS");
    if (entry->score >= lab->best && is_best(entry, lab))
        text_format(lab->cost, sizeof lab->cost, "%s", entry->cost);
    if (entry->score > lab->best)
        lab->best = entry->score;
    text_format(lab->verdict, sizeof lab->verdict, "%s", entry->verdict);
    text_format(lab->test, sizeof lab->test, "%s", entry->test);
    text_format(lab->hint, sizeof lab->hint, "%s", entry->hint);
}

void progress_read(struct progress *progress)
{
    struct journal_entry *entries;
    size_t count = journal_read(&entries);

    *progress = (struct progress){0};
    for (size_t i = 0; i < count; i++) {
        const struct journal_entry *entry = &entries[i];
        struct lab_progress *lab;

        if (entry->lab < 1 || entry->lab > PROGRESS_LABS)
            continue;
        lab = &progress->lab[entry->lab];
        lab->last = entry->when;
        switch (entry->kind) {
        case JOURNAL_GRADE:
            count_grade(entry, lab);
            progress->last = entry->lab;
            break;
        case JOURNAL_HINT: lab->hints++; break;
        case JOURNAL_ANSWER: lab->is_answered = true; break;
        case JOURNAL_RESET: lab->hints = 0; break;
        }
    }
    free(entries);
}

bool is_complete(const struct lab_progress *lab)
{
    return lab->max_score > 0 && lab->best >= lab->max_score;
}

/* The first lab that is not complete, from an index on, then from the first;
 * -1: all are. */
static int next_lab_from(const struct progress *progress, int start)
{
    int count = 0;

    while (suites[count])
        count++;
    for (int i = 0; i < count; i++) {
        const int at = (start + i) % count;

        if (!is_complete(&progress->lab[atoi(suites[at]->stem)]))
            return at;
    }
    return -1;
}

int next_lab(const struct progress *progress)
{
    int start = 0;

    for (int i = 0; suites[i]; i++)
        if (atoi(suites[i]->stem) == progress->last)
            start = i;
    return next_lab_from(progress, start);
}

int lab_after(const struct progress *progress, const char *stem)
{
    int index = 0, next;

    while (strcmp(suites[index]->stem, stem))
        index++;
    next = next_lab_from(progress, index + 1);
    if (next < 0 || next == index)
        next = suites[index + 1] ? index + 1 : 0;
    return next;
}

const char *next_lab_stem(const struct progress *progress)
{
    const int at = next_lab(progress);

    return suites[at < 0 ? 0 : at]->stem;
}

const char *last_lab_stem(const struct progress *progress)
{
    for (int i = 0; suites[i]; i++)
        if (atoi(suites[i]->stem) == progress->last)
            return suites[i]->stem;
    return suites[0]->stem;
}

void progress_show_bar(FILE *out, const struct progress *progress)
{
    double points = 0, all = 0;
    int labs = 0, complete = 0, filled;
    char bar[BAR_COLUMNS + 1] = "";

    for (; suites[labs]; labs++) {
        const struct lab_progress *lab =
            &progress->lab[atoi(suites[labs]->stem)];

        complete += is_complete(lab);
        points += lab->best;
        all += lab->max_score > 0 ? lab->max_score : POINTS_OF_A_LAB;
    }
    filled = (int)(BAR_COLUMNS * points / all);
    memset(bar, '.', BAR_COLUMNS);
    memset(bar, '#', (size_t)filled);
    fprintf(out, "[%s%.*s%s%s]%c%d of %d labs, %g of %g points\n",
            style(out, STYLE_GREEN), filled, bar, style(out, STYLE_NONE),
            bar + filled, text_columns(out) < ROW_COLUMNS ? '\n' : ' ',
            complete, labs, points, all);
}

void progress_show_next(FILE *out, const struct progress *progress)
{
    const int at = next_lab(progress);
    const struct lab_progress *lab;
    const char *stem, *name;
    char text[256];

    if (at < 0) {
        fprintf(out, "All labs have full points.\n");
        return;
    }
    stem = suites[at]->stem;
    name = strchr(stem, '_') + 1;
    lab = &progress->lab[atoi(stem)];
    if (!lab->tries)
        text_format(text, sizeof text, "Next: read labs/%s/README.md, then "
                    "edit %s.cu there.", stem, name);
    else if (lab->is_passed && !strcmp(lab->verdict, "PASS"))
        text_format(text, sizeof text, "Next: all tests of lab %.2s pass; %g "
                    "of %g points are left.", stem, lab->max_score - lab->best,
                    lab->max_score);
    else if (!strcmp(lab->test, "-")) /* no test ran */
        text_format(text, sizeof text, "Next: labs/%s/%s.cu; it %s.", stem,
                    name, !strcmp(lab->verdict, "BUILD") ? "does not build"
                                                         : "was not graded");
    else
        text_format(text, sizeof text, "Next: labs/%s/%s.cu; test %s was %s.",
                    stem, name, lab->test, lab->verdict);
    text_wrap(out, 0, text);
    fprintf(out, "    build/warpbook watch %.2s\n", stem);
}
