/* SPDX-License-Identifier: MIT */
/** @file
 *  The end of the program: say what was queued and never ran.
 */
#include <stdio.h>

#include "device.h"
#include "stream.h"

/* Runs behind the program's own exit functions and static destructors. */
__attribute__((destructor)) static void tell_pending(void)
{
    const struct softgpu_kernel *first = NULL;
    unsigned launches = 0;
    uint64_t number = UINT64_MAX;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        for (const struct softgpu_op *op = s->head; op; op = op->next) {
            if (op->work.kind != SOFTGPU_KERNEL || s->device->failure)
                continue;
            launches++;
            if (op->number < number)
                first = op->work.kernel.kernel;
            if (op->number < number)
                number = op->number;
        }
    if (launches)
        fprintf(stderr,
                "softgpu: %u kernel launch%s never waited for and never ran, "
                "the first of them %s (%s:%d): call cudaDeviceSynchronize() "
                "before the program ends\n",
                launches, launches == 1 ? " was" : "es were", first->name,
                first->file, first->line);
}
