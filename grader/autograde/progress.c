/* SPDX-License-Identifier: MIT */
/* The progress of a batch. */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/process.h"
#include "common/base/text.h"
#include "text_clean.h"

enum { BAR = 30 };

char *duration_text(char text[32], double seconds)
{
    long whole = (long)(seconds + 0.5);

    if (whole >= 3600)
        return text_format(text, 32, "%ld h %ld min", whole / 3600,
                           whole % 3600 / 60);
    if (whole >= 60)
        return text_format(text, 32, "%ld min %ld s", whole / 60, whole % 60);
    return text_format(text, 32, "%ld s", whole);
}

/* The remaining time is extrapolated from the mean so far. */
static void draw(struct progress *progress)
{
    static const char full[BAR + 1] = "##############################";
    size_t part = progress->total ? BAR * progress->done / progress->total : 0;
    double now = clock_seconds();
    char left[32] = "?";

    if (progress->done)
        duration_text(left, (now - progress->started)
                      * (double)(progress->total - progress->done)
                      / (double)progress->done);
    printf("\r\033[K[%-*.*s] %zu of %zu, %s left", BAR, (int)part, full,
           progress->done, progress->total, left);
    fflush(stdout);
    progress->next = now + 1;
}

void progress_begin(struct progress *progress, size_t total)
{
    *progress = (struct progress){.total = total, .started = clock_seconds(),
                                  .is_terminal = isatty(STDOUT_FILENO)};
    progress_tick(progress);
}

void progress_step(struct progress *progress, const char *text)
{
    char line[200];

    clean_copy(line, sizeof line, text);
    progress->done++;
    if (progress->is_terminal)
        printf("\r\033[K");
    printf("%4zu/%zu  %s\n", progress->done, progress->total, line);
    fflush(stdout);
    if (progress->is_terminal)
        draw(progress);
}

void progress_note(struct progress *progress, const char *text)
{
    char line[300];

    progress_end(progress);
    printf("%s\n", clean_copy(line, sizeof line, text));
    fflush(stdout);
    if (progress->is_terminal)
        draw(progress);
}

void progress_tick(struct progress *progress)
{
    if (progress->is_terminal && clock_seconds() >= progress->next)
        draw(progress);
}

void progress_end(struct progress *progress)
{
    if (progress->is_terminal)
        printf("\r\033[K");
    fflush(stdout);
}
