/* SPDX-License-Identifier: MIT */
/* Running actions.  An output is written under a name of its own and then
 * renamed: two graders may build it at the same time. */
#include "executor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/file_time.h"
#include "common/base/oom.h"
#include "common/base/paths.h"
#include "common/base/status_line.h"
#include "common/base/text.h"
#include "common/softgpu/softcc/compiler/options.h"

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
    const unsigned long kills = oom_kills();
    int error = 0;

    *execution->problem = 0;
    execution->built = NULL;
    if (!action->is_untrusted || box_tier_in_use() == TIER_D)
        error = command_start(&action->command, source_root(),
                              &execution->process);
    else if (!(execution->built = build_box_start(action, &execution->process,
                                                  execution->problem)))
        error = ENOTSUP;
    execution->action = action;
    execution->is_running = error == 0;
    execution->oom_kills = kills;
    return error;
}

/* The dependency file first: an output without one is out of date. */
static bool publish_outputs(const struct action *action)
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

static const char out_of_memory[] =
    "the machine ran out of memory, and the kernel ended a process";

/* Why a failure is not the source's fault.  A limit that the command exceeded
 * is: the compiler of an honest file exceeds none. */
static const char *find_fault(const struct execution *execution,
                              const struct command_end *end)
{
    const char *program = base_name(execution->action->command.argument[0]);

    if (end->why == WAIT_INTERRUPTED)
        return "interrupted";
    if (end->why != WAIT_ENDED)
        return NULL;
    if (end->status == 0)
        return "what the compiler made could not be kept";
    if (oom_kills() != execution->oom_kills)
        return out_of_memory;
    if (WIFSIGNALED(end->status))
        return "a signal from outside ended the compiler";
    if (WEXITSTATUS(end->status) == EXIT_TOOLS && !strcmp(program, "softcc"))
        return "a part of the tool chain is missing, or was killed";
    return NULL;
}

static bool wait_once(struct execution *execution, struct execution_end *end)
{
    struct command_end command;
    bool ran = execution->built
                   ? build_box_wait(execution->built, execution->action,
                                    &execution->process, &command)
                   : command_wait(&execution->process, &command);
    bool ok = ran && publish_outputs(execution->action);

    execution->is_running = false;
    build_box_end(execution->built);
    *end = (struct execution_end){
        command.log, NULL,
        command.why != WAIT_ENDED && command.why != WAIT_INTERRUPTED,
        command.status};
    if (ran && !ok)
        end->fault = strerror(errno);
    else if (!ran)
        end->fault = find_fault(execution, &command);
    if (!ran && execution->action->partial_depfile) /* what it included */
        (void)!rename(execution->action->partial_depfile,
                      execution->action->depfile);
    if (!ok)
        remove_partial(execution->action);
    return ok;
}

/* The kernel may have ended a process of another box: its counter is that of
 * the whole group.  A second time in a row is taken as ours. */
bool execution_wait(struct execution *execution, struct execution_end *end)
{
    if (wait_once(execution, end))
        return true;
    if (end->fault != out_of_memory
        || execution_start(execution->action, execution) != 0)
        return false;
    free(end->log);
    return wait_once(execution, end);
}

void execution_cancel(struct execution *execution)
{
    if (!execution->is_running)
        return;
    process_stop(&execution->process, 0);
    process_free(&execution->process);
    build_box_end(execution->built);
    remove_partial(execution->action);
    execution->is_running = false;
}

/* Building what is shared takes some seconds, once: say so. */
static void announce(const struct action *action)
{
    static bool said;

    if (!said && strstr(action->output, "/dependencies/"))
        status_line_note("warpbook: building the labs that this one calls; "
                         "they are kept");
    said = said || strstr(action->output, "/dependencies/");
}

/* Waits for the oldest.  @return its action when it failed */
static const struct action *wait_first(struct execution *running,
                                       size_t *count,
                                       struct execution_end *end)
{
    const struct action *action = running[0].action;
    struct execution_end own;
    bool ok = execution_wait(&running[0], &own);

    memmove(running, running + 1, --*count * sizeof *running);
    if (ok || end->log) {
        free(own.log);
        return ok ? NULL : action;
    }
    *end = own;
    return action;
}

const struct action *execute_actions(const struct action *actions,
                                     size_t count, struct execution_end *end)
{
    enum { MAX_RUNNING = 32 };
    struct execution running[MAX_RUNNING];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t most = processors < 1             ? 1
                        : processors < MAX_RUNNING ? (size_t)processors
                                                   : MAX_RUNNING;
    const struct action *failed = NULL, *ended;
    size_t used = 0;

    *end = (struct execution_end){0};
    for (size_t i = 0; i < count && !failed && !interrupted(); i++) {
        if (action_is_up_to_date(&actions[i]))
            continue;
        announce(&actions[i]);
        if (used == most)
            failed = wait_first(running, &used, end);
        if (!failed && execution_start(&actions[i], &running[used])) {
            failed = &actions[i];
            free(end->log);
            *end = (struct execution_end){
                .log = *running[used].problem ? strdup(running[used].problem)
                                              : NULL,
                .fault = "the compiler cannot be started"};
        }
        else if (!failed)
            used++;
    }
    while (used > 0)
        if ((ended = wait_first(running, &used, end)) && !failed)
            failed = ended;
    return failed;
}
