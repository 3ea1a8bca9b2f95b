/* SPDX-License-Identifier: MIT */
/** @file
 *  What a submission creates in a call and must release: device memory, pinned
 *  memory, streams, events, graphs, handles and descriptors of libraries.  The
 *  wrappers of the creating and releasing calls keep the list, and let a chosen
 *  call fail.
 */
#ifndef GRADER_RUNNER_RESOURCES_H
#define GRADER_RUNNER_RESOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/channel/message.h"

/** Forget all resources, and choose the call that fails.
 *  @param failing_call  number of the call, from 1; 0: none; or
 *                       FAILING_KERNEL | number of a kernel */
void resources_reset(unsigned failing_call);
/** A call that can fail is about to run.
 *  @param call  its name, static
 *  @param site  its return address in the submission
 *  @return true when it must fail instead */
bool resources_call_fails(const char *call, const void *site);
/** Was a call of this name made to fail?  Always false behind the lab's
 *  call. */
bool resources_has_failed(const char *call);
/** A call has created a resource; one that is known already is not counted
 *  again.
 *  @param is_memory  device memory, which `leaked` counts in bytes */
void resources_created(const char *call, const void *handle, const void *site,
                       bool is_memory);
/** A resource is about to be released.
 *  @return false when this call of the lab has released it before: the release
 *          is recorded, and must not reach the runtime */
bool resources_released(const char *call, const void *handle,
                        const void *site);
/** Fill in what `facts` tells of resources and of the failed call. */
void resources_report(struct facts *facts);
/** Describe a call in the submission: "cudaMalloc, vector_add.cu:31", or only
 *  its name where the line is not known (call_site_gpu.c, call_site_soft.c).
 *  @param[out] text  FACT_SIZE bytes */
void describe_call_site(const char *call, const void *site, char *text);

/** Let a kernel fail when it runs (call_site_soft.c).
 *  @param number  of those that run from now on, from 1; 0: none
 *  @return false where that cannot be done: on a card */
bool fail_kernel(unsigned number);

#endif
