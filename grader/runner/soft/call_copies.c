/* SPDX-License-Identifier: MIT */
/* Copies of the host process's memory: made before a call, written back after
 * it. */
#include "call_copies.h"

#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "common/softgpu/host/memory.h"
#include "common/softgpu/host/remote.h"
#include "process.h"
#include "transfers.h"

enum { SCALAR_BYTES = 16 };

void *free_after_call(struct call *call, void *memory)
{
    if (!memory || call->value_count == 1 + MAX_LAUNCH_ATTRIBUTES)
        abort();
    return call->values[call->value_count++] = memory;
}

struct copy *replace_pointer(struct call *call, uint64_t *argument,
                             size_t bytes, bool is_output)
{
    struct copy *copy = &call->copy[call->copies];

    if (!*argument)
        return NULL;
    if (bytes > MAX_ARRAY_BYTES || call->copies == MAX_COPIES) {
        *argument = 0;
        return NULL;
    }
    call->copies++;
    *copy = (struct copy){calloc(1, bytes + SCALAR_BYTES),
                          (void *)*argument, bytes, is_output, 0, false};
    if (!copy->local)
        abort();
    *argument = (uint64_t)copy->local;
    return copy;
}

struct copy *replace_struct(struct call *call, uint64_t *argument,
                            size_t bytes, bool is_output)
{
    struct copy *copy = replace_pointer(call, argument, bytes, is_output);

    if (copy)
        host_read(copy->local, copy->host, bytes);
    return copy;
}

void replace_scalar(struct call *call, uint64_t *argument, bool is_output)
{
    struct copy *copy;

    if (softgpu_in_arena((void *)*argument))
        return;
    copy = replace_pointer(call, argument, SCALAR_BYTES, is_output);
    if (copy)
        copy->bytes = host_read_some(copy->local, copy->host, SCALAR_BYTES);
    if (copy && is_output)
        transfer_result(sizeof(float));
}

/* Put numbers in place of the handles that the call gives out. */
static void number_handles(const char *function, struct copy *copy)
{
    const bool is_new = !strstr(function, "Get") && !strstr(function, "Find")
                        && !strstr(function, "EndCapture");
    uint64_t *handle = copy->local;

    for (size_t i = 0; i < copy->bytes / sizeof *handle; i++)
        if (handle[i])
            handle[i] = add_handle(handle[i], copy->handles, is_new);
}

/* The node at which an update failed. */
static void number_update(cudaGraphExecUpdateResultInfo *result)
{
    if (result->errorNode)
        result->errorNode = (cudaGraphNode_t)add_handle(
            (uint64_t)result->errorNode, 'n', false);
}

/* Handles of a call that fails are as they were. */
static void write_back(const struct call *call, struct copy *copy, bool failed)
{
    if (copy->is_update)
        number_update(copy->local);
    if (copy->handles && failed && *(uint64_t *)copy->local)
        return;
    if (copy->handles)
        number_handles(call->function->name, copy);
    host_write(copy->host, copy->local, copy->bytes);
}

void finish_copies(struct call *call, bool failed)
{
    for (unsigned i = 0; i < call->copies; i++) {
        if (call->copy[i].is_output)
            write_back(call, &call->copy[i], failed);
        free(call->copy[i].local);
    }
    for (unsigned i = 0; i < call->value_count; i++)
        free(call->values[i]);
}
