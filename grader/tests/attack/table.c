/* SPDX-License-Identifier: MIT */
/* Reading the table: columns separated by blanks, then the note. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attack.h"
#include "common/base/files.h"
#include "common/base/text.h"

enum { MAX_TABLE = 1 << 18, COLUMNS = 10 };

static const char *const state_names[] = {"holds", "gap", "card", "n/a"};
static const char *const method_names[] = {"grade", "watch", "autograde"};

const char *attack_state_name(enum attack_state state)
{
    return state_names[state];
}

/* Position of a word in a list, or -1. */
static int position(const char *word, const char *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(word, list[i]))
            return i;
    return -1;
}

/* "large:CRASHED/TIMEOUT", "all:BUILD", or "-". */
static bool read_verdicts(char *word, struct attack *row)
{
    char *colon = strchr(word, ':'), *rest = NULL;

    if (!strcmp(word, "-"))
        return true;
    if (!colon)
        return false;
    *colon = 0;
    text_format(row->test, sizeof row->test, "%s", word);
    for (char *name = strtok_r(colon + 1, "/", &rest); name;
         name = strtok_r(NULL, "/", &rest)) {
        enum verdict verdict = verdict_named(name);

        if (verdict == VERDICTS || row->verdicts == ATTACK_VERDICTS)
            return false;
        row->verdict[row->verdicts++] = verdict;
    }
    return row->verdicts > 0;
}

/* "review,long,says=TEXT" or "-"; a tilde in TEXT is a blank. */
static bool read_flags(char *word, struct attack *row)
{
    char *rest = NULL;

    for (char *flag = strtok_r(word, ",", &rest); flag;
         flag = strtok_r(NULL, ",", &rest)) {
        if (!strcmp(flag, "review"))
            row->review = true;
        else if (!strcmp(flag, "long"))
            row->is_long = true;
        else if (!strncmp(flag, "says=", 5))
            text_format(row->says, sizeof row->says, "%s", flag + 5);
        else if (strcmp(flag, "-"))
            return false;
    }
    for (char *at = row->says; (at = strchr(at, '~')); at++)
        *at = ' ';
    return true;
}

static bool read_row(char *line, struct attack *row)
{
    char *column[COLUMNS], *rest = line, *end;
    int method, state;

    *row = (struct attack){.points = -1};
    for (int i = 0; i < COLUMNS; i++) {
        column[i] = rest + strspn(rest, " ");
        end = column[i] + strcspn(column[i], " ");
        rest = *end ? end + 1 : end;
        *end = 0;
        if (!*column[i])
            return false;
    }
    text_format(row->id, sizeof row->id, "%s", column[0]);
    text_format(row->file, sizeof row->file, "%s", column[1]);
    if (!strcmp(column[2], "="))
        text_format(row->twin, sizeof row->twin, "%.30s.twin", column[1]);
    else if (strcmp(column[2], "-"))
        text_format(row->twin, sizeof row->twin, "%.30s.twin", column[2]);
    method = position(column[3], method_names, 3);
    row->method = method < 0 ? ATTACK_GRADE : (enum attack_method)method;
    text_format(row->lab, sizeof row->lab, "%s", column[4]);
    row->tier = *column[5];
    state = position(column[6], state_names, ATTACK_STATES);
    row->state = (enum attack_state)state;
    if (strcmp(column[8], "-"))
        row->points = strtod(column[8], NULL);
    rest += strspn(rest, " ");
    text_format(row->note, sizeof row->note, "%s", rest);
    return state >= 0 && (method >= 0) == (strcmp(row->file, "-") != 0)
           && strchr("ABCD-", row->tier) && read_verdicts(column[7], row)
           && read_flags(column[9], row)
           && (state == ATTACK_HOLDS || *row->note);
}

size_t attack_read_table(const char *path, struct attack *rows)
{
    size_t length = 0, count = 0;
    int number = 0;
    char *text = read_file(path, MAX_TABLE, &length), *next = text;

    for (char *line = text; line; line = next) {
        if ((next = strchr(line, '\n')))
            *next++ = 0;
        number++;
        if (!*line || *line == '#')
            continue;
        if (count == ATTACK_ROWS || !read_row(line, &rows[count])) {
            fprintf(stderr, "%s:%d: not a row of the table\n", path, number);
            count = 0;
            break;
        }
        count++;
    }
    if (!text)
        perror(path);
    free(text);
    return count;
}
