/* SPDX-License-Identifier: MIT */
/** @file
 *  The two processes of a runner on the software GPU.
 *
 *      device process                      host process
 *      channel, runtime, kernels,          the submission's host code
 *      counters, report
 *                                    <---  a call of the runtime
 *      performs it                   --->
 *      "call the lab with this frame"--->
 *                                    <---  what it returned
 *
 *  The host process is a fork of the device process from before the first
 *  message: both have the same image at the same addresses.  The host process
 *  has no channel, cannot access device memory, and knows nothing that it was
 *  not sent.  Static initializers of the submission run in it alone.  In the
 *  device process the submission's host functions are overwritten, and the
 *  memory of the host process is read and written by system calls.
 *
 *  Each thread of the host process has a slot in shared memory for its calls,
 *  and a thread of the device process that performs them.
 */
#ifndef GRADER_RUNNER_SOFT_PROCESS_H
#define GRADER_RUNNER_SOFT_PROCESS_H

#include <stdatomic.h>
#include <sys/types.h>

#include "common/softgpu/host/command.h"
#include "grader/channel/frame.h"
#include "grader/runner/variant.h"
#include "remote_call.h"

enum { SLOTS = 64 /**< threads of the host process that make calls */ };

/** Requests of one side to the other. */
enum slot_request {
    SLOT_CALL = 1, /**< host: perform a call */
    SLOT_DONE,     /**< host: the function that the device asked for returned */
    SLOT_FINDING,  /**< host: the checkers found something */
    SLOT_NEW_THREAD, /**< host: the slot of a thread that has ended is another
                          one's now */
    SLOT_RETURN,   /**< device: the call returned */
    SLOT_RUN_LAB,  /**< device: call the lab */
    SLOT_RUN_HOST  /**< device: call a host function of a stream */
};

/** The calls of one thread of the host process. */
struct slot {
    _Atomic uint32_t turn;      /**< 1: the device's, 2: the host's,
                                     0: neither */
    _Atomic uint32_t is_waiting[2]; /**< the host (0), the device (1) waits for
                                         the turn */
    uint32_t request;           /**< enum slot_request */
    uint64_t function;          /**< SLOT_CALL: address in a table */
    uint64_t site;              /**< SLOT_CALL: return address */
    uint64_t host_ns;           /**< modeled time since the last call */
    uint64_t result;            /**< of what was asked */
    struct remote_arguments arguments; /**< SLOT_CALL */
    struct softgpu_host_command host;  /**< SLOT_RUN_HOST */
    uint32_t failure;                  /**< SLOT_RUN_HOST */
    struct host_finding finding;       /**< SLOT_FINDING */
};

/** Memory that both processes share, at the same address.  The device process
 *  trusts nothing in it. */
struct shared {
    struct slot slot[SLOTS];  /**< the first is the main thread's */
    _Atomic uint32_t threads; /**< slots in use */
    struct frame frame;       /**< SLOT_RUN_LAB */
    uint64_t kernels;         /**< head of the host's list of kernels */
    uint64_t symbols;         /**< head of its list of device variables */
    uint64_t variables;       /**< its array of __shared__ variables */
    uint64_t variable_count;  /**< of them */
    uint32_t symbols_incomplete; /**< softgpu_has_unlisted_symbols() */
    _Atomic uint32_t settings; /**< of the runtime that the submission has asked
                                    the environment for */
};

extern struct shared *shared; /**< in both processes */
extern pid_t host_pid;        /**< in the device process */

/** Give the turn to the other side, and wait until it comes back. */
void slot_pass(struct slot *slot, uint32_t to);
/** Start a thread that is not joined; without threads the runner ends. */
void start_thread(void *(*run)(void *), void *argument);
/** Wait for the turn. */
void slot_wait(struct slot *slot, uint32_t turn);

/** In the host process: never returns (host_process.c). */
void host_main(void) __attribute__((noreturn));
/** Refuse system calls by which the host process could reach the device process
 *  (host_filter.c). */
void filter_host_calls(void);
/** In the host process: it cannot read what /proc says of other processes.
 *  Ends the process when the kernel knows this, but refuses it. */
void hide_other_processes(void);
/** In the device process: perform the calls of a slot until the host function
 *  that was asked for has returned.
 *  @return its result */
uint64_t serve_until_done(struct slot *slot);
/** Read memory of the host process; ends the call when there is none. */
void host_read(void *to, const void *host, size_t bytes);
/** Write it. */
void host_write(void *host, const void *from, size_t bytes);
/** As much of it as there is. @return bytes read */
size_t host_read_some(void *to, const void *host, size_t bytes);
/** Unmap the arrays of the call here, where nothing needs them now: their pages
 *  would count in both processes. */
void release_mapping(void);
/** Take over the lists of kernels and variables that the host process has
 *  registered, where they are the image's own (device_image.c). */
void import_image(void);
/** Has that been done?  Before it, no kernel of the program is known. */
bool is_image_imported(void);
/** Does this address lie in them? */
bool is_host_text(const void *p);
/** Overwrite the submission's host functions. */
void wipe_host_text(void);
/** Do these bytes belong to the submission's variables?  Not before
 *  import_image(), nor where it took a record over. */
bool is_program_data(const void *p, size_t bytes);

#endif
