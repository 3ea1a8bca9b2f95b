/* SPDX-License-Identifier: MIT */
/* warpbook evidence RESULTS STUDENT: what answers an appeal. */
#include <stdio.h>
#include <string.h>

#include "common.h"
#include "common/base/json_member.h"
#include "common/base/text.h"
#include "grader/autograde/gradebook.h"
#include "grader/autograde/text_clean.h"

/* One line; what came from a submission may hold anything. */
static void line(const char *name, const char *text)
{
    char clean[2400];

    text_format(clean, sizeof clean, "%s", text);
    make_printable(clean);
    for (char *at = clean; *at; at++)
        if (*at == '\n')
            *at = ' ';
    for (char *end = clean + strlen(clean); end > clean && end[-1] == ' ';)
        *--end = 0;
    printf("  %-14s %s\n", name, clean);
}

/* Times of 0 are unknown. */
static void time_line(const char *name, const json_t *object, const char *key)
{
    char text[TIME_TEXT];
    int64_t seconds = (int64_t)member_count(object, key);

    line(name, seconds ? time_format(text, seconds) : "not known");
}

/* Every test with its points, message, review and findings. */
static void show_tests(const json_t *result)
{
    static const char *const lists[] = {"tests", "checks", "costs", "speed"};
    const json_t *test, *finding;
    size_t i, k;

    for (size_t n = 0; n < sizeof lists / sizeof *lists; n++)
        json_array_foreach(json_object_get(result, lists[n]), i, test) {
            char text[2400];

            text_format(text, sizeof text, "%-10s %g/%g  %s%s%s",
                        member_text(test, "verdict", "?"),
                        member_number(test, "score"),
                        member_number(test, "max_score"), test_reason(test),
                        *member_text(test, "review", "") ? "  REVIEW: " : "",
                        member_text(test, "review", ""));
            line(member_text(test, "name", "?"), text);
            json_array_foreach(json_object_get(test, "findings"), k, finding)
                line("  finding", text_format(
                    text, sizeof text, "%s at %s: %s (%g times)",
                    member_text(finding, "kind", "?"),
                    member_text(finding, "place", "?"),
                    member_text(finding, "message", ""),
                    member_number(finding, "count")));
        }
}

/* Settings are stored as lines "name=value". */
static void show_settings(const char *settings)
{
    while (*settings) {
        int length = (int)strcspn(settings, "\n");
        int name = (int)strcspn(settings, "=\n");
        char key[64], value[300];

        text_format(key, sizeof key, "%.*s", name, settings);
        text_format(value, sizeof value, "%.*s",
                    length > name ? length - name - 1 : 0,
                    settings + name + 1);
        if (name < length)
            line(key, value);
        settings += length + (settings[length] == '\n');
    }
}

/* The decision, and all its reasons. */
static void show_result(const struct store *store, const json_t *entry,
                        const json_t *graded)
{
    const json_t *result = json_object_get(graded, "result");
    const json_t *limits = json_object_get(graded, "limits");
    const bool hidden = strstr(member_text(graded, "settings", ""),
                               "\nhidden=") != NULL;
    char text[300];

    line("verdict", text_format(text, sizeof text, "%s, %g of %g points",
                                member_text(result, "verdict", "?"),
                                member_number(result, "score"),
                                member_number(result, "max_score")));
    if (*member_text(result, "message", ""))
        line("message", member_text(result, "message", ""));
    printf("\n  Tests, checks and costs, with the first mismatch of each\n");
    show_tests(result);
    printf("\n  How it was graded\n");
    time_line("graded", graded, "graded");
    line("seed", member_text(result, "seed", "?"));
    line("sandbox", member_text(result, "sandbox", "?"));
    line("isolation", member_text(graded, "isolation", "?"));
    line("limits", text_format(text, sizeof text,
                               "%g s a call, %g MiB, %g processes",
                               member_number(limits, "seconds"),
                               member_number(limits, "memory_bytes") / 1048576,
                               member_number(limits, "processes")));
    show_settings(member_text(graded, "settings", ""));
    line("program", member_text(graded, "program", "?"));
    line("key", member_text(graded, "key", "?"));
    printf("\n  The same inputs again:\n    build/warpbook grade %s --from "
           "%s/files/%s.cu --seed %s --device %s --time-limit %g "
           "--memory-limit %g%s%s%s\n\n",
           member_text(result, "lab", "?"), store->path,
           entry_text(entry, "content"), member_text(result, "seed", "?"),
           member_text(result, "device", "?"), member_number(limits, "seconds"),
           member_number(limits, "memory_bytes") / 1048576,
           hidden ? " --hidden " : "", hidden ? store->path : "",
           hidden ? "/hidden" : "");
}

/* A submission from the file to the mark. */
static void show_entry(const struct store *store, const struct course *course,
                       const json_t *entry)
{
    const struct deadline *deadline =
        &course_lab(course, entry_text(entry, "lab"))->deadline;
    json_t *graded = entry_result(store, entry);
    char due[TIME_TEXT];
    const json_t *old;
    size_t i;

    printf("%s, %s\n", *entry_text(entry, "lab") ? entry_text(entry, "lab")
                                                 : "no lab",
           entry_student(entry, "id"));
    if (*entry_student(entry, "name")) /* known from a roster, or a download */
        line("student", entry_student(entry, "name"));
    line("from", entry_text(entry, "from"));
    time_line("submitted", entry, "submitted");
    line("was due", *deadline_format(due, deadline) ? due : "at no time");
    time_line("first read", entry, "seen");
    if (member_count(entry, "returned"))
        time_line("and again", entry, "returned");
    line("file", *entry_text(entry, "content") ? entry_text(entry, "content")
                                               : "none");
    if (*entry_text(entry, "verdict")) {
        line("verdict", entry_text(entry, "verdict"));
        line("why", entry_text(entry, "message"));
    } else if (graded) {
        show_result(store, entry, graded);
    } else {
        line("verdict", "not graded yet");
    }
    json_array_foreach(json_object_get(entry, "previous"), i, old)
        line("replaced", json_string_value(old) ? json_string_value(old) : "");
    json_decref(graded);
}

/* The marks in the gradebook: scaled, after the late policy. */
static void show_marks(const struct store *store, const char *stem,
                       const char *student)
{
    static struct gradebook book;
    struct failure failure;

    if (!gradebook_make(store, &(struct given){.stem = stem}, student, &book,
                        &failure)) {
        fprintf(stderr, "warpbook: %s\n", failure.text);
        return;
    }
    printf("  In the gradebook\n");
    for (size_t i = 0; i < book.rows; i++)
        for (int k = 0; k < book.labs; k++) {
            const struct cell *cell = &book.row[i].cell[k];
            char text[NOTES_BYTES + 300], points[80], number[32], most[32];
            char counts[100] = "";

            if (!cell->entry && !*cell->notes)
                continue;
            if (cell->attempts > 1 && !cell->rival)
                text_format(counts, sizeof counts, ", %.80s counts",
                            entry_text(cell->entry, "from"));
            if (cell->state == CELL_PENDING)
                strcpy(points, "no mark");
            else
                text_format(points, sizeof points, "%s of %s points",
                            points_text(number, cell->points),
                            points_text(most, cell->max));
            text_format(text, sizeof text, "%s, %s; submissions: %d%s%s%s",
                        points, cell->verdict, cell->attempts, counts,
                        *cell->notes ? "; " : "", cell->notes);
            line(book.stem[k], text);
        }
    gradebook_free(&book);
}

/* One of the roster who submitted nothing, or not that lab: the gradebook has a
 * row all the same.  @return false: the roster does not have this student */
static bool show_absent(const struct roster *roster, const char *word,
                        const struct store *store, const char *stem)
{
    for (size_t i = 0; i < roster->count; i++) {
        const struct student *student = &roster->student[i];
        const char *const names[] = {student->id, student->name,
                                     student->email, student->login,
                                     student->sid, student->canvas,
                                     student->participant};

        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (*word && equals_folded(names[k], word)) {
                printf("%s\n", student->id);
                line("student", student->name);
                line("submitted", stem ? "nothing of this lab" : "nothing");
                show_marks(store, stem, student->id);
                return true;
            }
    }
    return false;
}

/* All entries of a student, or those of one lab. */
static int run(const struct options *options)
{
    static struct course course;
    struct roster roster;
    struct store store;
    struct failure failure;
    struct entries entries;
    const char *stem = options->lab ? lab_stem(options->lab) : NULL;
    char student[sizeof((struct student *)0)->id] = "";
    int shown = 0;

    if (options->lab && !stem)
        return report_error(EXIT_USAGE, "no lab is called \"%.40s\"",
                            options->lab);
    if (!store_open(options->words[0], STORE_READ, &store, &failure))
        return report_error(EXIT_USAGE, "%s", failure.text);
    if (!settings_load(&store, &(struct given){0}, &course, &roster, &failure)
        || !entries_read(&store, &entries, &failure)) {
        store_close(&store);
        return report_error(EXIT_GRADER_ERROR, "%s", failure.text);
    }
    for (size_t i = 0; i < entries.count; i++) {
        const json_t *entry = entries.entry[i];

        if (!entry_is_of(entry, options->words[1])
            || (stem && strcmp(stem, entry_text(entry, "lab"))))
            continue;
        show_entry(&store, &course, entry);
        text_format(student, sizeof student, "%s", entry_student(entry, "id"));
        shown++;
    }
    if (shown)
        show_marks(&store, stem, student);
    else
        shown = show_absent(&roster, options->words[1], &store, stem);
    entries_free(&entries);
    roster_free(&roster);
    store_close(&store);
    return shown ? EXIT_FULL
                 : report_error(EXIT_USAGE, "%s: nothing of \"%.60s\", who is "
                                "in no roster either", options->words[0],
                                options->words[1]);
}

const struct verb verb_evidence = {
    "evidence", "RESULTS STUDENT", "print what answers an appeal",
    "STUDENT is an id, number, address, login, full name, or the name of the "
    "folder or file that was submitted.",
    "L", 2, 2, run};
