/* SPDX-License-Identifier: MIT */
/** @file
 *  A device process: kernels and the runtime in one process, the program's
 *  host code in another, as a card and a program are apart (grader/runner).
 *
 *  An ordinary program is one process, and `softgpu_remote` is NULL.  In a
 *  device process pageable and pinned memory is that of the host process: the
 *  runtime reads and writes it by these functions alone.  Managed memory, and
 *  pinned memory that kernels may access, has a copy in each process; the
 *  device's is fetched before commands run and sent back when they have run.
 *  The arenas have the same addresses in both processes; in the host process
 *  device memory cannot be accessed.
 */
#ifndef SOFTGPU_REMOTE_H
#define SOFTGPU_REMOTE_H

#include <stdbool.h>

#include "command.h"

/** Access to the host process. */
struct softgpu_remote {
    /** Copy `bytes` bytes of host memory to `to`. */
    void (*read)(void *to, const void *host, size_t bytes);
    /** Copy `bytes` bytes to host memory. */
    void (*write)(void *host, const void *from, size_t bytes);
    /** Update the device's copy of memory that both processes have. */
    void (*fetch)(void *shared, size_t bytes);
    /** Update the host's copy. */
    void (*send)(void *shared, size_t bytes);
    /** Call a host function of the program, and wait for its return.
     *  @param failure  argument of a stream callback */
    void (*call)(const struct softgpu_host_command *call,
                 cudaError_t failure);
    /** Do these bytes belong to the program's own variables? */
    bool (*is_program_data)(const void *p, size_t bytes);
    /** Is there memory of the host process at this address? */
    bool (*is_host_memory)(const void *p);
};

/** The host process; NULL: this process. */
extern const struct softgpu_remote *softgpu_remote;
/** This is the host process, whose runtime has no device: runtime calls are
 *  refused.  Set it to 0 around a call that needs none. */
extern _Thread_local int softgpu_has_no_device;
/** Memory of the device process that a library may copy from for the host
 *  process: its source needs no check.  NULL: none. */
extern _Thread_local const void *softgpu_trusted_source;
/** Modeled time of the host process's code since its last call, ns. */
extern _Thread_local uint64_t softgpu_remote_ns;

/** Reserve the address ranges of all arenas, before the process forks. */
void softgpu_memory_reserve(void);
/** In the host process: allow access to managed and pinned memory. */
void softgpu_memory_open_shared(void);
/** Give the host process the contents of a new allocation, if both processes
 *  have a copy. */
void softgpu_remote_new(const struct softgpu_allocation *allocation);
/** Fetch (to_device 1) or send all memory that both processes have. */
void softgpu_memory_exchange(int to_device);

#endif
