/* SPDX-License-Identifier: MIT */
/* warpbook watch [LAB]: grade whenever the file is saved.
 *
 * Each grade is a process of its own, this program with another verb: a save or
 * a key ends it at any moment, and it cleans up after itself. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
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
#include "common.h"
#include "grader/workbench/file_watch.h"
#include "grader/workbench/keyboard.h"
#include "grader/workbench/progress.h"
#include "status.h"

enum { POLL_BUSY_MS = 50, POLL_IDLE_MS = 500 };

/* Task of the running process. */
enum stage {
    STAGE_IDLE,  /* nothing runs */
    STAGE_TEST,  /* the test that failed last, alone */
    STAGE_GRADE, /* all tests */
    STAGE_WARM,  /* the failing test again, unseen: what its build shares with
                  * the next one, as a precompiled header, is there then */
    STAGE_OTHER  /* another verb, by a key */
};

/* A lab that is watched. */
struct bench {
    const struct options *options;
    struct lab lab;
    struct file_watch file;
    pid_t child;
    enum stage stage;
    char json[PATH_MAX];  /* result of the last grade */
    char failing[64];     /* its first failing test, or empty */
    bool is_wrong;        /* by its outputs: that does not need the vector code
                           * of -O3, as the crash of a misaligned access does */
    bool is_complete;     /* it had full points */
    bool is_cut;          /* a key ended a grade: its points are not known */
    bool is_warm;         /* STAGE_WARM has ended once */
    bool has_keys;        /* stdin is a terminal */
    bool asks_reset;      /* the next key says whether to reset */
};

/* Start `warpbook VERB LAB [WORD [VALUE]]`. */
static bool start(struct bench *bench, enum stage stage, const char *verb,
                  const char *word, const char *value)
{
    char path[PATH_MAX], number[8];
    char *arguments[10] = {"warpbook", (char *)verb, number};
    posix_spawn_file_actions_t actions;
    const int unseen = stage == STAGE_WARM ? STDERR_FILENO : -1;
    int count = 3, error;

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

static void stop(struct bench *bench)
{
    if (bench->stage == STAGE_IDLE)
        return;
    kill(bench->child, SIGHUP); /* it ends without a word */
    while (waitpid(bench->child, NULL, 0) < 0 && errno == EINTR)
        ;
    bench->is_cut |= bench->stage == STAGE_TEST || bench->stage == STAGE_GRADE;
    bench->stage = STAGE_IDLE;
}

static void clear_screen(void)
{
    if (is_terminal(stdout))
        printf("\033[H\033[2J");
}

static void start_grade(struct bench *bench)
{
    unlink(bench->json);
    start(bench, STAGE_GRADE, "grade", "--json", bench->json);
}

/* Grade on an empty screen: the test that failed before comes first.
 *  @param words  printed above; NULL: none */
static void begin(struct bench *bench, const char *words)
{
    stop(bench);
    bench->asks_reset = false; /* the question is off the screen */
    bench->is_cut = false;
    clear_screen();
    if (words) {
        text_wrap(stdout, 0, words);
        printf("\n");
    }
    if (*bench->failing)
        start(bench, STAGE_TEST, "grade", bench->failing,
              bench->is_wrong ? "--quick" : NULL);
    else
        start_grade(bench);
}

/* Read score and first failing test from the grade's result; without one, as
 * when it does not build, there is no such test. */
static void read_result(struct bench *bench)
{
    json_t *root = json_load_file(bench->json, 0, NULL), *test;
    size_t i;

    *bench->failing = 0;
    bench->is_complete =
        root
        && json_number_value(json_object_get(root, "score"))
               >= json_number_value(json_object_get(root, "max_score"));
    json_array_foreach(json_object_get(root, "tests"), i, test)
    {
        const char *verdict =
            json_string_value(json_object_get(test, "verdict"));
        const char *name = json_string_value(json_object_get(test, "name"));

        if (*bench->failing || !verdict || !name || !strcmp(verdict, "PASS"))
            continue;
        text_format(bench->failing, sizeof bench->failing, "%.63s", name);
        bench->is_wrong = !strcmp(verdict, "WRONG");
    }
    json_decref(root);
}

/* The footer of each output: progress, and the keys.
 * shows_bar: false where the bar was shown above */
static void show_footer(const struct bench *bench, bool shows_bar)
{
    struct progress progress;
    char text[256];

    progress_read(&progress);
    printf("\n");
    if (shows_bar)
        progress_show_bar(stdout, &progress);
    if (bench->is_cut)
        printf("The grade was not finished: r grades again.\n");
    else if (bench->is_complete && next_lab(&progress) >= 0)
        printf("%sLab %02d has full points.%s Next is %s%s\n",
               style(stdout, STYLE_GREEN), bench->lab.number,
               style(stdout, STYLE_NONE),
               suites[lab_after(&progress, bench->lab.stem)]->stem,
               bench->has_keys ? ": n" : "");
    else
        text_wrap(stdout, 0,
                  text_format(text, sizeof text, "Edit labs/%s/%s.cu and save "
                              "it; see README.md there.", bench->lab.stem,
                              bench->lab.name));
    if (bench->has_keys)
        keyboard_show_keys(stdout);
    else
        printf("Waiting for it to be saved; ctrl-C ends\n");
    fflush(stdout);
}

/* The file was deleted or renamed. */
static void show_lost(struct bench *bench)
{
    stop(bench);
    bench->asks_reset = false;
    printf("\nlabs/%s/%s.cu is gone.\n%sWaiting for it to be saved again\n",
           bench->lab.stem, bench->lab.name,
           bench->has_keys ? "x puts the handout back. " : "");
    fflush(stdout);
}

/* The running process ended: the next stage, or the footer.  A file that does
 * not build is not built again for the other tests. */
static void finish(struct bench *bench, int status)
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
        read_result(bench);
    show_footer(bench, true);
    if (stage == STAGE_GRADE && *bench->failing && bench->is_wrong
        && !bench->is_warm)
        start(bench, STAGE_WARM, "grade", bench->failing, "--quick");
}

/* Watch the file of a lab from now on. */
static bool open_lab(struct bench *bench, const char *name)
{
    char path[PATH_MAX];

    if (!load_lab(name, bench->options, &bench->lab))
        return false;
    labs_path(path, "labs/%s/%s.cu", bench->lab.stem, bench->lab.name);
    file_watch_open(&bench->file, path);
    *bench->failing = 0;
    bench->is_complete = false;
    return true;
}

static void open_next(struct bench *bench)
{
    struct progress progress;
    char text[256];
    int next;

    progress_read(&progress);
    next = lab_after(&progress, bench->lab.stem);
    file_watch_close(&bench->file);
    if (open_lab(bench, suites[next]->stem))
        begin(bench, text_format(text, sizeof text, "Read labs/%s/README.md; "
                                 "edit %s.cu there.", bench->lab.stem,
                                 bench->lab.name));
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

    if (!start(bench, STAGE_OTHER, "reset", "--yes", NULL))
        return;
    while (waitpid(bench->child, &status, 0) < 0 && errno == EINTR)
        ;
    finish(bench, status);
}

/* @return false to quit */
static bool handle_key(struct bench *bench, int key)
{
    const bool confirms = bench->asks_reset;

    bench->asks_reset = false;
    if (key < 0 || key == 'q')
        return false;
    if (confirms) {
        printf("%c\n", key >= ' ' ? key : ' ');
        if (key == 'y' || key == 'Y')
            reset(bench);
        else
            show_footer(bench, true);
    } else if (verb_of(key)) {
        stop(bench);
        clear_screen();
        start(bench, STAGE_OTHER, verb_of(key), NULL, NULL);
    } else if (key == 'l') {
        stop(bench);
        clear_screen();
        show_status();
        show_footer(bench, false);
    } else if (key == 'x') {
        stop(bench);
        printf("Replace labs/%s/%s.cu by the handout? Yours is kept. [y/N] ",
               bench->lab.stem, bench->lab.name);
        fflush(stdout);
        bench->asks_reset = true;
    } else if (key == 'n')
        open_next(bench);
    else if (key == 'r' || key == '\n')
        begin(bench, NULL);
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

static void watch_until_quit(struct bench *bench)
{
    int key = 0, status;

    begin(bench, NULL);
    while (!interrupted()) {
        if (bench->stage != STAGE_IDLE
            && waitpid(bench->child, &status, WNOHANG) == bench->child)
            finish(bench, status);
        else
            wait_for_event(bench);
        if (file_watch_changed(&bench->file))
            begin(bench, NULL);
        else if (file_watch_lost(&bench->file))
            show_lost(bench);
        while ((key = keyboard_read()) != 0)
            if (!handle_key(bench, key))
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
    if (!open_lab(&bench, options->count ? options->words[0]
                                         : next_lab_stem(&progress)))
        return EXIT_USAGE;
    if (!temp_file_path(bench.json, "watch.json"))
        return report_error(EXIT_GRADER_ERROR, "no temporary folder: %s",
                            strerror(errno));
    bench.has_keys = keyboard_open();
    watch_until_quit(&bench);
    stop(&bench);
    keyboard_close();
    file_watch_close(&bench.file);
    return EXIT_FULL;
}

const struct verb verb_watch = {
    "watch", "[LAB]", "grade your file whenever you save it",
    "Without LAB, the lab that comes next. After a save the test that failed "
    "first runs alone, then all tests. Keys: d draw the problem, n next lab, h "
    "hint, l list, p profile, c check, e explain, x reset, r grade again, "
    "q quit.",
    "d", 0, 1, run};
