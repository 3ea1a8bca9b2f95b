/* SPDX-License-Identifier: MIT */
/* Applying a unified diff: each hunk is placed, then copied line by line. */
#include "patch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines of a text, each without its '\n'. */
struct lines {
    const char **line;
    size_t *length;
    size_t count;
};

/* A diff being applied to one file. */
struct patch {
    struct lines diff, text;
    size_t diff_line; /* next line of the diff */
    size_t text_line; /* next line of the text that is not yet copied */
    long drift;       /* of the last hunk: where it matched less its number */
    FILE *out;
    char *error;
};

/* A hunk: its lines in the diff, and the lines of the file that it replaces. */
struct hunk {
    size_t body, body_end; /* lines of the diff */
    size_t start;          /* first line in the file, from 0 */
    size_t old_count;      /* context and removed lines */
};

/* The lines point into the text, which must outlive them; their newlines are
 * left out. */
static bool split_lines(const char *text, struct lines *lines)
{
    size_t most = 1;

    for (const char *c = text; *c; c++)
        most += *c == '\n';
    lines->line = malloc(most * sizeof *lines->line);
    lines->length = malloc(most * sizeof *lines->length);
    lines->count = 0;
    while (lines->line && lines->length && *text) {
        lines->length[lines->count] = strcspn(text, "\n");
        lines->line[lines->count] = text;
        text += lines->length[lines->count];
        text += *text == '\n';
        lines->count++;
    }
    return lines->line && lines->length;
}

/* The text itself belongs to the caller. */
static void free_lines(struct lines *lines)
{
    free(lines->line);
    free(lines->length);
}

/* Lines of a diff count from 1 in messages, from 0 in the code. */
static bool fail(struct patch *patch, size_t line, const char *what)
{
    snprintf(patch->error, PATCH_ERROR_SIZE, "line %zu: %s", line + 1, what);
    return false;
}

/* The name in "+++ b/NAME"; false for another line. */
static bool read_file_name(const char *line, char *name)
{
    return sscanf(line, "+++ b/%63[^ \t\n]", name) == 1;
}

/* "@@ -START,COUNT +START,COUNT @@"; a count that is left out is 1. */
static bool read_header(const char *line, struct hunk *hunk, size_t *new_count)
{
    size_t start, unused;
    char *end;

    if (strncmp(line, "@@ -", 4))
        return false;
    start = strtoul(line + 4, &end, 10);
    hunk->old_count = *end == ',' ? strtoul(end + 1, &end, 10) : 1;
    if (strncmp(end, " +", 2))
        return false;
    unused = strtoul(end + 2, &end, 10);
    (void)unused;
    *new_count = *end == ',' ? strtoul(end + 1, &end, 10) : 1;
    /* a hunk that removes nothing names the line before it */
    hunk->start = start - (hunk->old_count > 0 && start > 0);
    return !strncmp(end, " @@", 3);
}

/* Reads a hunk's header and finds the end of its body by its counts. */
static bool read_hunk(struct patch *patch, struct hunk *hunk)
{
    const struct lines *diff = &patch->diff;
    const size_t header = patch->diff_line;
    size_t old = 0, new = 0, new_count, i = header + 1;

    if (!read_header(diff->line[header], hunk, &new_count))
        return fail(patch, header, "this is no header of a hunk");
    hunk->body = i;
    for (; i < diff->count && (old < hunk->old_count || new < new_count); i++) {
        const char sign = diff->length[i] ? *diff->line[i] : ' ';

        if (!strchr(" +-", sign))
            return fail(patch, i, "a line of a hunk begins with ' ', '-' or "
                                  "'+'");
        old += sign != '+';
        new += sign != '-';
    }
    hunk->body_end = patch->diff_line = i;
    if (old != hunk->old_count || new != new_count)
        return fail(patch, header, "the hunk has not as many lines as this "
                                   "header says");
    return true;
}

/* Do the hunk's context and removed lines stand at this line of the text? */
static bool matches_at(const struct patch *patch, const struct hunk *hunk,
                       size_t at)
{
    const struct lines *diff = &patch->diff, *text = &patch->text;

    if (at < patch->text_line || at + hunk->old_count > text->count)
        return false;
    for (size_t i = hunk->body; i < hunk->body_end; i++) {
        const size_t length = diff->length[i] ? diff->length[i] - 1 : 0;

        if (*diff->line[i] == '+')
            continue;
        if (text->length[at] != length
            || memcmp(text->line[at], diff->line[i] + 1, length))
            return false;
        at++;
    }
    return true;
}

/* The matching line that is nearest to the one expected; -1: none. */
static long find_place(const struct patch *patch, const struct hunk *hunk)
{
    const long expected = (long)hunk->start + patch->drift;
    const long count = (long)patch->text.count;

    for (long distance = 0; distance <= count + labs(expected); distance++) {
        const long after = expected + distance, before = expected - distance;

        if (after >= 0 && matches_at(patch, hunk, (size_t)after))
            return after;
        if (before >= 0 && matches_at(patch, hunk, (size_t)before))
            return before;
    }
    return -1;
}

/* Write a line without its first `skipped` characters (the sign of a diff). */
static void copy_line(FILE *out, const struct lines *lines, size_t i,
                      size_t skipped)
{
    fprintf(out, "%.*s\n", (int)(lines->length[i] - skipped),
            lines->line[i] + skipped);
}

/* Copy the text up to the hunk's place, then the hunk's context and added
 * lines.  The drift moves the expected place of later hunks. */
static bool apply_hunk(struct patch *patch, const struct hunk *hunk)
{
    const long place = find_place(patch, hunk);

    if (place < 0)
        return fail(patch, hunk->body - 1,
                    "no place in the file has the lines of this hunk");
    patch->drift = place - (long)hunk->start;
    while (patch->text_line < (size_t)place)
        copy_line(patch->out, &patch->text, patch->text_line++, 0);
    for (size_t i = hunk->body; i < hunk->body_end; i++) {
        const char sign = patch->diff.length[i] ? *patch->diff.line[i] : ' ';

        if (sign == '+')
            copy_line(patch->out, &patch->diff, i, 1);
        else if (sign == ' ')
            copy_line(patch->out, &patch->text, patch->text_line, 0);
        patch->text_line += sign != '+';
    }
    return true;
}

/* Applies the hunks that follow "+++ b/`name`", and skips all others. */
static bool apply_file(struct patch *patch, const char *name)
{
    bool is_file = false;

    while (patch->diff_line < patch->diff.count) {
        const char *line = patch->diff.line[patch->diff_line];
        char file[PATCH_NAME_SIZE];
        struct hunk hunk;

        if (strncmp(line, "@@", 2)) {
            if (read_file_name(line, file))
                is_file = !strcmp(file, name);
            patch->diff_line++;
            continue;
        }
        if (!read_hunk(patch, &hunk) || (is_file && !apply_hunk(patch, &hunk)))
            return false;
    }
    while (patch->text_line < patch->text.count)
        copy_line(patch->out, &patch->text, patch->text_line++, 0);
    return true;
}

char *patch_apply(const char *diff, const char *name, const char *text,
                  char *error)
{
    char *changed = NULL;
    size_t length;
    struct patch patch = {.error = error,
                          .out = open_memstream(&changed, &length)};
    bool ok = split_lines(diff, &patch.diff) && split_lines(text, &patch.text)
              && patch.out;

    if (!ok)
        fail(&patch, 0, "out of memory");
    ok = ok && apply_file(&patch, name);
    if (patch.out && fclose(patch.out) && ok)
        ok = fail(&patch, 0, "out of memory");
    free_lines(&patch.diff);
    free_lines(&patch.text);
    if (ok)
        return changed;
    free(changed);
    return NULL;
}

const char *patch_next_file(const char *diff, char *name)
{
    while (diff && *diff) {
        const bool found = read_file_name(diff, name);

        diff = strchr(diff, '\n');
        if (diff)
            diff++;
        if (found)
            return diff ? diff : "";
    }
    return NULL;
}
