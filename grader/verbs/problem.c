/* SPDX-License-Identifier: MIT */
/* warpbook problem [LAB]: a small case of the lab, drawn. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "common.h"
#include "status.h"

enum { MAX_DRAWING = 1 << 16, NOTE_INDENT = 4 };

static void show_title(const struct lab *lab)
{
    char text[256];

    text_wrap(stdout, 0, text_format(text, sizeof text, "Lab %02d: %s",
                                     lab->number, lab->title));
    printf("\n");
}

/* Cut the words off that are behind a row: after its last gap.  NULL: there is
 * none. */
static char *cut_note(char *line)
{
    char *at = line + strspn(line, " "), *end = NULL, *note = NULL;

    while ((at = strstr(at, "   ")) != NULL) {
        end = at;
        at += strspn(at, " ");
        note = at;
    }
    if (note)
        *end = 0;
    return note;
}

/* Join a sentence with the lines that it goes on in: they have no gap.
 *  @return the line behind these */
static char *join_sentence(char *line, char *rest)
{
    while (*rest && *rest != '\n') {
        const size_t length = strcspn(rest, "\n");
        char *gap = strstr(rest, "   ");

        if (gap && gap < rest + length)
            break;
        rest[-1] = ' ';
        rest += length + (rest[length] != 0);
    }
    if (rest[-1] == '\n')
        rest[-1] = 0;
    text_join_lines(line);
    return rest;
}

/* In a narrow terminal sentences are wrapped, and what is said of a row comes
 * below it. */
static void show_drawing(char *text)
{
    const size_t columns = (size_t)text_columns(stdout);
    char *rest, *note;

    for (char *line = text; *line; line = rest) {
        rest = line + strcspn(line, "\n");
        if (*rest)
            *rest++ = 0;
        if (strlen(line) <= columns) {
            printf("%s\n", line);
            continue;
        }
        note = cut_note(line);
        if (!note)
            rest = join_sentence(line, rest);
        text_wrap(stdout, 0, line);
        if (note)
            text_wrap(stdout, NOTE_INDENT, note);
    }
}

static int run(const struct options *options)
{
    static struct lab lab;
    char path[PATH_MAX], *text;
    size_t length;

    if (!load_lab(options->words[0], options, &lab))
        return EXIT_USAGE;
    text = read_file(labs_path(path, "labs/%s/problem.txt", lab.stem),
                     MAX_DRAWING, &length);
    if (text) {
        show_title(&lab);
        show_drawing(text);
    } else if (errno == ENOENT) {
        text_wrap(stdout, 0,
                  text_format(path, sizeof path, "There is no such drawing of "
                              "lab %02d. Its figure is in its chapter; "
                              "labs/%s/README.md explains it.", lab.number,
                              lab.stem));
    } else {
        return report_error(EXIT_GRADER_ERROR, "cannot read %s: %s", path,
                            strerror(errno));
    }
    free(text);
    return EXIT_FULL;
}

const struct verb verb_problem = {
    "problem", "[LAB]", "draw a small case: input, output, threads",
    "Without LAB, of the lab that comes next. What comes in, what must go out, "
    "and which thread stores what, in numbers that you can check by hand.",
    "", 0, 1, run};
