/* SPDX-License-Identifier: MIT */
/* Reading the settings of a course strictly: unknown keys are errors. */
#include "course.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/text.h"
#include "grader/lab/lab.h"
#include "grader/lab/threshold.h"

enum { LINE_BYTES = 190 }; /* inih would read the rest as a line of its own */

/* Begins what course_fix_deadlines() adds. */
static const char fixed_mark[] =
    "; the deadlines above, in the zone of the machine that read them\n";

/* Arguments of inih's handler. */
struct reader {
    struct course *course;
    char error[200];
    FILE *keys;       /* writes `seen` */
    char *seen;       /* "\nSECTION\tKEY\n" for each line read */
    size_t seen_bytes;
};

/* Only the first error of a file is kept. @return 0, inih's way to stop */
static int refuse(struct reader *reader, const char *format, const char *what)
{
    if (!*reader->error)
        text_format(reader->error, sizeof reader->error, format, what);
    return 0;
}

/* Numbers are from 0 to 1e6. */
static int set_number(struct reader *reader, const char *value, double *to)
{
    char *end;

    *to = strtod(value, &end);
    return (end != value && !*end && *to >= 0 && *to <= 1e6)
           || refuse(reader, "\"%.60s\" is not a number from 0 to 1000000",
                     value);
}

/* Without 0, which would mean the lab's own. */
static int set_positive(struct reader *reader, const char *value, double *to)
{
    return set_number(reader, value, to)
           && (*to > 0
               || refuse(reader, "\"%.60s\" is not above 0", value));
}

/* A limit of a runner, with the least that leaves a correct file a chance: a
 * slip such as `memory = 1`, for GiB, would take all points of a class. */
static int set_limit(struct reader *reader, const char *value, double least,
                     double *to)
{
    char format[80];

    text_format(format, sizeof format, "\"%%.60s\" is less than %g, which "
                "correct files need", least);
    return set_positive(reader, value, to)
           && (*to >= least || refuse(reader, format, value));
}

/* A policy in words, parsed by late.c. */
static int set_late(struct reader *reader, const char *value,
                    struct late_policy *late)
{
    return late_parse(value, late)
           || refuse(reader, "\"%.60s\" is no late policy: accept, refuse or "
                     "10%%/day, then max DAYS, grace MINUTES", value);
}

/* A time without a zone is local time. */
static int set_deadline(struct reader *reader, const char *value,
                        struct deadline *to)
{
    return deadline_parse(value, to)
           || refuse(reader, "\"%.60s\" is not a time like 2026-11-01T23:59 or "
                     "2026-11-01T23:59+01:00", value);
}

/* One word of a list.  @return its index, or -1 after an error */
static int set_word(struct reader *reader, const char *value,
                    const char *const *words, const char *message)
{
    for (int i = 0; words[i]; i++)
        if (!strcmp(value, words[i]))
            return i;
    refuse(reader, message, value);
    return -1;
}

/* A line of [course]. */
static int read_course(struct reader *reader, const char *name,
                       const char *value)
{
    static const char *const attempts[] = {"last", "best", NULL};
    static const char *const levels[] = {"all", "first", "score", NULL};
    struct course *course = reader->course;
    int word = -2;

    if (!strcmp(name, "name"))
        return text_format(course->name, sizeof course->name, "%s", value)
               != NULL;
    if (!strcmp(name, "late"))
        return set_late(reader, value, &course->late);
    if (!strcmp(name, "deadline"))
        return set_deadline(reader, value, &course->deadline);
    if (!strcmp(name, "attempts")) {
        word = set_word(reader, value, attempts,
                        "\"%.40s\" is neither last nor best");
        course->takes_best = word == 1;
    } else if (!strcmp(name, "feedback")) {
        word = set_word(reader, value, levels,
                        "\"%.40s\" is neither all, first nor score");
        course->feedback = word > 0 ? (enum feedback)word : FEEDBACK_ALL;
    }
    return word == -2 ? refuse(reader, "[course] has no key \"%.40s\"", name)
                      : word >= 0;
}

/* Gradescope's words for what students see. */
static int set_visibility(struct reader *reader, const char *value,
                          enum visibility *to)
{
    static const char *const words[] = {"visible", "hidden", "after_due", NULL};
    int word = set_word(reader, value, words,
                        "\"%.40s\" is neither visible, hidden nor after_due");

    *to = word > 0 ? (enum visibility)word : VISIBLE;
    return word >= 0;
}

/* Tried on the lab: its runs, budgets and their tiers have names. */
static int set_threshold(struct reader *reader, struct course_lab *lab,
                         const char *key, const char *value)
{
    static struct lab tried;
    char error[LAB_ERROR_SIZE];
    struct course_threshold *at = lab->threshold;

    if (!lab_open(lab->stem, &tried, error)
        || !threshold_set(&tried, key, value, error))
        return refuse(reader, "%.190s", error);
    while (at < lab->threshold + lab->thresholds && strcmp(at->key, key))
        at++;
    if (at == lab->threshold + COURSE_THRESHOLDS)
        return refuse(reader, "%s", "too many thresholds");
    lab->thresholds += at == lab->threshold + lab->thresholds;
    text_format(at->key, sizeof at->key, "%s", key);
    text_format(at->value, sizeof at->value, "%s", value);
    return strlen(value) < sizeof at->value
           || refuse(reader, "\"%.40s...\" is too long", value);
}

/* A line of [lab NAME]; what it does not set is the course's. */
static int read_lab(struct reader *reader, struct course_lab *lab,
                    const char *name, const char *value)
{
    if (!strcmp(name, "points"))
        return set_positive(reader, value, &lab->points);
    if (!strcmp(name, "weight"))
        return set_number(reader, value, &lab->weight);
    if (!strcmp(name, "time"))
        return set_limit(reader, value, 0.5, &lab->seconds);
    if (!strcmp(name, "memory"))
        return set_limit(reader, value, 512, &lab->memory);
    if (!strcmp(name, "deadline"))
        return set_deadline(reader, value, &lab->deadline);
    if (!strcmp(name, "late")) {
        lab->has_late = true;
        return set_late(reader, value, &lab->late);
    }
    if (!strcmp(name, "visibility"))
        return set_visibility(reader, value, &lab->visibility);
    if (!strcmp(name, "hidden"))
        return set_visibility(reader, value, &lab->hidden);
    if (threshold_is_key(name))
        return set_threshold(reader, lab, name, value);
    return refuse(reader, "[lab] has no key \"%.40s\"", name);
}

/* The second of two lines that set the same would silently win. */
static int note_key(struct reader *reader, const char *section,
                    const char *name)
{
    char key[200];

    text_format(key, sizeof key, "\n%.80s\t%.80s\n", section, name);
    if (fflush(reader->keys) || strstr(reader->seen, key))
        return refuse(reader, "\"%.80s\" is set a second time", name);
    fputs(key, reader->keys);
    return 1;
}

/* inih calls this for each line. @return 0 stops the parser */
static int on_entry(void *user, const char *section, const char *name,
                    const char *value)
{
    struct reader *reader = user;
    const char *stem;
    struct course_lab *lab;

    if (!strcmp(section, "course"))
        return note_key(reader, section, name)
               && read_course(reader, name, value);
    if (strncmp(section, "lab ", 4))
        return refuse(reader, "unknown section [%.40s]: there are [course] and "
                      "[lab 01], ...", section);
    stem = lab_stem(section + 4);
    if (!stem)
        return refuse(reader, "there is no lab \"%.40s\"", section + 4);
    lab = course_add_lab(reader->course, stem);
    if (!lab)
        return refuse(reader, "%s", "too many labs");
    return note_key(reader, stem, name) && read_lab(reader, lab, name, value);
}

void course_default(struct course *course)
{
    *course = (struct course){0};
}

enum { MAX_SETTINGS = 1 << 20 };

/* inih takes an indented line for more of the value above it, and the rest of a
 * long one for a line.  @return the number of a line that is too long, or 0 */
static int unindent(char *text)
{
    char *to = text;
    int line = 1;

    for (char *at = text; *at; line++) {
        size_t length = strcspn(at, "\n"), blanks = strspn(at, " \t");

        if (length > LINE_BYTES)
            return line;
        blanks = blanks < length ? blanks : 0;
        length += at[length] == '\n';
        memmove(to, at + blanks, length - blanks);
        to += length - blanks;
        at += length;
    }
    *to = 0;
    return 0;
}

/* The keys of a part are each read once. */
static int parse_part(struct reader *reader, const char *text)
{
    int line = -1;

    reader->keys = open_memstream(&reader->seen, &reader->seen_bytes);
    if (reader->keys)
        line = ini_parse_string(text, on_entry, reader);
    else
        refuse(reader, "%s", "out of memory");
    if (reader->keys)
        fclose(reader->keys);
    free(reader->seen);
    return line;
}

/* The file, then the deadlines that were added to it. */
static int parse(struct reader *reader, char *text)
{
    char *fixed = strstr(text, fixed_mark);
    int line;

    if (!fixed)
        return parse_part(reader, text);
    *fixed = 0;
    line = parse_part(reader, text);
    *fixed = *fixed_mark;
    return line ? line : parse_part(reader, fixed);
}

bool course_read(const char *path, struct course *course,
                 struct failure *failure)
{
    struct reader reader = {.course = course};
    size_t length = 0;
    char *text = read_file(path, MAX_SETTINGS, &length);
    int line;

    /* not by ini_parse(): a read that fails would be the end of the file */
    if (!text)
        return fail(failure, "%s: %s", path, strerror(errno));
    line = unindent(text);
    if (line)
        refuse(&reader, "%s", "this line is too long");
    else
        line = parse(&reader, text);
    free(text);
    return line == 0
           || fail(failure, "%s:%d: %s", path, line,
                   *reader.error ? reader.error : "not `key = value`");
}

/* A section that says a deadline again replaces what was said above it. */
static void write_deadline(FILE *out, const char *section, const char *stem,
                           const struct deadline *deadline)
{
    char text[TIME_TEXT];

    if (deadline->seconds)
        fprintf(out, "[%s%s]\ndeadline = %s\n", section, stem,
                deadline_format(text, deadline));
}

char *course_fix_deadlines(char *text, const struct course *course)
{
    char *fixed = NULL;
    size_t length;
    FILE *out = open_memstream(&fixed, &length);
    bool ok;

    if (!out) {
        free(text);
        return NULL;
    }
    fprintf(out, "%s\n%s", text, fixed_mark);
    free(text);
    write_deadline(out, "course", "", &course->deadline);
    for (int i = 0; i < course->labs; i++)
        write_deadline(out, "lab ", course->lab[i].stem,
                       &course->lab[i].deadline);
    ok = !ferror(out);
    if (fclose(out) == 0 && ok)
        return fixed;
    free(fixed);
    return NULL;
}

struct course_lab *course_add_lab(struct course *course, const char *stem)
{
    struct course_lab *lab = course->lab;

    for (; lab < course->lab + course->labs; lab++)
        if (!strcmp(lab->stem, stem))
            return lab;
    if (course->labs == COURSE_LABS)
        return NULL;
    course->labs++;
    *lab = (struct course_lab){.weight = 1, .hidden = HIDDEN};
    text_format(lab->stem, sizeof lab->stem, "%s", stem);
    return lab;
}

const struct course_lab *course_lab(const struct course *course,
                                    const char *stem)
{
    static struct course_lab found;

    found = (struct course_lab){.weight = 1, .hidden = HIDDEN};
    text_format(found.stem, sizeof found.stem, "%s", stem);
    for (int i = 0; i < course->labs; i++)
        if (!strcmp(course->lab[i].stem, stem))
            found = course->lab[i];
    if (!found.has_late)
        found.late = course->late;
    if (!found.deadline.seconds)
        found.deadline = course->deadline;
    return &found;
}
