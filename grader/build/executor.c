/* SPDX-License-Identifier: MIT */
/* Running actions.  An output is written under a name of its own and then
 * renamed: two graders may build it at the same time. */
#include "executor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/file_time.h"
#include "common/base/paths.h"

bool action_is_up_to_date(const struct action *action)
{
    const double made = file_mtime(action->output);
    const char *program = action->command.argument[0];

    if (made <= 0 || (*program == '/' && file_mtime(program) >= made))
        return false;
    for (size_t i = 0; i < action->inputs; i++)
        if (file_mtime(action->input[i]) >= made)
            return false;
    return !action->depfile || depfile_mtime(action->depfile) < made;
}

int execution_start(const struct action *action, struct execution *execution)
{
    int error = command_start(&action->command, source_root(),
                              &execution->process);

    execution->action = action;
    execution->is_running = error == 0;
    return error;
}

/* The dependency file first: an output without one is out of date. */
static bool put_in_place(const struct action *action)
{
    return (!action->depfile
            || rename(action->partial_depfile, action->depfile) == 0)
           && rename(action->partial, action->output) == 0;
}

static void remove_partial(const struct action *action)
{
    unlink(action->partial);
    if (action->partial_depfile)
        unlink(action->partial_depfile);
}

bool execution_wait(struct execution *execution, char **log)
{
    bool ok = command_wait(&execution->process, log)
              && put_in_place(execution->action);

    execution->is_running = false;
    if (!ok)
        remove_partial(execution->action);
    return ok;
}

void execution_cancel(struct execution *execution)
{
    if (!execution->is_running)
        return;
    process_stop(&execution->process, 0);
    process_free(&execution->process);
    remove_partial(execution->action);
    execution->is_running = false;
}

/* Building what is shared takes some seconds, once: say so. */
static void announce(const struct action *action)
{
    static bool said;

    if (!said && strstr(action->output, "/dependencies/"))
        fprintf(stderr, "warpbook: building the labs that this one calls; "
                "they are kept\n");
    said = said || strstr(action->output, "/dependencies/");
}

/* Waits for the oldest.  @return its action when it failed */
static const struct action *wait_first(struct execution *running,
                                       size_t *count, char **log)
{
    const struct action *action = running[0].action;
    char *messages = NULL;
    bool ok = execution_wait(&running[0], &messages);

    memmove(running, running + 1, --*count * sizeof *running);
    if (ok || *log) {
        free(messages);
        return ok ? NULL : action;
    }
    *log = messages;
    return action;
}

const struct action *execute_actions(const struct action *actions,
                                     size_t count, char **log)
{
    enum { MAX_RUNNING = 32 };
    struct execution running[MAX_RUNNING];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t most = processors < 1             ? 1
                        : processors < MAX_RUNNING ? (size_t)processors
                                                   : MAX_RUNNING;
    const struct action *failed = NULL, *ended;
    size_t used = 0;

    *log = NULL;
    for (size_t i = 0; i < count && !failed && !interrupted(); i++) {
        if (action_is_up_to_date(&actions[i]))
            continue;
        announce(&actions[i]);
        if (used == most)
            failed = wait_first(running, &used, log);
        if (!failed && execution_start(&actions[i], &running[used]))
            failed = &actions[i];
        else if (!failed)
            used++;
    }
    while (used > 0)
        if ((ended = wait_first(running, &used, log)) && !failed)
            failed = ended;
    return failed;
}
