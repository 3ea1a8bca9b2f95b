/* SPDX-License-Identifier: MIT */
/* The keys of warpbook watch. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "common/base/text.h"
#include "grader/workbench/progress.h"
#include "status.h"
#include "watch_bench.h"

/* Go on with another lab. */
static void change_lab(struct bench *bench, const char *stem)
{
    char text[256];

    file_watch_close(&bench->file);
    if (watch_open(bench, stem))
        watch_begin(bench, text_format(text, sizeof text, "Read "
                                       "labs/%s/README.md (key s); edit %s.cu "
                                       "there.", bench->lab.stem,
                                       bench->lab.name));
}

static void open_next(struct bench *bench)
{
    struct progress progress;

    progress_read(&progress);
    change_lab(bench, suites[lab_after(&progress, bench->lab.stem)]->stem);
}

/* Two digits are a lab: 05. */
static void handle_digit(struct bench *bench, char digit)
{
    const char number[] = {bench->tens, digit, 0};

    if (!bench->tens) {
        printf("Lab %c", digit);
        fflush(stdout);
        bench->tens = digit;
        return;
    }
    bench->tens = 0;
    printf("%c\n", digit);
    for (int i = 0; suites[i]; i++)
        if (atoi(suites[i]->stem) == atoi(number)) {
            change_lab(bench, suites[i]->stem);
            return;
        }
    printf("There is no lab %s.\n", number);
    fflush(stdout);
}

/* A section of the sheet: the next one if the last key showed one, too. */
static void show_sheet(struct bench *bench, bool goes_on)
{
    char number[12];

    watch_stop(bench);
    watch_clear();
    bench->section += goes_on;
    if (bench->section > bench->sections)
        bench->section = 1;
    text_format(number, sizeof number, "%d", bench->section);
    bench->shows_sheet = watch_start(bench, STAGE_OTHER, "sheet", number, NULL);
}

/* A key that starts another verb on the lab. */
static const char *verb_of(int key)
{
    switch (key) {
    case 'h': return "hint";
    case 'd': return "problem";
    case 'p': return "profile";
    case 'c': return "check";
    case 'e': return "explain";
    default: return NULL;
    }
}

/* Put the handout back, to the end: the save that this is must not stop it
 * between the file and the journal. */
static void reset(struct bench *bench)
{
    int status;

    if (!watch_start(bench, STAGE_OTHER, "reset", "--yes", NULL))
        return;
    while (waitpid(bench->child, &status, 0) < 0 && errno == EINTR)
        ;
    watch_finish(bench, status);
}

/* Ask whether to put the handout back; the next key says. */
static void ask_reset(struct bench *bench)
{
    watch_stop(bench);
    printf("Replace labs/%s/%s.cu by the handout? Yours is kept. [y/N] ",
           bench->lab.stem, bench->lab.name);
    fflush(stdout);
    bench->asks_reset = true;
}

/* The key behind that question. */
static void answer_reset(struct bench *bench, int key)
{
    printf("%c\n", key >= ' ' ? key : ' ');
    if (key == 'y' || key == 'Y')
        reset(bench);
    else
        watch_footer(bench, true);
}

/* Keys that show something. */
static void show(struct bench *bench, int key, bool was_sheet)
{
    if (key == 's') {
        show_sheet(bench, was_sheet);
        return;
    }
    watch_stop(bench);
    watch_clear();
    if (key == 'l') {
        show_status();
        watch_footer(bench, false);
    } else {
        watch_start(bench, STAGE_OTHER, verb_of(key), NULL, NULL);
    }
}

bool watch_handle_key(struct bench *bench, int key)
{
    const bool confirms = bench->asks_reset, was_sheet = bench->shows_sheet;

    bench->asks_reset = bench->shows_sheet = false;
    if (key < 0 || key == 'q')
        return false;
    if (confirms)
        answer_reset(bench, key);
    else if (key >= '0' && key <= '9')
        handle_digit(bench, (char)key);
    else if (key == 'l' || key == 's' || verb_of(key))
        show(bench, key, was_sheet);
    else if (key == 'x')
        ask_reset(bench);
    else if (key == 'n')
        open_next(bench);
    else if (key == 'r' || key == '\n')
        watch_begin(bench, NULL);
    if (key < '0' || key > '9')
        bench->tens = 0;
    return true;
}
