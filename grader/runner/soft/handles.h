/* SPDX-License-Identifier: MIT */
/** @file
 *  Handles that the host process may use: those that it was given.  It gets
 *  numbers for them: an address would tell it what a kernel has allocated.
 */
#ifndef GRADER_RUNNER_SOFT_HANDLES_H
#define GRADER_RUNNER_SOFT_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

/** The use of a handle in a call. */
enum handle_use {
    USE,     /**< it uses it */
    DESTROY, /**< it destroys it, and the list of resources records that: it may
                  be destroyed again */
    FORGET   /**< it destroys it */
};

/** Note a handle that a call has given out.
 *  @param type    remote_call.h has the letters
 *  @param is_new  the call has made it; false: its number is the one that it
 *                 has already, if it has one
 *  @return its number */
uint64_t add_handle(uint64_t value, char type, bool is_new);
/** Look a handle up by its number.
 *  @return the handle; 0 if none of this type has that number, or it has been
 *          destroyed */
uint64_t check_handle(uint64_t number, char type, enum handle_use use);

#endif
