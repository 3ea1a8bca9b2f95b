/* SPDX-License-Identifier: MIT */
/* The runner knows which line stored an element; the grader, which are wrong. */
#include "stored.h"

#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "state.h"

enum {
    SAMPLES = 64, /* wrong elements that are asked about, and correct ones */
    LINES = 8
};

/* Elements by the line that stored them. */
struct lines {
    char place[LINES][FACT_SIZE];
    unsigned wrong[LINES], right[LINES];
    size_t count;
    bool are_known; /* of all elements, and there was room */
};

/* Where the elements are. */
struct source {
    const struct comparison *comparison;
    unsigned argument;
    size_t offset, bytes; /* of the first element; of each */
};

static size_t line_of(struct lines *lines, const char *place)
{
    size_t i = 0;

    while (i < lines->count && strcmp(lines->place[i], place) != 0)
        i++;
    if (i < LINES && i == lines->count)
        text_format(lines->place[lines->count++], FACT_SIZE, "%s", place);
    return i;
}

/* Ask about SAMPLES of the `all` elements that are wrong, or correct. */
static void ask(const struct source *source, bool is_wrong, size_t all,
                struct lines *lines)
{
    size_t seen = 0, asked = 0;

    for (size_t i = 0; i < source->comparison->count && lines->are_known; i++) {
        char place[FACT_SIZE];
        size_t line;

        if ((source->comparison->wrong_mask[i] != 0) != is_wrong)
            continue;
        if (seen++ * SAMPLES < asked * all && all > SAMPLES)
            continue;
        asked++;
        lines->are_known =
            session_stored_at(suite_state.session, source->argument,
                              source->offset + i * source->bytes, place)
            && *place && (line = line_of(lines, place)) < LINES;
        if (lines->are_known)
            ++*(is_wrong ? &lines->wrong[line] : &lines->right[line]);
    }
}

/* The only line with wrong elements; LINES: there are several, or none. */
static size_t only_wrong(const struct lines *lines)
{
    size_t found = LINES;

    for (size_t i = 0; i < lines->count; i++) {
        if (!lines->wrong[i])
            continue;
        if (found < LINES)
            return LINES;
        found = i;
    }
    return found;
}

/* "add.cu:17:9" without its column. */
static const char *without_column(const char *place, char text[FACT_SIZE])
{
    const char *colon = strrchr(place, ':');

    return text_format(text, FACT_SIZE, "%.*s",
                       (int)(colon ? colon - place : (long)strlen(place)),
                       place);
}

/* What the line says of the mistake: other lines stored correct elements. */
static void tell(const struct lines *lines, size_t wrong, char *text)
{
    char others[3 * FACT_SIZE] = "", line[FACT_SIZE];
    size_t count = 0;

    for (size_t i = 0; i < lines->count && count < 2; i++)
        if (i != wrong && lines->right[i]) {
            snprintf(others + strlen(others), sizeof others - strlen(others),
                     "%s%s", count++ ? " and " : "",
                     without_column(lines->place[i], line));
        }
    if (count)
        text_format(text, STORED_SIZE,
                    "%s: note: the wrong elements were stored here%s; those "
                    "that %s stored are correct", lines->place[wrong],
                    lines->right[wrong] ? ", correct ones too" : "", others);
}

void suite_compare_stores(const struct evidence *evidence,
                          char text[STORED_SIZE])
{
    const struct comparison *comparison = evidence->comparison;
    struct lines lines = {.are_known = true};
    struct source source = {.comparison = comparison,
                            .bytes = element_bytes(evidence->expected->type)};
    const struct arg *arg;
    size_t wrong;

    *text = 0;
    arg = suite_output_argument(evidence->expected, &source.argument);
    if (!suite_state.session->report || !arg || !evidence->on_device
        || comparison->wrong == comparison->count)
        return;
    source.offset = (size_t)((const char *)evidence->expected->got
                             - (const char *)arg->data);
    ask(&source, true, comparison->wrong, &lines);
    ask(&source, false, comparison->count - comparison->wrong, &lines);
    wrong = only_wrong(&lines);
    if (lines.are_known && wrong < LINES)
        tell(&lines, wrong, text);
}
