/* SPDX-License-Identifier: MIT */
/* warpbook, the grader: dispatches to the verbs in verbs/. */
#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/closest.h"
#include "common/base/paths.h"
#include "grader/session/canary.h"
#include "grader/verbs/common.h"
#include "grader/verbs/options.h"
#include "common/base/process.h"
#include "common/base/temp_dir.h"
#include "common/base/terminal.h"
#include "common/base/text.h"
#include "common/base/version.h"
#include "grader/verbs/status.h"

static const struct verb *const verbs[] = {
    &verb_watch, &verb_status, &verb_next, &verb_sheet, &verb_problem,
    &verb_hint, &verb_locate, &verb_explain, &verb_reset, &verb_list, &verb_doctor,
    &verb_grade, &verb_run, &verb_check, &verb_profile, &verb_ask,
    &verb_answer, &verb_prove,
    &verb_bench, &verb_calibrate, &verb_picture, &verb_cut,
    &verb_autograde, &verb_gradebook, &verb_report, &verb_regrade,
    &verb_evidence, &verb_similarity, &verb_shard, &verb_verify_box,
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static void usage(FILE *out)
{
    fprintf(out, "usage: warpbook VERB [OPTION]... [WORD]...\n\n");
    for (int i = 0; i < VERBS; i++) {
        fprintf(out, "  %-10s %-15s ", verbs[i]->name, verbs[i]->words);
        text_wrap_after(out, 29, verbs[i]->summary);
    }
    fprintf(out, "\n");
    text_wrap(out, 0, "warpbook VERB --help says more; warpbook --version "
                      "names the version.");
}

static const struct verb *find_verb(const char *name)
{
    const char *names[VERBS], *meant;

    for (int i = 0; i < VERBS; i++) {
        if (!strcmp(verbs[i]->name, name))
            return verbs[i];
        names[i] = verbs[i]->name;
    }
    meant = closest_name(name, names, VERBS);
    fprintf(stderr, "warpbook: there is no verb \"%.40s\"; ", name);
    if (meant)
        fprintf(stderr, "did you mean \"%s\"?\n", meant);
    else
        fprintf(stderr, "see warpbook --help\n");
    return NULL;
}

static bool is_one_of(const char *word, const char *a, const char *b,
                      const char *c)
{
    return !strcmp(word, a) || !strcmp(word, b) || !strcmp(word, c);
}

/* `--help`, `help VERB`, `--version` and what else people type.
 * @param word  the first argument; NULL: none
 * @return the exit status; -1: it is something else */
static int answer(const char *word, const char *next)
{
    const struct verb *verb;

    if (word && is_one_of(word, "--version", "-V", "version")) {
        printf("warpbook %s: CUDA C labs, graded on a GPU or on the software "
               "GPU\n", PROJECT_VERSION);
        return EXIT_FULL;
    }
    if (word && !is_one_of(word, "--help", "-h", "help"))
        return -1;
    if (word && next) {
        verb = find_verb(next);
        if (verb)
            options_help(verb);
        return verb ? EXIT_FULL : EXIT_USAGE;
    }
    usage(word ? stdout : stderr);
    return word ? EXIT_FULL : EXIT_USAGE;
}

/* Copy the arguments and clear them: every process of the machine could read
 * in /proc/PID/cmdline what --seed is and where --json goes. */
static char **hide_arguments(int argc, char **argv)
{
    static char **copies; /* not freed: the options point to them */

    copies = calloc((size_t)argc + 1, sizeof *copies);
    for (int i = 0; copies && i < argc; i++) {
        copies[i] = strdup(argv[i]);
        if (!copies[i])
            return NULL;
        if (i > 1)
            memset(argv[i], 0, strlen(argv[i]));
    }
    return copies;
}

/* For jansson: a value that lacks a member is worse than none.  No function
 * registered with atexit() is called: this may be a process that was forked. */
static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);

    if (memory)
        return memory;
    fprintf(stderr, "warpbook: out of memory\n");
    _exit(EXIT_GRADER_ERROR);
}

/* Has the reader of a pipe ended?  It has what it wanted, as head(1) has. */
static bool reader_has_left(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

    return poll(&out, 1, 0) == 1 && out.revents & (POLLERR | POLLHUP);
}

/* Nobody relies on output that is cut.
 * @return the exit status: `code`, unless the disk is full */
static int end_output(int code)
{
    int why = fflush(stdout) ? errno : 0;

    if ((!why && !ferror(stdout)) || interrupted() || reader_has_left())
        return code;
    return report_error(EXIT_GRADER_ERROR,
                        "what was printed is not complete%s%s",
                        why ? ": " : "", why ? strerror(why) : "");
}

int main(int argc, char **argv)
{
    struct options options;
    const struct verb *verb;
    int code;

    signal(SIGPIPE, SIG_IGN); /* end_output() */
    /* Labs are graded on fibers; prove can try them on vectors. */
    setenv("SOFTCC_ENGINE", "fibers", argc < 2 || strcmp(argv[1], "prove"));
    if (argc > 1 && !strcmp(argv[1], CANARY_VERB))
        return canary_main(argc - 2, argv + 2);
    if (argc < 2 && is_terminal(stdout) && paths_init()) {
        show_status(true);
        printf("All verbs: build/warpbook --help\n");
        return end_output(EXIT_FULL);
    }
    code = answer(argv[1], argc > 2 ? argv[2] : NULL);
    if (code >= 0)
        return end_output(code);
    if (!(argv = hide_arguments(argc, argv))) {
        fprintf(stderr, "warpbook: out of memory\n");
        return EXIT_GRADER_ERROR;
    }
    verb = find_verb(argv[1]);
    if (!verb)
        return EXIT_USAGE;
    code = options_read(verb, argc - 1, argv + 1, &options);
    if (code >= 0)
        return end_output(code);
    if (!paths_init())
        return EXIT_GRADER_ERROR;
    json_set_alloc_funcs(allocate, free);
    install_signal_handlers();
    isolate_process();
    setenv("LC_ALL", "C", 1); /* compilers then quote in ASCII */
    if (options.keep)
        temp_dirs_make_persistent();
    code = verb->run(&options);
    code = end_output(code);
    temp_dirs_remove();
    if (interrupted()) {
        if (interrupted() != SIGHUP) /* then nobody reads it */
            fprintf(stderr, "warpbook: interrupted; nothing was left "
                            "behind\n");
        return EXIT_INTERRUPTED;
    }
    return code;
}
