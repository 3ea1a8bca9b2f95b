/* SPDX-License-Identifier: MIT */
/** @file
 *  Streams: queues of commands.  Queued commands run when a host thread waits,
 *  or after some time: see progress.h.
 *
 *  Commands are numbered in the order in which they are queued, over all
 *  streams.  A command depends only on commands with smaller numbers: on those
 *  before it in its stream; in a device's default stream, on all that its
 *  blocking streams queued before, and vice versa; an event wait, on the
 *  record.  A command has run when the first command left in its stream has a
 *  greater number.
 */
#ifndef SOFTGPU_STREAM_H
#define SOFTGPU_STREAM_H

#include <time.h>

#include "command.h"
#include "stream_order.h"

/** Commands that a stream queues before a call waits. */
#define SOFTGPU_QUEUE_CAPACITY 1024

/** A command in a queue. */
struct softgpu_queued_command {
    struct softgpu_queued_command *next;
    uint64_t number;
    uint64_t issue_ns; /**< modeled host time when it was queued */
    const void *site;  /**< return address of the call that queued it */
    struct softgpu_order order; /**< for the checks */
    struct softgpu_command command;
};

struct softgpu_capture;
struct CUgraphNode_st;

/** A stream.  Never freed but reused, so that a position in it stays valid. */
struct CUstream_st {
    struct softgpu_device *device;
    struct softgpu_queued_command *head, *tail;
    unsigned count;
    int alive;      /**< 1: a valid handle */
    int is_default; /**< 1: the legacy default stream */
    int is_running; /**< 1: its first command has begun and not ended */
    unsigned flags;
    int priority;
    unsigned long long id;
    uint64_t end; /**< modeled end of the last command that ran, ns */
    struct softgpu_capture *capture; /**< its capture, or NULL */
    /** Owned: the nodes that its next node will depend on. */
    struct CUgraphNode_st **capture_dependencies;
    size_t capture_dependency_count;
    struct CUstream_st *next; /**< in the list of all streams */
    struct softgpu_clock clock; /**< order of its last command */
    cudaLaunchAttributeValue window, policy; /**< stored, without effect */
};

/** The stream of a handle; default streams are created at first use.
 *  @return NULL if the handle is invalid */
struct CUstream_st *softgpu_stream(cudaStream_t handle);
/** The list of all streams, valid handles or not. */
struct CUstream_st *softgpu_streams(void);
/** A new or unused stream; NULL without memory. */
struct CUstream_st *softgpu_stream_new(struct softgpu_device *device);

/** Queue a command, or add it as a node if the stream is capturing.  Takes
 *  ownership of the command, also on failure. */
cudaError_t softgpu_submit(struct CUstream_st *stream,
                           struct softgpu_command *command);
/** Queue a command, also on a capturing stream. */
cudaError_t softgpu_enqueue(struct CUstream_st *stream,
                            struct softgpu_command *command);
/** The position after all commands queued so far. */
struct softgpu_stream_position softgpu_stream_end(struct CUstream_st *stream);
/** 1 if all commands up to a position have run. */
int softgpu_is_reached(struct softgpu_stream_position position);
/** Run all commands up to a position.  @return the device's sticky error */
cudaError_t softgpu_run_until(struct softgpu_stream_position position);
/** Run one command towards a position.  @return cudaSuccess if the position was
 *  reached before, cudaErrorNotReady, or the device's sticky error */
cudaError_t softgpu_run_one_command(struct softgpu_stream_position position);
/** Wait until no command runs, and let none begin; the lock must be held until
 *  softgpu_continue_commands(). */
void softgpu_hold_commands(void);
/** Commands may run again. */
void softgpu_continue_commands(void);
/** The calling OS thread runs one command towards a position. */
void softgpu_run_piece(struct softgpu_stream_position position);
/** Run all commands queued on a device, or on all devices with NULL. */
cudaError_t softgpu_wait_device(struct softgpu_device *device);
/** 1 while an OS thread runs commands. */
int softgpu_is_running(void);
/** The stream with the oldest command that has not ended, of one device or,
 *  with NULL, of all.  @return NULL if all commands have ended */
struct CUstream_st *softgpu_oldest_stream(const struct softgpu_device *device);
/** With SOFTGPU_SEED a random stream with commands, because CUDA does not
 *  define the order of independent streams; NULL without.  Not in an
 *  instrumented program: its reports and its time line must not depend on the
 *  seed. */
struct CUstream_st *softgpu_random_stream(void);
/** Number of the oldest command that has not ended, or 0. */
uint64_t softgpu_oldest_command(void);
/** Number of the last command queued, or 0. */
uint64_t softgpu_last_command(void);
/** Run one command, the oldest; wait until no host thread runs commands. */
void softgpu_run_oldest(void);
/** While an OS thread runs commands: run one of another stream that is ready
 *  and can run beside a kernel, such as a copy.  A kernel may wait for it.
 *  @return 0 if there is none */
int softgpu_run_beside(void);
/** 1 if no other command than the caller's runs. */
int softgpu_runs_alone(void);
/** Wait until an OS thread has run commands, or for a time of CLOCK_REALTIME.
 *  The lock is released meanwhile.  @return 0, or ETIMEDOUT */
int softgpu_wait_for_runner(const struct timespec *until);
/** The same, for so many nanoseconds at most, fewer than a second. */
void softgpu_wait_a_tick(long ns);
/** In a forked child: no OS thread runs commands. */
void softgpu_queues_after_fork(void);
/** Print a sentence to stderr about the oldest command, and its kernel. */
void softgpu_report_oldest(const char *what);
/** Count a command that is queued (1) or leaves its queue (-1). */
void softgpu_count_in_flight(const struct softgpu_command *command, int by);
/** Find a queued copy that conflicts with a host access to these bytes: one
 *  that writes them or, if the host `writes`, one that reads them.
 *  @return the return address of the call that queued it, or NULL */
const void *softgpu_copy_in_flight(const void *p, size_t bytes, int writes);
/** Discard the commands queued on a device without running them. */
void softgpu_discard_queues(struct softgpu_device *device);

/** Check that a call may wait for the stream; not while streams are capturing.
 *  @return cudaSuccess or cudaErrorStreamCaptureUnsupported */
cudaError_t softgpu_check_wait(struct CUstream_st *stream);

#endif
