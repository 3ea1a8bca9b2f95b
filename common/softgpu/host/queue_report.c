/* SPDX-License-Identifier: MIT */
/** @file
 *  Reports on stderr: a command that does not end, and kernels that were
 *  launched and never ran.
 */
#include <stdio.h>

#include "stream.h"

/* " k (file:line)" of a kernel; a library call has no line. */
static void print_kernel(const struct softgpu_kernel *kernel)
{
    fprintf(stderr, " %s", kernel->name);
    if (kernel->line)
        fprintf(stderr, " (%s:%d)", kernel->file, kernel->line);
}

void softgpu_report_oldest(const char *what)
{
    const struct CUstream_st *s = softgpu_oldest_stream(NULL);
    if (!s || s->device->failure)
        return;
    fprintf(stderr, "softgpu: %s:", what);
    if (s->head->command.kind == SOFTGPU_KERNEL)
        print_kernel(s->head->command.kernel.kernel);
    else
        fprintf(stderr, " not a kernel");
    fprintf(stderr, "\n");
}

/* Runs after the program's own exit functions and static destructors. */
__attribute__((destructor)) static void report_pending_launches(void)
{
    const struct softgpu_kernel *first = NULL;
    unsigned launches = 0;
    uint64_t number = UINT64_MAX;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        for (const struct softgpu_queued_command *op = s->head; op;
             op = op->next) {
            if (op->command.kind != SOFTGPU_KERNEL || s->device->failure)
                continue;
            launches++;
            if (op->number < number) {
                first = op->command.kernel.kernel;
                number = op->number;
            }
        }
    if (!launches || softgpu_is_running())
        return;
    fprintf(stderr,
            "softgpu: %u kernel launch%s never waited for and never ran, "
            "the first of them",
            launches, launches == 1 ? " was" : "es were");
    print_kernel(first);
    fprintf(stderr,
            ": call cudaDeviceSynchronize() before the program ends\n");
}
