/* SPDX-License-Identifier: MIT */
/* The keys of warpbook watch. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "common/base/text.h"
#include "grader/report/kept_text.h"
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

/* Wait for the running verb.  @return its exit status */
static int wait_for_verb(struct bench *bench)
{
    int status = 0;

    while (waitpid(bench->child, &status, 0) < 0 && errno == EINTR)
        ;
    watch_finish(bench, status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_GRADER_ERROR;
}

/* The screen of the sheet that was chosen. */
static void show_screen(struct bench *bench)
{
    char section[12], screen[12];

    watch_stop(bench);
    watch_clear();
    text_format(section, sizeof section, "%d", bench->section);
    text_format(screen, sizeof screen, "%d", bench->screen);
    bench->shows_sheet =
        watch_start(bench, STAGE_OTHER, "sheet", section, screen);
    if (bench->shows_sheet)
        bench->has_more = wait_for_verb(bench) == EXIT_PARTIAL;
}

/* A screen of the sheet: the next one if the last key showed one, too. */
static void show_sheet(struct bench *bench, bool goes_on)
{
    if (goes_on && bench->has_more) {
        bench->screen++;
    } else if (goes_on) {
        bench->section =
            bench->section < bench->sections ? bench->section + 1 : 1;
        bench->screen = 1;
    }
    show_screen(bench);
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
    if (watch_start(bench, STAGE_OTHER, "reset", "--yes", NULL))
        wait_for_verb(bench);
}

/* Ask whether to put the handout back; the next key says. */
static void ask_reset(struct bench *bench)
{
    char text[256];

    watch_stop(bench);
    text_wrap(stdout, 0,
              text_format(text, sizeof text, "Replace labs/%s/%s.cu by the "
                          "handout? Yours is kept.", bench->lab.stem,
                          bench->lab.name));
    printf("[y/N] ");
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

static void show_list(struct bench *bench)
{
    show_status(false); /* with the footer it fits 24 rows */
    watch_footer(bench, false);
}

/* Keys that show something. */
static void show(struct bench *bench, int key, bool was_sheet)
{
    const bool is_next = bench->view == VIEW_VERB && bench->key == key
                         && bench->has_part && bench->stage == STAGE_IDLE;

    bench->has_part = false;
    bench->view = key == 'l' ? VIEW_LIST : VIEW_VERB;
    bench->key = key;
    if (key == 's') {
        show_sheet(bench, was_sheet);
        return;
    }
    watch_stop(bench);
    watch_clear();
    if (is_next) {
        bench->part++;
        watch_show_part(bench);
    } else if (key == 'l') {
        show_list(bench);
    } else {
        watch_start(bench, STAGE_OTHER, verb_of(key), NULL, NULL);
    }
}

void watch_show_part(struct bench *bench)
{
    const size_t parts = kept_text_show_screen(bench->shown, &bench->part);

    if (parts > 1)
        printf("\nScreen %zu of %zu", bench->part, parts);
    bench->has_part = bench->part < parts && bench->has_keys;
    if (bench->has_part)
        printf("; more: %c", bench->key);
    if (parts > 1)
        printf("\n");
    watch_footer(bench, true);
}

/* What a grade printed, and what watch waits for. */
static void show_grade(const struct bench *bench)
{
    kept_text_show(bench->text);
    watch_footer(bench, true);
}

void watch_redraw(struct bench *bench)
{
    const bool asks = bench->asks_reset;

    watch_clear();
    bench->tens = 0;
    if (bench->view == VIEW_LOST)
        watch_show_lost(bench);
    else if (bench->view == VIEW_LIST)
        show_list(bench);
    else if (bench->view == VIEW_GRADE || asks)
        show_grade(bench);
    else if (bench->key == 's')
        show_screen(bench);
    else if (kept_text_exists(bench->shown))
        watch_show_part(bench);
    else
        watch_start(bench, STAGE_OTHER, verb_of(bench->key),
                    bench->key == 'h' ? "--again" : NULL, NULL);
    if (asks)
        ask_reset(bench);
}

bool watch_handle_key(struct bench *bench, int key)
{
    const bool confirms = bench->asks_reset, was_sheet = bench->shows_sheet;

    bench->asks_reset = bench->shows_sheet = false;
    if (bench->tens && (key < '0' || key > '9')) {
        printf("\n"); /* behind "Lab 0" */
        bench->tens = 0;
    }
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
    return true;
}
