/* SPDX-License-Identifier: MIT */
/* The program behind `train`, built for one device and one set of kernels. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "session.h"

static volatile sig_atomic_t stopped;

/* Ctrl-C is noted only: who is in the middle of a step ends it first. */
static void stop(int signal)
{
    (void)signal;
    stopped = 1;
}

bool session_stopped(void)
{
    return stopped;
}

static int trouble(const struct failure *why)
{
    fprintf(stderr, "train: %s\n", why->text);
    return TRAIN_TROUBLE;
}

/* Read the checkpoint to go on from, and what it says of the options. */
static bool renew(struct train_options *options, struct tensors *from,
                  char *path, struct failure *why)
{
    snprintf(path, 4096, "%s/checkpoint.safetensors", options->resume);
    return safetensors_read(path, from, why)
           && train_options_renew(options, from, path, why);
}

/* Read the weights to begin with, if any were asked for. */
static bool borrow(const struct train_options *options, struct tensors *from,
                   char *path, struct failure *why)
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

    if (*options->resume ? !renew(options, &from, path, &why)
                         : !borrow(options, &from, path, &why))
        return trouble(&why);
    mkdir(options->out, 0777); /* `train` has, unless this runs by itself */
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    ok = session_open(&session, &from, path, &why);
    tensors_free(&from);
    code = ok ? session_run(&session, &why) : TRAIN_TROUBLE;
    if (code == TRAIN_INTERRUPTED)
        fprintf(stderr, "train: stopped after step %lld; --resume %s goes on\n",
                (long long)session.state->step, options->out);
    session_close(&session);
    if (code == TRAIN_TROUBLE)
        return trouble(&why);
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
    setvbuf(stdout, NULL, _IOLBF, 0); /* an epoch's line at once, in logs too */
    if (options.predict)
        return predict(&options, &why) ? TRAIN_DONE : trouble(&why);
    return train(&options);
}
