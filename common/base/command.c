/* SPDX-License-Identifier: MIT */
/* Running a tool from an argument list. */
#include "command.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target.h"
#include "temp_dir.h"
#include "text.h"

const struct limits compiler_limits = {.seconds = 120, .file = 1u << 30,
                                       .memory = (size_t)4 << 30,
                                       .processes = 64};

void command_add(struct command *command, const char *argument)
{
    enum { MAX = sizeof command->argument / sizeof *command->argument };

    if (command->count >= MAX - 1)
        abort(); /* the argument lists have a known length */
    command->argument[command->count++] = (char *)(size_t)argument;
    command->argument[command->count] = NULL;
}

/* Our environment, but for TMPDIR: what a compiler leaves that is killed goes
 * with our own temporary files.
 *  @param setting  TMPDIR=...; is part of the environment
 *  @return to be freed, or NULL */
static char **replace_tmpdir(char *setting)
{
    size_t count = 0;
    char **copy;

    while (environ[count])
        count++;
    copy = calloc(count + 2, sizeof *copy);
    if (!copy)
        return NULL;
    count = 0;
    for (char **at = environ; *at; at++)
        if (strncmp(*at, "TMPDIR=", strlen("TMPDIR=")) != 0)
            copy[count++] = *at;
    copy[count] = setting;
    return copy;
}

int command_start(const struct command *command, const char *folder,
                  struct process *process)
{
    const char *temporary = temp_process_dir();
    char path[PATH_MAX], setting[PATH_MAX + sizeof "TMPDIR="];
    struct program program = {.path = path, .arguments = command->argument,
                              .folder = folder};
    char **environment;
    int error;

    *process = (struct process){.channel = -1,
                                .out.fd = -1, .err.fd = -1};
    if (strchr(command->argument[0], '/'))
        snprintf(path, sizeof path, "%s", command->argument[0]);
    else if (!find_program(command->argument[0], path))
        return ENOENT;
    if (!temporary)
        return errno;
    text_format(setting, sizeof setting, "TMPDIR=%s", temporary);
    environment = replace_tmpdir(setting);
    program.environment = environment;
    error = environment ? process_start(process, &program, &compiler_limits)
                        : ENOMEM;
    free(environment);
    return error;
}

double command_seconds(double seconds)
{
    const double processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    double load = 1;

    if (getloadavg(&load, 1) != 1)
        load = 1;
    return seconds * fmin(fmax(load / processors, 1), MAX_EXTENSION);
}

bool command_wait(struct process *process, struct command_end *end)
{
    const double start = clock_seconds(), limit = compiler_limits.seconds;

    do
        end->why = process_wait(process, 0, start + command_seconds(limit));
    while (end->why == WAIT_TIMEOUT
           && clock_seconds() < start + command_seconds(limit));
    end->status = process_stop(process, end->why == WAIT_ENDED ? 1 : 0);
    end->log = process->err.text ? strdup(process->err.text) : NULL;
    process_free(process);
    return end->why == WAIT_ENDED && end->status == 0;
}

bool command_run(const struct command *command, const char *folder,
                 char **log)
{
    struct command_end end = {0};
    struct process process;
    bool ok = command_start(command, folder, &process) == 0
              && command_wait(&process, &end);

    if (end.why == WAIT_TIMEOUT) {
        free(end.log);
        end.log = strdup("the compiler took too long: other programs keep this "
                         "machine busy; try again when they have ended");
    }
    *log = end.log;
    return ok;
}
