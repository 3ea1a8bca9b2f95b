/* SPDX-License-Identifier: MIT */
/* The findings of an instrumented runner's report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/core.h"
#include "common/softgpu/watch/findings.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "reference_calls.h"
#include "watch.h"

static const struct {
    const char *name, *title;
} kinds[] = {
#define X(name, text, title) {text, title},
    SOFTGPU_FINDING_KINDS(X)
#undef X
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void copy_json_text(const json_t *object, const char *key, char *text,
                           size_t bytes)
{
    const char *value = json_string_value(json_object_get(object, key));

    text_format(text, bytes, "%s", value ? value : "");
    make_printable(text);
    for (; *text; text++)
        if (*text == '\n')
            *text = ' ';
}

/* Files of this project are shown with their folder, submissions without:
 * several labs have a 3_vectorized.cu. */
static const char *display_name(const char *file)
{
    static const char *const folders[] = {"solutions/", "common/"};
    const size_t root = strlen(source_root());
    const char *inside = file;

    if (!strncmp(file, source_root(), root) && file[root] == '/')
        inside += root + 1;
    for (size_t i = 0; i < 2; i++)
        if (!strncmp(inside, folders[i], strlen(folders[i])))
            return inside;
    return base_name(file);
}

/* "vector_add.cu:31:5" from the members for file, line and column. */
static void parse_location(const json_t *object, const char *const keys[3],
                           char *location)
{
    json_int_t line = json_integer_value(json_object_get(object, keys[1]));
    json_int_t column = json_integer_value(json_object_get(object, keys[2]));
    char file[512];

    copy_json_text(object, keys[0], file, sizeof file);
    *location = 0;
    if (!*file || line <= 0 || line > 1 << 24)
        return;
    if (column > 0 && column < 1 << 16)
        text_format(location, LOCATION_SIZE, "%.90s:%d:%d", display_name(file),
                    (int)line, (int)column);
    else
        text_format(location, LOCATION_SIZE, "%.90s:%d", display_name(file),
                    (int)line);
}

static void parse_index(const json_t *object, const char *key,
                        unsigned index[3])
{
    const json_t *list = json_object_get(object, key);

    for (size_t i = 0; i < 3; i++)
        index[i] = (unsigned)json_integer_value(json_array_get(list, i));
}

/* Parse one member of `findings`.  @return false when it is invalid */
static bool parse_finding(const json_t *from, struct finding *finding)
{
    static const char *const here[] = {"file", "line", "column"};
    static const char *const there[] = {"other_file", "other_line",
                                        "other_column"};
    const char *kind = json_string_value(json_object_get(from, "kind"));
    json_int_t count = json_integer_value(json_object_get(from, "count"));
    int rank = 0;

    while (kind && rank < KINDS && strcmp(kind, kinds[rank].name))
        rank++;
    if (!kind || rank == KINDS)
        return false;
    *finding = (struct finding){.rank = rank, .kind = kinds[rank].name,
                                .title = kinds[rank].title,
                                .count = count > 0 ? (double)count : 1};
    copy_json_text(from, "kernel", finding->kernel, sizeof finding->kernel);
    copy_json_text(from, "message", finding->message, sizeof finding->message);
    parse_location(from, here, finding->location);
    parse_location(from, there, finding->other_location);
    if (!strncmp(finding->other_location, "common/softgpu/", 15))
        *finding->other_location = 0; /* the runner's own array */
    parse_index(from, "block", finding->block);
    parse_index(from, "thread", finding->thread);
    return true;
}

static bool is_same_finding(const struct finding *a, const struct finding *b)
{
    return a->rank == b->rank && !strcmp(a->location, b->location)
           && !strcmp(a->other_location, b->other_location)
           && !strcmp(a->kernel, b->kernel);
}

/* Merge with the findings of earlier cases. */
static void merge_finding(const struct finding *finding, struct watch *watch)
{
    for (size_t i = 0; i < watch->findings; i++)
        if (is_same_finding(&watch->finding[i], finding)) {
            watch->finding[i].count += finding->count;
            return;
        }
    if (watch->findings < MAX_FINDINGS)
        watch->finding[watch->findings++] = *finding;
}

static int by_rank(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    int places = strcmp(a->location, b->location);

    return a->rank != b->rank ? a->rank - b->rank
           : places          ? places
                              : strcmp(a->other_location, b->other_location);
}

/* Length of "transpose.cu:31" in "transpose.cu:31:5". */
static size_t line_length(const char *location)
{
    const char *line = strchr(location, ':');
    const char *column = line ? strchr(line + 1, ':') : NULL;

    return column ? (size_t)(column - location) : strlen(location);
}

static bool is_same_line(const char *a, const char *b)
{
    const size_t length = line_length(a);

    return length > 0 && length == line_length(b) && !strncmp(a, b, length);
}

/* Which threads does the race concern?  0: it is none. */
static int race_scope(const struct finding *finding)
{
    return finding->rank == SOFTGPU_FIND_LOCKSTEP      ? 1
           : finding->rank == SOFTGPU_FIND_RACE_GLOBAL ? 2
           : finding->rank == SOFTGPU_FIND_RACE_SHARED
                   || finding->rank == SOFTGPU_FIND_RACE_BLOCKS ? 3
                                                                : 0;
}

/* Is it a read of memory that has no value? */
static bool is_uninitialized(const struct finding *finding)
{
    return finding->rank == SOFTGPU_FIND_UNINIT_SHARED
           || finding->rank == SOFTGPU_FIND_UNINIT_GLOBAL;
}

/* A flag or counter that has no value before the launch: blocks that trust it
 * race for what it hands over. */
static bool is_unset_flag(const struct finding *a, const struct finding *race)
{
    return a->rank == SOFTGPU_FIND_UNINIT_GLOBAL
           && race->rank == SOFTGPU_FIND_RACE_BLOCKS
           && !strncmp(a->message, "atomic", 6)
           && !is_same_line(a->location, race->location)
           && !is_same_line(a->location, race->other_location);
}

/* As in a single report (watch/finding_causes.c): a small case has one block,
 * or stays inside of an array, or of what was allocated with it. */
static bool explains(const struct finding *a, const struct finding *b)
{
    const int scope = race_scope(b);

    if (strcmp(a->kernel, b->kernel))
        return false;
    if (a->rank == SOFTGPU_FIND_FAULT && b->rank == SOFTGPU_FIND_LOCKSTEP)
        return strstr(a->message, SOFTGPU_NEEDS_ALL_LANES) != NULL;
    if (is_unset_flag(a, b))
        return true;
    if (a->rank == SOFTGPU_FIND_OUT_OF_BOUNDS && is_uninitialized(b))
        return is_same_line(a->location, b->location);
    if (a->rank == SOFTGPU_FIND_OUT_OF_BOUNDS && *a->location
        && (scope > 0 || b->rank == SOFTGPU_FIND_USE_AFTER_FREE))
        return !strcmp(a->location, b->location)
               || (scope > 0 && !strcmp(a->location, b->other_location));
    return scope > 0 && race_scope(a) > scope
           && ((is_same_line(a->location, b->location)
                && is_same_line(a->other_location, b->other_location))
               || (is_same_line(a->location, b->other_location)
                   && is_same_line(a->other_location, b->location)));
}

const struct finding *find_cause(const struct watch *watch,
                                 const struct finding *finding)
{
    for (size_t i = 0; i < watch->findings; i++)
        if (explains(&watch->finding[i], finding))
            return &watch->finding[i];
    return NULL;
}

/* The cause of a chain of findings is none of the dropped ones: it is of the
 * first rank. */
static void drop_explained(struct watch *watch)
{
    size_t kept = 0;

    for (size_t i = 0; i < watch->findings; i++)
        if (!find_cause(watch, &watch->finding[i]))
            watch->finding[kept++] = watch->finding[i];
    watch->findings = kept;
}

void collect_findings(const json_t *report, struct watch *watch)
{
    const json_t *list = json_object_get(report, "findings"), *from;
    struct finding finding;
    size_t i;

    json_array_foreach(list, i, from)
        if (parse_finding(from, &finding))
            merge_finding(&finding, watch);
    drop_explained(watch);
    qsort(watch->finding, watch->findings, sizeof *watch->finding, by_rank);
}

/* The number of the lab whose solutions hold this place; 0: none. */
static int reference_of(const char *location)
{
    static const char folder[] = "solutions/";

    return strncmp(location, folder, sizeof folder - 1)
               ? 0
               : atoi(location + sizeof folder - 1);
}

/* "solutions/12_layers/channel_sums.h:39": the functions of lab 12 that launch
 * the kernel. */
static void find_function(const struct finding *finding, char *text,
                          size_t bytes)
{
    const char *stem = finding->location + strcspn(finding->location, "/");
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(stem + 1, "/"), stem + 1);
    reference_callers(name, finding->kernel, text, bytes);
}

void tell_references(const struct lab *lab, struct watch *watch)
{
    for (size_t i = 0; i < watch->findings; i++) {
        struct finding *finding = &watch->finding[i];
        const int number = reference_of(finding->location);
        char text[200], function[96];
        size_t used = strlen(finding->message);

        if (number <= 0 || number == lab->number
            || strstr(finding->message, "which your file called"))
            continue;
        find_function(finding, function, sizeof function);
        text_format(text, sizeof text, " (in the reference of lab %02d, which "
                    "your file called: %s%s%s%s)", number,
                    strstr(finding->kind, "uninitialized")
                        ? "was all that it reads written before? Look at "
                        : "look at ",
                    "the arguments", *function ? " of " : "", function);
        if (used > sizeof finding->message - sizeof text)
            used = sizeof finding->message - sizeof text;
        text_format(finding->message + used, sizeof text, "%s", text);
    }
}
