/* SPDX-License-Identifier: MIT */
/* Slurm's commands. */
#include "slurm.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/command.h"
#include "common/base/target.h"
#include "common/base/text.h"
#include "text_clean.h"

enum { OPTION = 4200 };

/* Options that a run depends on: an instructor may not replace them. */
static const char *const own_options[] = {
    "--array", "--chdir", "--error", "--job-name", "--no-requeue",
    "--open-mode", "--output", "--parsable", "--requeue", "--test-only",
    "--wait", "--wrap"};

static bool check_value(const char *option, const char *value,
                        struct failure *failure)
{
    return !value || (*value && *value != '-')
           || fail(failure, "%s: \"%.60s\" is not a value", option, value);
}

static bool check_extra(const char *option, struct failure *failure)
{
    size_t length = strcspn(option, "=");

    if (strncmp(option, "--", 2) || length < 3)
        return fail(failure, "--slurm-option: \"%.60s\" is not --NAME or "
                    "--NAME=VALUE", option);
    /* sbatch also takes the beginning of a name. */
    for (size_t i = 0; i < sizeof own_options / sizeof *own_options; i++)
        if (!strncmp(option, own_options[i], length))
            return fail(failure, "--slurm-option: %.60s is set by warpbook",
                        option);
    return true;
}

bool slurm_is_requested(const struct slurm_request *request)
{
    return request->partition || request->account || request->time
           || request->gres || request->shards || request->extras;
}

bool slurm_request_check(const struct slurm_request *request,
                         struct failure *failure)
{
    bool ok = check_value("--slurm-partition", request->partition, failure)
              && check_value("--slurm-account", request->account, failure)
              && check_value("--slurm-time", request->time, failure)
              && check_value("--slurm-gres", request->gres, failure);

    if (ok && request->extras > SLURM_EXTRAS)
        ok = fail(failure, "more than %d options for sbatch", SLURM_EXTRAS);
    for (int i = 0; i < request->extras && ok; i++)
        ok = check_extra(request->extra[i], failure);
    return ok;
}

/* --- running a command ---------------------------------------------------- */

/* The last line that is not empty, fit for a terminal. */
static void last_line(const char *text, char *line, size_t bytes)
{
    const char *from = text ? text : "", *end = from + strlen(from);

    while (end > from && (end[-1] == '\n' || end[-1] == ' '))
        end--;
    for (const char *at = from; at < end; at++)
        if (*at == '\n')
            from = at + 1;
    text_format(line, bytes, "%.*s", (int)(end - from), from);
    make_printable(line);
}

static bool find(const char *name, char *path, struct failure *failure)
{
    return find_program(name, path)
           || fail(failure, "%s is not installed here: --slurm needs Slurm's "
                   "programs on this machine, set up for your cluster "
                   "(Debian: slurm-client)", name);
}

bool slurm_is_here(struct failure *failure)
{
    char path[PATH_MAX];

    return find("sbatch", path, failure) && find("squeue", path, failure);
}

/* Run one of Slurm's programs.
 * @return what it printed, malloced; NULL with one line */
static char *run(const struct command *command, struct failure *failure)
{
    const struct limits limits = {.seconds = 120};
    const char *name = command->argument[0];
    struct process process = {0};
    struct program program = {.arguments = command->argument};
    char path[PATH_MAX], line[300];
    char *text = NULL;
    int status = 0, result;

    if (!find(name, path, failure))
        return NULL;
    program.path = path;
    result = process_run(&process, &program, &limits, &status);
    if (result < 0) {
        fail(failure, "%s: %s", path, strerror(-result));
        return NULL;
    }
    last_line(process.err.text, line, sizeof line);
    if (result == WAIT_ENDED && status == 0)
        text = strdup(process.out.text ? process.out.text : "");
    else if (result == WAIT_ENDED)
        fail(failure, "%.300s", *line ? line : "Slurm gave no reason");
    else
        fail(failure, "%s does not answer", name);
    process_free(&process);
    return text;
}

/* The texts are those of slurm_strerror(). */
bool slurm_may_answer_later(const struct failure *failure)
{
    static const char *const texts[] = {
        "Unable to contact slurm controller", "Socket timed out",
        "Zero Bytes were transmitted", "Communication connection failure",
        "Communication shutdown failure", "Message receive failure",
        "Message send failure", "Protocol authentication error",
        "temporarily unable", "does not answer"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strstr(failure->text, texts[i]))
            return true;
    return false;
}

/* --- submitting ----------------------------------------------------------- */

/* Texts of the options with a value; valid until they are filled again. */
static void add_option(struct command *command, char text[OPTION],
                       const char *name, const char *value)
{
    if (value)
        command_add(command, text_format(text, OPTION, "--%s=%.4100s", name,
                                         value));
}

bool slurm_submit(const struct slurm_request *request,
                  const struct slurm_array *array, char *id,
                  struct failure *failure)
{
    static char text[8][OPTION];
    struct command command = {0};
    char tasks[24], cores[16], *out;

    text_format(tasks, sizeof tasks, "0-%d", array->tasks - 1);
    text_format(cores, sizeof cores, "%d", array->cores);
    command_add(&command, "sbatch");
    command_add(&command, "--parsable");
    command_add(&command, "--requeue"); /* also where it is not the default */
    command_add(&command, "--open-mode=append");
    command_add(&command, "--output=%a.log");
    command_add(&command, "--ntasks=1");
    add_option(&command, text[0], "array", tasks);
    add_option(&command, text[1], "cpus-per-task", cores);
    add_option(&command, text[2], "job-name", array->name);
    add_option(&command, text[3], "chdir", array->folder);
    add_option(&command, text[4], "partition", request->partition);
    add_option(&command, text[5], "account", request->account);
    add_option(&command, text[6], "time", request->time);
    add_option(&command, text[7], "gres", request->gres);
    if (array->exclusive)
        command_add(&command, "--exclusive");
    for (int i = 0; i < request->extras; i++)
        command_add(&command, request->extra[i]);
    for (int i = 0; array->command[i]; i++)
        command_add(&command, array->command[i]);
    out = run(&command, failure);
    if (!out)
        return false;
    /* "ID" or "ID;CLUSTER" */
    text_format(id, 32, "%.*s", (int)strspn(out, "0123456789"), out);
    free(out);
    return *id || fail(failure, "sbatch printed no job id");
}

/* --- asking --------------------------------------------------------------- */

/* One line of squeue: "INDEX|STATE|ARRAY|REASON". */
static void read_task(char *line, struct slurm_queue *queue)
{
    char *field[4] = {line};
    long index;

    for (int i = 1; i < 4; i++) {
        field[i] = field[i - 1] + strcspn(field[i - 1], "|");
        if (!*field[i])
            return;
        *field[i]++ = 0;
    }
    index = strtol(field[0], NULL, 10);
    if (index < 0 || index >= SLURM_SHARDS)
        return;
    queue->is_queued[index] = true;
    text_format(queue->id, sizeof queue->id, "%s", field[2]);
    if (strcmp(field[1], "PENDING")) {
        queue->running++;
        return;
    }
    queue->waiting++;
    clean_copy(queue->reason, sizeof queue->reason, field[3]);
}

bool slurm_query(const char *name, struct slurm_queue *queue,
                 struct failure *failure)
{
    char option[128], *next = NULL;
    struct command command = {0};
    char *out;
    bool ok;

    *queue = (struct slurm_queue){0};
    text_format(option, sizeof option, "--name=%.100s", name);
    command_add(&command, "squeue");
    command_add(&command, "--noheader");
    command_add(&command, "--array");
    command_add(&command, "--format=%K|%T|%F|%r");
    command_add(&command, option);
    out = run(&command, failure);
    ok = out != NULL;
    for (char *line = ok ? strtok_r(out, "\n", &next) : NULL; line;
         line = strtok_r(NULL, "\n", &next))
        read_task(line, queue);
    free(out);
    return ok;
}
