/* SPDX-License-Identifier: MIT */
/* The program that `train` builds, for one device and one set of kernels. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "session.h"

static volatile sig_atomic_t stopped;

/* The signal handler only sets a flag: the current step is completed. */
static void request_stop(int signal)
{
    (void)signal;
    stopped = 1;
}

bool session_stop_requested(void)
{
    return stopped;
}

static int report_failure(const struct failure *why)
{
    fprintf(stderr, "train: %s\n", why->text);
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

static int train(struct train_options *options)
{
    struct failure why = {""};
    struct tensors from = {0};
    struct session session = {.options = options};
    char path[4096] = "";
    bool ok;
    int code;

    if (*options->resume ? !load_checkpoint(options, &from, path, &why)
                         : !load_weights(options, &from, path, &why))
        return report_failure(&why);
    mkdir(options->out, 0777); /* `train` has created it, unless this program
                                  was started directly */
    signal(SIGINT, request_stop);
    signal(SIGTERM, request_stop);
    ok = session_open(&session, &from, path, &why);
    tensors_free(&from);
    code = ok ? session_run(&session, &why) : TRAIN_FAILED;
    if (code == TRAIN_INTERRUPTED)
        fprintf(stderr,
                "train: stopped after step %lld; resume with --resume %s\n",
                (long long)session.state->step, options->out);
    session_close(&session);
    if (code == TRAIN_FAILED)
        return report_failure(&why);
    if (code == TRAIN_DONE)
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
    if (options.predict)
        return predict(&options, &why) ? TRAIN_DONE : report_failure(&why);
    return train(&options);
}
