/* SPDX-License-Identifier: MIT */
/* What may run beside the commands that run. */
#include "beside.h"

#include "common/softgpu/core/core.h"
#include "call.h"

/* Does each kernel and each copy of the command take a turn of its own, with
 * the variables of its device?  (core/turns.h) */
static int takes_turns(const struct softgpu_command *command)
{
    return command->kind == SOFTGPU_KERNEL || command->kind == SOFTGPU_GRAPH;
}

/* May the stream's running command use variables of its device at any time? */
static int may_use_variables(const struct CUstream_st *s)
{
    const struct softgpu_command *command = &s->head->command;
    return !takes_turns(command) && command->kind != SOFTGPU_HOST;
}

/* The variables of one device at a time are in place, and in an instrumented
 * program no command runs while a kernel's threads do. */
int softgpu_can_run_beside(const struct softgpu_command *command)
{
    const int is_stalled = softgpu_grids_are_stalled();
    if (softgpu_hooks && !is_stalled)
        return 0;
    for (const struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->is_running && s->device != command->device
            && (!is_stalled || may_use_variables(s)))
            return 0;
    return is_stalled || !takes_turns(command);
}
