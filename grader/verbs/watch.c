/* SPDX-License-Identifier: MIT */
/* warpbook watch [LAB]: grade whenever the file is saved.
 *
 * Each grade is a process of its own, this program with another verb: a save or
 * a key ends it at any moment, and it cleans up after itself. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/target.h"
#include "common/base/temp_dir.h"
#include "common/base/terminal.h"
#include "common/base/text.h"
#include "grader/report/kept_text.h"
#include "grader/workbench/keyboard.h"
#include "grader/workbench/progress.h"
#include "grader/workbench/sheet.h"
#include "watch_bench.h"

enum { POLL_BUSY_MS = 50, POLL_IDLE_MS = 500, RESIZED_MS = 100 };

/* Start `warpbook VERB LAB [WORD [VALUE]]`. */
bool watch_start(struct bench *bench, enum stage stage, const char *verb,
                 const char *word, const char *value)
{
    char path[PATH_MAX], number[8];
    char *arguments[10] = {"warpbook", (char *)verb, number};
    posix_spawn_file_actions_t actions;
    const int unseen = stage == STAGE_WARM ? STDERR_FILENO : -1;
    int count = 3, error;

    if (stage == STAGE_OTHER)
        kept_text_remove(bench->shown);
    text_format(path, sizeof path, "%.4000s/warpbook", program_root());
    text_format(number, sizeof number, "%02d", bench->lab.number);
    if (stage != STAGE_OTHER) {
        arguments[count++] = "--device";
        arguments[count++] = (char *)bench->options->device;
    }
    if (word)
        arguments[count++] = (char *)word;
    if (value)
        arguments[count++] = (char *)value;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
    for (int fd = STDOUT_FILENO; fd <= unseen; fd++)
        posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY,
                                         0);
    fflush(stdout);
    error = posix_spawn(&bench->child, path, &actions, NULL, arguments,
                        environ);
    posix_spawn_file_actions_destroy(&actions);
    bench->stage = error ? STAGE_IDLE : stage;
    if (error)
        report_error(0, "cannot start %s: %s", path, strerror(error));
    return !error;
}

void watch_stop(struct bench *bench)
{
    if (bench->stage == STAGE_IDLE)
        return;
    kill(bench->child, SIGHUP); /* it ends without a word */
    while (waitpid(bench->child, NULL, 0) < 0 && errno == EINTR)
        ;
    bench->is_cut |= bench->stage == STAGE_TEST || bench->stage == STAGE_GRADE;
    bench->stage = STAGE_IDLE;
}

void watch_clear(void)
{
    if (is_terminal(stdout))
        printf("\033[H\033[2J");
}

static void start_grade(struct bench *bench)
{
    unlink(bench->json);
    kept_text_remove(bench->text);
    watch_start(bench, STAGE_GRADE, "grade", "--json", bench->json);
}

/* Grade on an empty screen: the test that failed before comes first.
 *  @param words  printed above; NULL: none */
void watch_begin(struct bench *bench, const char *words)
{
    watch_stop(bench);
    bench->asks_reset = false; /* the question is off the screen */
    bench->is_cut = false;
    bench->view = VIEW_GRADE;
    watch_clear();
    if (words) {
        text_wrap(stdout, 0, words);
        printf("\n");
    }
    bench->has_first = *bench->last.failing != 0;
    if (bench->has_first)
        watch_start(bench, STAGE_TEST, "grade", bench->last.failing,
              bench->last.is_wrong ? "--quick" : NULL);
    else
        start_grade(bench);
}

/* The footer of each output: progress, and the keys.
 * shows_bar: false where the bar was shown above */
void watch_footer(const struct bench *bench, bool shows_bar)
{
    struct progress progress;
    char text[256];

    progress_read(&progress);
    printf("\n");
    if (shows_bar)
        progress_show_bar(stdout, &progress);
    if (bench->is_cut)
        printf("The grade was not finished: r grades again.\n");
    else if (bench->last.is_complete && next_lab(&progress) >= 0)
        printf("%sLab %02d has full points.%s Next is %s%s\n",
               style(stdout, STYLE_GREEN), bench->lab.number,
               style(stdout, STYLE_NONE),
               suites[lab_after(&progress, bench->lab.stem)]->stem,
               bench->has_keys ? ": n" : "");
    else
        text_wrap(stdout, 0,
                  text_format(text, sizeof text, "Edit labs/%s/%s.cu and save "
                              "it; %s.", bench->lab.stem, bench->lab.name,
                              bench->has_keys ? "s shows what to do"
                                              : "see README.md there"));
    if (bench->has_keys)
        keyboard_show_keys(stdout);
    else
        printf("Waiting for it to be saved; ctrl-C ends\n");
    fflush(stdout);
}

void watch_show_lost(struct bench *bench)
{
    watch_stop(bench);
    bench->asks_reset = false;
    bench->view = VIEW_LOST;
    printf("\nlabs/%s/%s.cu is gone.\n%sWaiting for it to be saved again\n",
           bench->lab.stem, bench->lab.name,
           bench->has_keys ? "x puts the handout back. " : "");
    fflush(stdout);
}

/* The running process ended: the next stage, or the footer.  A file that does
 * not build is not built again for the other tests. */
void watch_finish(struct bench *bench, int status)
{
    const enum stage stage = bench->stage;
    const bool is_built =
        !WIFEXITED(status) || WEXITSTATUS(status) != EXIT_NO_BUILD;

    bench->stage = STAGE_IDLE;
    if (stage == STAGE_TEST && is_built) {
        printf("\n");
        start_grade(bench);
        return;
    }
    if (stage == STAGE_WARM) {
        bench->is_warm = true;
        return;
    }
    if (stage == STAGE_GRADE)
        last_grade_read(bench->json, &bench->last);
    if (stage == STAGE_GRADE && bench->has_first
        && kept_text_exists(bench->text)) { /* it has that test, too */
        watch_clear();
        kept_text_show(bench->text);
    }
    bench->part = 1;
    if (stage == STAGE_OTHER && kept_text_exists(bench->shown))
        watch_show_part(bench);
    else
        watch_footer(bench, true);
    if (stage == STAGE_GRADE && *bench->last.failing && bench->last.is_wrong
        && !bench->is_warm)
        watch_start(bench, STAGE_WARM, "grade", bench->last.failing, "--quick");
}

/* Watch the file of a lab from now on. */
bool watch_open(struct bench *bench, const char *name)
{
    char path[PATH_MAX];
    struct sheet sheet;

    if (!load_lab(name, bench->options, &bench->lab))
        return false;
    sheet_read(bench->lab.stem, &sheet);
    bench->sections = sheet.count;
    sheet_free(&sheet);
    labs_path(path, "labs/%s/%s.cu", bench->lab.stem, bench->lab.name);
    file_watch_open(&bench->file, path);
    bench->last = (struct last_grade){0};
    bench->section = bench->screen = 1;
    bench->has_more = false;
    return true;
}

/* Wait for a key, a save or the end of the process. */
static void wait_for_event(const struct bench *bench)
{
    struct pollfd ready[2] = {
        {.fd = bench->has_keys ? STDIN_FILENO : -1, .events = POLLIN},
        {.fd = bench->file.fd, .events = POLLIN}};

    poll(ready, 2, bench->stage == STAGE_IDLE ? POLL_IDLE_MS : POLL_BUSY_MS);
}

/* Has the window's size changed, and not again for a moment?  A window that is
 * dragged changes it many times.  What runs ends first. */
static bool is_redraw_due(const struct bench *bench)
{
    static bool is_due;

    while (keyboard_screen_changed()) {
        is_due = true;
        poll(NULL, 0, RESIZED_MS);
    }
    if (!is_due || (bench->stage != STAGE_IDLE && bench->stage != STAGE_WARM))
        return false;
    is_due = false;
    return is_terminal(stdout); /* a dumb one cannot be cleared */
}

static void watch_until_quit(struct bench *bench)
{
    int key = 0, status;

    watch_begin(bench, NULL);
    while (!interrupted()) {
        if (bench->stage != STAGE_IDLE
            && waitpid(bench->child, &status, WNOHANG) == bench->child)
            watch_finish(bench, status);
        else
            wait_for_event(bench);
        if (is_redraw_due(bench))
            watch_redraw(bench);
        if (file_watch_changed(&bench->file))
            watch_begin(bench, NULL);
        else if (file_watch_lost(&bench->file))
            watch_show_lost(bench);
        while ((key = keyboard_read()) != 0)
            if (!watch_handle_key(bench, key))
                return;
    }
}

static int run(const struct options *options)
{
    static struct bench bench;
    struct progress progress;
    struct target target;
    char error[512];

    if (!target_find(options->device, &target, error))
        return report_error(EXIT_GRADER_ERROR, "%s", error);
    bench.options = options;
    progress_read(&progress);
    if (!watch_open(&bench, options->count ? options->words[0]
                                         : next_lab_stem(&progress)))
        return EXIT_USAGE;
    if (!temp_file_path(bench.json, "watch.json")
        || !temp_file_path(bench.text, "watch.text")
        || !temp_file_path(bench.shown, "watch.shown")
        || setenv(WATCH_TEXT, bench.text, 1)
        || setenv(WATCH_SHOWN, bench.shown, 1))
        return report_error(EXIT_GRADER_ERROR, "no temporary folder: %s",
                            strerror(errno));
    bench.has_keys = keyboard_open();
    watch_until_quit(&bench);
    if (bench.asks_reset) /* the question's line has no end */
        printf("\n");
    watch_stop(&bench);
    keyboard_close();
    file_watch_close(&bench.file);
    return EXIT_FULL;
}

const struct verb verb_watch = {
    "watch", "[LAB]", "grade your file whenever you save it",
    "Without LAB, the lab that comes next. After a save the test that failed "
    "first runs alone, then all tests. Keys: s sheet, again its next section, "
    "d draw the problem, h hint, l list, 05 lab 05, n next lab, p profile, "
    "c check, e explain, x reset, r grade again, q quit.",
    "d", 0, 1, run};
