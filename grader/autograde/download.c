/* SPDX-License-Identifier: MIT */
/* Parsing the file names of Moodle's and Canvas's downloads.  Full names may
 * contain underscores, so Moodle's are read from the right. */
#include "download.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "text_clean.h"

/* Digits at `text`.  @return how many */
static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

bool parse_moodle_name(const char *name, struct download_name *parsed)
{
    static const char marker[] = "_assignsubmission_file";
    const char *end = strstr(name, marker), *number = end, *rest;

    *parsed = (struct download_name){0};
    if (!end)
        return false;
    while (number > name && isdigit((unsigned char)number[-1]))
        number--;
    if (number == end || number - name < 2 || number[-1] != '_'
        || end - number > 20)
        return false;
    text_format(parsed->student.participant, 32, "%.*s", (int)(end - number),
                number);
    text_format(parsed->student.id, sizeof parsed->student.id, "%s",
                parsed->student.participant);
    text_format(parsed->student.name, sizeof parsed->student.name, "%.*s",
                (int)(number - 1 - name), name);
    name_copy(parsed->student.name, sizeof parsed->student.name,
               parsed->student.name);
    rest = end + sizeof marker - 1;
    clean_copy(parsed->file, sizeof parsed->file, rest + (*rest == '_'));
    return true;
}

bool is_moodle_text(const char *name)
{
    return strstr(name, "_assignsubmission_onlinetext") != NULL;
}

/* Remove Canvas's -N before the extension, the mark of a resubmission. */
static int parse_attempt(char *file)
{
    char *dot = strrchr(file, '.');
    char *end = dot ? dot : file + strlen(file), *dash = end;
    int attempt;

    while (dash > file && isdigit((unsigned char)dash[-1]))
        dash--;
    if (dash == end || dash - file < 2 || dash[-1] != '-' || end - dash > 3)
        return 0;
    attempt = atoi(dash);
    memmove(dash - 1, end, strlen(end) + 1);
    return attempt;
}

/* "_123_456_FILE" behind a name, or "_LATE_123_456_FILE".
 *  @return the first number; NULL: another part of the name */
static const char *find_canvas_numbers(const char *at)
{
    const char *number = at + (strncmp(at, "_LATE_", 6) ? 1 : 6);
    size_t digits = count_digits(number), more;

    if (!digits || digits > 20 || number[digits] != '_')
        return NULL;
    more = count_digits(number + digits + 1);
    return more && number[digits + 1 + more] == '_'
           && number[digits + more + 2] ? number : NULL;
}

/* A name may have underscores, but no number between two of them: Canvas
 * removes these. */
bool parse_canvas_name(const char *name, struct download_name *parsed)
{
    const char *at = strchr(name, '_'), *number = NULL;
    size_t digits;

    *parsed = (struct download_name){0};
    while (at && !(number = find_canvas_numbers(at)))
        at = strchr(at + 1, '_');
    if (!at || at == name)
        return false;
    text_format(parsed->student.name, sizeof parsed->student.name, "%.*s",
                (int)(at - name), name);
    name_copy(parsed->student.name, sizeof parsed->student.name,
               parsed->student.name);
    parsed->is_late = number - at == 6;
    digits = count_digits(number);
    text_format(parsed->student.canvas, 32, "%.*s", (int)digits, number);
    text_format(parsed->student.id, sizeof parsed->student.id, "%s",
                parsed->student.canvas);
    number += digits + 1;
    clean_copy(parsed->file, sizeof parsed->file,
               number + count_digits(number) + 1);
    parsed->attempt = parse_attempt(parsed->file);
    return true;
}
