/* SPDX-License-Identifier: MIT */
/* The program that `train` builds, for one device and one set of kernels. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/train/metrics.h"
#include "common/train/run_folder.h"
#include "model.h"
#include "session.h"

static volatile sig_atomic_t stopped;

/* The first signal only sets a flag: the current step is completed.  The second
 * one ends the process: the last checkpoint stays. */
static void request_stop(int number)
{
    static const char text[] =
        "\ntrain: stopping after this step; again: at once\n";
    ssize_t ignored;

    if (stopped) {
        signal(number, SIG_DFL);
        raise(number);
    }
    stopped = 1;
    ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
}

bool session_stop_requested(void)
{
    return stopped;
}

static int report_failure(const struct failure *why)
{
    /* One line, whatever characters names of files and tensors have. */
    fprintf(stderr, "train: ");
    print_name(stderr, why->text);
    fprintf(stderr, "\n");
    return TRAIN_FAILED;
}

/* Read the checkpoint to resume from, and its options. */
static bool load_checkpoint(struct train_options *options, struct tensors *from,
                            char *path, struct failure *why)
{
    snprintf(path, 4096, "%s/checkpoint.safetensors", options->resume);
    return safetensors_read(path, from, why)
           && train_options_from_metadata(options, from, path, why);
}

/* Read initial weights, if --weights is given. */
static bool load_weights(const struct train_options *options,
                         struct tensors *from, char *path, struct failure *why)
{
    strcpy(path, options->weights);
    return !*path || safetensors_read(path, from, why);
}

/* Say how a run that did not reach its end can go on. */
static void report_stop(const struct session *session, int code)
{
    const char *out = session->options->out;

    if (code == TRAIN_INTERRUPTED)
        fprintf(stderr,
                "train: stopped after step %lld; resume with --resume %s\n",
                (long long)session->state->step, out);
    if (code == TRAIN_DIVERGED && session->saved_any)
        fprintf(stderr,
                "train: the last checkpoint is that after step %lld; --resume "
                "%s goes on from there, with another --lr or --clip\n",
                (long long)session->saved.step, out);
}

/* Train, or try learning rates.  @return an exit code */
static int run(struct session *session, struct failure *why)
{
    if (session->options->command == COMMAND_FIND_LR)
        return session_find_lr(session, why) ? TRAIN_DONE : TRAIN_FAILED;
    return session_run(session, why);
}

static int train(struct train_options *options)
{
    struct failure why = {""};
    struct tensors from = {0};
    struct session session = {.options = options};
    char path[4096] = "";
    bool ok;
    int code, lock;

    if ((options->command == COMMAND_FIND_LR
             ? !make_directories(options->out)
             : !run_folder_open(options, &lock, &why))
        || (*options->resume ? !load_checkpoint(options, &from, path, &why)
                             : !load_weights(options, &from, path, &why)))
        return report_failure(&why);
    signal(SIGINT, request_stop);
    signal(SIGTERM, request_stop);
    ok = session_open(&session, &from, path, &why);
    tensors_free(&from);
    code = ok ? run(&session, &why) : TRAIN_FAILED;
    report_stop(&session, code);
    session_close(&session);
    if (code == TRAIN_FAILED)
        return report_failure(&why);
    if (code == TRAIN_DONE && options->command == COMMAND_TRAIN)
        printf("report: %s/report.html\n", options->out);
    return code;
}

int main(int argc, char **argv)
{
    struct train_options options;
    struct failure why = {""};

    train_options_default(&options);
    if (!train_options_read(argc, argv, &options))
        return TRAIN_USAGE;
    setvbuf(stdout, NULL, _IOLBF, 0); /* line buffered, also when redirected to
                                         a file */
    switch (options.command) {
    case COMMAND_PREDICT:
        return predict(&options, &why) ? TRAIN_DONE : report_failure(&why);
    case COMMAND_EVALUATE:
        return evaluate(&options, &why) ? TRAIN_DONE : report_failure(&why);
    case COMMAND_ATTACK:
        return attack(&options, &why) ? TRAIN_DONE : report_failure(&why);
    case COMMAND_FIND_LR:
    case COMMAND_TRAIN:
    case COMMAND_COMPARE: /* these two need no device: see ../main.c */
    case COMMAND_AVERAGE:
    case COMMAND_COUNT:
        break;
    }
    return train(&options);
}
