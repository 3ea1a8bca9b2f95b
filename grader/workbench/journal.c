/* SPDX-License-Identifier: MIT */
/* Appending to the learner's journal, and reading it. */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/text.h"

enum { MAX_BYTES = 16 << 20 /* some 300,000 lines */ };

static const char *const kind_names[] = {"grade", "hint", "answer", "reset"};
enum { KINDS = sizeof kind_names / sizeof *kind_names };

/* Can a file be made or appended to at this path? */
static bool is_writable(const char *path)
{
    char folder[PATH_MAX], *slash;

    if (access(path, F_OK) == 0)
        return access(path, W_OK) == 0;
    text_format(folder, sizeof folder, "%s", path);
    slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    return access(folder, W_OK) == 0;
}

char *journal_path(char *path)
{
    const char *given = getenv("WARPBOOK_PROGRESS");
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

    if (given && *given)
        return text_format(path, PATH_MAX, "%s", given);
    labs_path(path, ".warpbook-progress");
    if (!home || (!labs_are_installed() && is_writable(path)))
        return path;
    if (state && *state == '/')
        text_format(path, PATH_MAX, "%s/warpbook", state);
    else
        text_format(path, PATH_MAX, "%s/.local/state/warpbook", home);
    make_directories(path);
    return strncat(path, "/progress", PATH_MAX - strlen(path) - 1);
}

/* The line of an entry, with its newline. */
static void format_entry(const struct journal_entry *entry, char *line,
                         size_t bytes)
{
    char when[32], rest[600] = "";
    const char *more = *entry->cost ? entry->cost : entry->hint;
    time_t now = entry->when ? entry->when : time(NULL);
    struct tm utc;

    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    if (entry->kind == JOURNAL_GRADE)
        text_format(rest, sizeof rest, " %g/%g %s %s%s%s", entry->score,
                    entry->max_score, entry->verdict,
                    *entry->test ? entry->test : "-", *more ? " " : "", more);
    else if (entry->kind != JOURNAL_RESET)
        text_format(rest, sizeof rest, " %.10g", entry->value);
    text_format(line, bytes, "%s %02d %s%s\n", when, entry->lab,
                kind_names[entry->kind], rest);
}

/* A line that was cut off must not swallow the next one. */
static bool ends_without_newline(int fd)
{
    char last;

    return lseek(fd, -1, SEEK_END) >= 0 && read(fd, &last, 1) == 1
           && last != '\n';
}

bool journal_add(const struct journal_entry *entry)
{
    char path[PATH_MAX], line[700] = "\n";
    int fd = open(journal_path(path),
                  O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644);
    size_t length, start;
    bool done;

    if (fd < 0)
        return false;
    start = ends_without_newline(fd);
    format_entry(entry, line + start, sizeof line - start);
    length = strlen(line);
    done = write(fd, line, length) == (ssize_t)length;
    return close(fd) == 0 && done;
}

/* Read the part of a line behind the kind.
 *  @return false when it is no such line */
static bool parse_rest(const char *rest, struct journal_entry *entry)
{
    int used = 0;

    switch (entry->kind) {
    case JOURNAL_GRADE:
        if (sscanf(rest, " %lf/%lf %15s %63s%n", &entry->score,
                   &entry->max_score, entry->verdict, entry->test, &used) < 4)
            return false;
        rest += used + (rest[used] == ' ');
        if (!strcmp(entry->verdict, "PASS"))
            text_format(entry->cost, sizeof entry->cost, "%.39s", rest);
        else
            text_format(entry->hint, sizeof entry->hint, "%.399s", rest);
        return entry->max_score > 0 && entry->score >= 0
               && entry->score <= entry->max_score;
    case JOURNAL_HINT:
    case JOURNAL_ANSWER:
        return sscanf(rest, " %lf", &entry->value) == 1;
    case JOURNAL_RESET:
        return true;
    }
    return false;
}

static bool parse_line(const char *line, struct journal_entry *entry)
{
    struct tm utc = {0};
    char kind[16];
    int used = 0, k = 0;

    *entry = (struct journal_entry){0};
    if (sscanf(line, "%d-%d-%dT%d:%d:%dZ %d %15s%n", &utc.tm_year, &utc.tm_mon,
               &utc.tm_mday, &utc.tm_hour, &utc.tm_min, &utc.tm_sec,
               &entry->lab, kind, &used) < 8)
        return false;
    while (k < KINDS && strcmp(kind_names[k], kind))
        k++;
    if (k == KINDS)
        return false;
    entry->kind = (enum journal_kind)k;
    utc.tm_year -= 1900;
    utc.tm_mon -= 1;
    entry->when = timegm(&utc);
    return parse_rest(line + used, entry);
}

size_t journal_read(struct journal_entry **entries)
{
    char path[PATH_MAX], *text, *line, *rest;
    size_t count = 0, room = 0, length;

    *entries = NULL;
    text = read_file(journal_path(path), MAX_BYTES, &length);
    for (size_t i = 0; text && i < length; i++)
        if (!text[i])
            text[i] = '?';
    for (line = text ? strtok_r(text, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest)) {
        struct journal_entry entry, *more;

        make_printable(line);
        if (!parse_line(line, &entry))
            continue;
        if (count == room) {
            room = room ? 2 * room : 64;
            more = realloc(*entries, room * sizeof **entries);
            if (!more)
                break;
            *entries = more;
        }
        (*entries)[count++] = entry;
    }
    free(text);
    return count;
}
