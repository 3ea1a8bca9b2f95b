/* SPDX-License-Identifier: MIT */
/* warpbook explain LAB: after a pass, what the ladder does next, and why. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/terminal.h"
#include "common/base/text.h"
#include "common.h"
#include "grader/workbench/progress.h"
#include "grader/workbench/sheet.h"

enum { MAX_BYTES = 1 << 20, MORE_INDENT = 4 };

/* Print what the first comment of a step says behind "@file". */
static void show_purpose(const char *path)
{
    size_t length;
    char *text = read_file(path, MAX_BYTES, &length);
    char *from = text ? strstr(text, "@file") : NULL;
    char *to = from ? strstr(from, "*/") : NULL;

    if (to) {
        *to = 0;
        for (char *at = from; (at = strstr(at, "\n *")); at += 3)
            memset(at, ' ', 3);
        from += strlen("@file");
        text_join_lines(from);
        text_wrap(stdout, 2, from);
    }
    free(text);
}

/* Bytes of a line that go on one line of a terminal: up to a blank in its
 * second half, or as many as fit. */
static size_t fitting(const char *line, size_t length, size_t room)
{
    size_t fits = room;

    if (length <= room)
        return length;
    while (fits > room / 2 && line[fits] != ' ')
        fits--;
    return line[fits] == ' ' ? fits : room;
}

/* Print a line of a diff in its color. On a terminal one that is too long goes
 * on below, behind the same sign; elsewhere it stays as patch(1) needs it. */
static void show_diff_line(const char *line, size_t length)
{
    const enum style look = *line == '+' ? STYLE_GREEN
                            : *line == '-' ? STYLE_RED : STYLE_NONE;
    const size_t room = terminal_columns(stdout);
    const size_t part = fitting(line, length, room), rest = length - part;
    size_t indent = length ? 1 + strspn(line + 1, " ") + MORE_INDENT : 0;

    printf("%s%.*s", look ? style(stdout, look) : "", (int)part, line);
    if (indent + rest > room)
        indent = rest < room ? room - rest : 1;
    if (rest)
        printf("\n%-*c%.*s", (int)indent, *line, (int)rest, line + part);
    printf("%s\n", look ? style(stdout, STYLE_NONE) : "");
}

/* Print a diff, on a terminal with added lines in green and removed in red. */
static void show_colored(const char *diff)
{
    const char *end;

    for (; *diff; diff = end + (*end == '\n')) {
        end = diff + strcspn(diff, "\n");
        show_diff_line(diff, (size_t)(end - diff));
    }
}

/* Print a unified diff of two steps. */
static void show_diff(const struct lab *lab, size_t from, size_t to)
{
    char old[PATH_MAX], new[PATH_MAX];
    char *arguments[] = {"diff", "-U", "2", "--label", (char *)lab->step[from],
                         "--label", (char *)lab->step[to], old, new, NULL};
    const struct program program = {.path = "/usr/bin/diff",
                                    .arguments = arguments};
    const struct limits limits = {.seconds = 120, .output = MAX_BYTES};
    struct process process = {0};
    int status;

    root_path(old, "solutions/%s/%s", lab->stem, lab->step[from]);
    root_path(new, "solutions/%s/%s", lab->stem, lab->step[to]);
    if (process_run(&process, &program, &limits, &status) == WAIT_ENDED
        && process.out.text)
        show_colored(process.out.text);
    else
        printf("  (compare %s with %s)\n", old, new);
    process_free(&process);
}

/* Does a step include this header of its folder, itself? */
static bool includes(const struct lab *lab, size_t step, const char *header)
{
    char path[PATH_MAX], line[PATH_MAX];
    size_t length;
    char *text = read_file(root_path(path, "solutions/%s/%s", lab->stem,
                                     lab->step[step]), MAX_BYTES, &length);
    const bool found =
        text && strstr(text, text_format(line, sizeof line,
                                         "#include \"%.200s\"", header));

    free(text);
    return found;
}

static void show_header(const struct lab *lab, const char *header)
{
    char text[256];

    printf("\n");
    text_wrap(stdout, 0,
              text_format(text, sizeof text, "Also new in this step: "
                          "solutions/%s/%s", lab->stem, header));
}

/* Name the headers that a step includes and the one before it does not: what
 * is new may be in them, and the diff does not show it. */
static void show_new_headers(const struct lab *lab, size_t from, size_t to)
{
    static const char include[] = "\n#include \"";
    char path[PATH_MAX], header[64];
    size_t length;
    char *text = read_file(root_path(path, "solutions/%s/%s", lab->stem,
                                     lab->step[to]), MAX_BYTES, &length);

    for (char *at = text; at && (at = strstr(at, include)); at++) {
        at += strlen(include);
        text_format(header, sizeof header, "%.*s", (int)strcspn(at, "\""), at);
        if (!includes(lab, from, header)
            && !access(root_path(path, "solutions/%s/%s", lab->stem, header),
                       F_OK))
            show_header(lab, header);
    }
    free(text);
}

/* The ladder's step that the learner's points reach, from 0; the last step is
 * above everything that can be reached. */
static size_t step_reached(const struct lab *lab,
                           const struct lab_progress *state)
{
    size_t step = 0;

    for (size_t i = 0; i + 1 < lab->steps; i++)
        if (lab->ladder[i] >= 0 && state->best >= lab->ladder[i])
            step = i;
    return lab->steps > 1 && step > lab->steps - 2 ? lab->steps - 2 : step;
}

/* Print the experiments of the lab's sheet, with their results. */
static void show_experiments(const struct lab *lab)
{
    struct sheet sheet;
    const int at = sheet_read(lab->stem, &sheet) ? sheet_find(&sheet, "go") : -1;

    if (at >= 0)
        sheet_show(stdout, sheet.section[at], lab->number, true);
    sheet_free(&sheet);
}

/* The purpose of each step, and the difference to the next one. */
static void explain(const struct lab *lab, const struct lab_progress *state)
{
    const size_t step = step_reached(lab, state);
    char path[PATH_MAX], text[256];

    if (*lab->next && is_complete(state)) { /* it speaks of the last step */
        text_wrap(stdout, 0, lab->next);
        printf("\n");
    }
    printf("The ladder, solutions/%s/\n", lab->stem);
    for (size_t i = 0; i < lab->steps; i++) {
        printf("\n%s\n", lab->step[i]);
        show_purpose(root_path(path, "solutions/%s/%s", lab->stem,
                               lab->step[i]));
    }
    if (lab->steps > 1) {
        printf("\nThe next step\n\n");
        show_diff(lab, step, step + 1);
        show_new_headers(lab, step, step + 1);
    }
    printf("\nExperiments\n\n");
    text_wrap(stdout, 0, text_format(text, sizeof text, "In your file, or in a "
              "step that you change: build/warpbook grade, check and profile "
              "%02d take it with --from solutions/%s/%s.", lab->number,
              lab->stem, lab->steps ? lab->step[0] : "STEP.cu"));
    show_experiments(lab);
    if (*lab->question.ask && !state->is_answered)
        printf("\nA question is open: build/warpbook ask %02d\n", lab->number);
}

/* Solutions are shown after a pass, or when asked for by --yes. */
static int run(const struct options *options)
{
    static struct lab lab;
    struct progress progress;
    const struct lab_progress *state;

    progress_read(&progress);
    if (!load_lab(options->count ? options->words[0] : last_lab_stem(&progress),
                  options, &lab))
        return EXIT_USAGE;
    state = &progress.lab[lab.number];
    if (!state->is_passed && !options->yes)
        return report_error(EXIT_PARTIAL, "%s is not passed yet, and this "
                            "shows its solution; build/warpbook explain %02d "
                            "--yes shows it anyway", lab.stem, lab.number);
    explain(&lab, state);
    return EXIT_FULL;
}

const struct verb verb_explain = {
    "explain", "[LAB]", "after a pass: the ladder, next step, experiments",
    "Without LAB, the lab that was graded last. Prints what each step of the "
    "ladder does, the next step as a diff, and what to try. Before all tests "
    "passed it refuses, unless --yes is given.",
    "y", 0, 1, run};
