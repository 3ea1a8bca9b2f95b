/* SPDX-License-Identifier: MIT */
/** @file
 *  Handles that the host process may use: those that it was given.
 */
#ifndef GRADER_RUNNER_SOFT_HANDLES_H
#define GRADER_RUNNER_SOFT_HANDLES_H

#include <stdint.h>

/** The use of a handle in a call. */
enum handle_use {
    USE,     /**< it uses it */
    DESTROY, /**< it destroys it, and the list of resources records that: it may
                  be destroyed again */
    FORGET   /**< it destroys it */
};

/** Note a handle that a call has given out.
 *  @param type  remote_call.h has the letters */
void add_handle(uint64_t value, char type);
/** Look a handle up.
 *  @return the handle; 0 if none of this type was given out with that value, or
 *          it has been destroyed */
uint64_t check_handle(uint64_t value, char type, enum handle_use use);

#endif
