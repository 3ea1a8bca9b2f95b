/* SPDX-License-Identifier: MIT */
/* The page of a submission: marks, tests, findings in the source, attempts, and
 * what answers an appeal. */
#include <stdlib.h>
#include <string.h>

#include "common/base/json_member.h"
#include "common/base/text.h"
#include "pages.h"

/* The submitted file.  @return malloced, or NULL */
static char *read_source(const struct store *store, const json_t *entry)
{
    char name[STORE_NAME];
    size_t length = 0;

    text_format(name, sizeof name, "files/%.64s.cu",
                entry_text(entry, "content"));
    return *entry_text(entry, "content") ? store_read(store, name, &length)
                                         : NULL;
}

/* --- attempts and evidence ------------------------------------------------ */

static void write_time(struct html *h, const json_t *object, const char *key)
{
    char text[TIME_TEXT];
    int64_t time = (int64_t)member_count(object, key);

    html_open(h, "td");
    html_text(h, time ? time_format(text, time) : "not known");
    html_close(h);
}

static void write_attempt(struct html *h, const struct store *store,
                          const json_t *entry, bool counts)
{
    json_t *graded = entry_result(store, entry);
    const json_t *result = json_object_get(graded, "result");
    const char *verdict = entry_text(entry, "verdict");

    html_open(h, "tr");
    write_time(h, entry, "submitted");
    write_time(h, entry, "seen");
    html_open(h, "td");
    page_verdict(h, *verdict ? verdict
                             : member_text(result, "verdict", "NOT GRADED"));
    html_close(h);
    html_open_with(h, "td", "class=n");
    html_textf(h, "%g", member_number(result, "score"));
    html_close(h);
    html_open(h, "td");
    html_textf(h, "%s%s, regraded %zu times", counts ? "counts; " : "",
               entry_text(entry, "from"),
               json_array_size(json_object_get(entry, "previous")));
    html_close(h);
    html_close(h);
    html_newline(h);
    json_decref(graded);
}

static void write_attempts(struct html *h, const struct store *store,
                           const struct gradebook *book, const struct row *row,
                           int lab)
{
    static const char *const head[] = {"submitted", "first read", "verdict",
                                       "score", "file", NULL};
    const struct cell *cell = &row->cell[lab];

    html_element(h, "h2", "Attempts");
    html_open_with(h, "div", "class=wide");
    html_open(h, "table");
    page_head_row(h, head);
    for (size_t i = 0; i < book->entries.count; i++) {
        const json_t *entry = book->entries.entry[i];

        if (entry == cell->entry
            || (!strcmp(entry_text(entry, "lab"), book->stem[lab])
                && entry_is_of(entry, row->student.id)))
            write_attempt(h, store, entry, entry == cell->entry);
    }
    html_close(h);
    html_close(h);
}

/* The settings of a result are lines of `key=value`. */
static void write_settings(struct html *h, const char *settings)
{
    while (*settings) {
        size_t length = strcspn(settings, "\n");
        size_t name = strcspn(settings, "=\n");
        char key[64], value[300];

        text_format(key, sizeof key, "%.*s", (int)name, settings);
        text_format(value, sizeof value, "%.*s",
                    length > name ? (int)(length - name - 1) : 0,
                    settings + name + 1);
        page_fact(h, key, value);
        settings += length + (settings[length] == '\n');
    }
}

static void write_evidence(struct html *h, const struct store *store,
                           const struct cell *cell,
                           const struct deadline *deadline)
{
    const json_t *result = json_object_get(cell_result(cell), "result");
    const json_t *limits = json_object_get(cell_result(cell), "limits"), *old;
    char text[300];
    size_t i;

    html_element(h, "h2", "Evidence");
    html_open(h, "dl");
    page_fact(h, "file", entry_text(cell->entry, "from"));
    page_fact(h, "content", entry_text(cell->entry, "content"));
    if (deadline->seconds)
        page_fact(h, "was due", deadline_format(text, deadline));
    if (result) {
        page_fact(h, "seed of inputs", member_text(result, "seed", ""));
        page_fact(h, "graded", time_format(
            text, (int64_t)member_count(cell_result(cell), "graded")));
        page_fact(h, "isolation",
                  member_text(cell_result(cell), "isolation", ""));
        page_fact(h, "sandbox", member_text(result, "sandbox", ""));
        page_fact(h, "limits", text_format(
            text, sizeof text, "%g s a call, %g MiB, %g processes",
            member_number(limits, "seconds"),
            member_number(limits, "memory_bytes") / 1048576,
            member_number(limits, "processes")));
        write_settings(h, member_text(cell_result(cell), "settings", ""));
        page_fact(h, "program", member_text(cell_result(cell), "program", ""));
        page_fact(h, "key", member_text(cell_result(cell), "key", ""));
    }
    json_array_foreach(json_object_get(cell->entry, "previous"), i, old)
        page_fact(h, "replaced", json_string_value(old));
    html_close(h);
    if (!result)
        return;
    html_element(h, "p", "The same inputs again:");
    html_open(h, "pre");
    html_textf(h, "build/warpbook grade %s --from %s/files/%s.cu --seed %s "
               "--device %s", member_text(result, "lab", "?"), store->path,
               entry_text(cell->entry, "content"),
               member_text(result, "seed", "?"),
               member_text(result, "device", "?"));
    if (strstr(member_text(cell_result(cell), "settings", ""), "\nhidden="))
        html_textf(h, " --hidden %s/hidden", store->path);
    html_close(h);
}

/* --- the page ------------------------------------------------------------- */

static void write_mark(struct html *h, const struct cell *cell)
{
    char points[32], most[32];

    html_open(h, "p");
    page_verdict(h, cell->verdict);
    if (cell->state == CELL_PENDING)
        html_text(h, " no mark: not graded yet");
    else
        html_textf(h, " %s of %s points", points_text(points, cell->points),
                   points_text(most, cell->max));
    if (cell->state == CELL_GRADED
        && (cell->max != cell->raw_max || cell->factor < 1))
        html_textf(h, " (%s of %s as graded; %.0f %% of them count)",
                   points_text(points, cell->raw),
                   points_text(most, cell->raw_max), 100 * cell->factor);
    html_close(h);
    if (!*cell->notes)
        return;
    html_open_with(h, "p", "class=note");
    html_text(h, cell->notes);
    html_close(h);
}

void print_submission_page(FILE *out, const struct store *store,
                           const struct gradebook *book,
                           const struct row *row, int lab)
{
    const struct cell *cell = &row->cell[lab];
    const json_t *result = json_object_get(cell_result(cell), "result");
    struct html html = {.out = out}, *h = &html;
    char *source = read_source(store, cell->entry), title[300];

    html_begin(h, text_format(title, sizeof title, "%s: %s", row->student.id,
                              book->stem[lab]), pages_style);
    html_open(h, "p");
    html_open_with(h, "a", "href=index.html");
    html_text(h, "The class");
    html_close(h);
    html_close(h);
    html_open(h, "h1");
    html_element(h, "bdi", *row->student.name ? row->student.name
                                              : row->student.id);
    html_textf(h, ": %s", member_text(result, "title", book->stem[lab]));
    html_close(h);
    html_open(h, "p");
    html_element(h, "bdi", row->student.id);
    html_textf(h, ", %s", book->stem[lab]);
    html_close(h);
    write_mark(h, cell);
    if (*member_text(result, "message", "")) {
        html_open(h, "pre");
        html_text(h, member_text(result, "message", ""));
        html_close(h);
    }
    if (result && json_array_size(json_object_get(result, "tests")))
        page_tests(h, result);
    page_findings(h, result, source);
    write_attempts(h, store, book, row, lab);
    write_evidence(h, store, cell,
                   &course_lab(&book->course, book->stem[lab])->deadline);
    if (source) {
        html_open(h, "details");
        html_element(h, "summary", "The file as submitted");
        page_lines(h, source, 1, 1L << 30, 0);
        html_close(h);
    }
    free(source);
    html_end(h);
}
