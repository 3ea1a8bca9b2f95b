/* SPDX-License-Identifier: MIT */
/* Copies of the host process's memory: made before a call, written back after
 * it. */
#include "call_copies.h"

#include <stdlib.h>

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
                          (void *)*argument, bytes, is_output, 0};
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

void finish_copies(struct call *call, bool failed)
{
    for (unsigned i = 0; i < call->copies; i++) {
        struct copy *copy = &call->copy[i];
        const uint64_t *handle = copy->local;

        for (size_t h = 0; copy->handles && !failed
                           && h < copy->bytes / sizeof *handle; h++)
            if (handle[h])
                add_handle(handle[h], copy->handles);
        if (copy->is_output)
            host_write(copy->host, copy->local, copy->bytes);
        free(copy->local);
    }
    for (unsigned i = 0; i < call->value_count; i++)
        free(call->values[i]);
}
