/* SPDX-License-Identifier: MIT */
/** @file
 *  Copies of the host process's memory that take the place of a call's
 *  pointers.
 */
#ifndef GRADER_RUNNER_SOFT_CALL_COPIES_H
#define GRADER_RUNNER_SOFT_CALL_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "handles.h"

enum {
    MAX_COPIES = 16,             /**< of one call */
    MAX_ARRAY_BYTES = 16 << 20,  /**< of one copy */
    MAX_LAUNCH_ATTRIBUTES = 64   /**< of one launch */
};

/** A copy of memory of the host process. */
struct copy {
    void *local;    /**< the copy */
    void *host;     /**< its address in the host process */
    size_t bytes;   /**< of both */
    bool is_output; /**< it is copied back */
    char handles;   /**< it gets handles of this type: remember those of a call
                         that succeeds; 0: none */
    bool is_update; /**< it is a cudaGraphExecUpdateResultInfo */
};

/** State of a call. */
struct call {
    const struct remote_function *function; /**< of the table */
    uint64_t *argument;   /**< in registers, then on the stack */
    const uint64_t *real; /**< floating-point registers, as they are */
    const uint32_t *size; /**< the table's next number */
    enum handle_use use;  /**< of its handles */
    struct copy copy[MAX_COPIES]; /**< in order of the arguments */
    unsigned copies;      /**< how many */
    size_t list_length;   /**< of the list of handles before its length */
    bool has_list;        /**< there is such a list */
    void *values[1 + MAX_LAUNCH_ATTRIBUTES]; /**< further memory to free */
    unsigned value_count; /**< how many */
};

/** Free `memory` with the call.  Aborts without memory.
 *  @return memory */
void *free_after_call(struct call *call, void *memory);
/** Replace a pointer argument by zeros of the size of what it points to.
 *  @param is_output  copy them back after the call
 *  @return NULL if the pointer is NULL, or was replaced by NULL since `bytes`
 *          exceeds MAX_ARRAY_BYTES */
struct copy *replace_pointer(struct call *call, uint64_t *argument,
                             size_t bytes, bool is_output);
/** Replace a pointer argument by a copy of what it points to.
 *  @return as replace_pointer() */
struct copy *replace_struct(struct call *call, uint64_t *argument,
                            size_t bytes, bool is_output);
/** The same for a scalar of unknown size, at the end of a page perhaps; a
 *  pointer to device memory is passed on. */
void replace_scalar(struct call *call, uint64_t *argument, bool is_output);
/** Write outputs back, remember the handles that the call gave out and free
 *  what was kept.
 *  @param failed  it gives out no handle */
void finish_copies(struct call *call, bool failed);

#endif
