/* SPDX-License-Identifier: MIT */
/** @file
 *  Memory and events of other processes on this machine.
 *
 *  A process that exports something has a table in a file in memory (memfd).  A
 *  handle names the process, the file's descriptor there, and an entry; another
 *  process of the same user opens the file by /proc.  Nothing has a name of its
 *  own, so nothing is left behind, however a process ends.
 */
#ifndef SOFTGPU_IPC_H
#define SOFTGPU_IPC_H

#include <stddef.h>
#include <stdint.h>

struct CUevent_st;
struct softgpu_allocation;
struct softgpu_command;

/** Between two looks at what other processes did. */
enum { SOFTGPU_IPC_TICK_NS = 200000 };

/** Entries of a process's table. */
enum { SOFTGPU_IPC_MEMORY = 4096, SOFTGPU_IPC_EVENTS = 1024 };

/** An exported allocation. */
struct softgpu_ipc_memory {
    _Atomic uint32_t life;  /**< odd while it is exported */
    int32_t device, file;   /**< index; descriptor of the arena's file */
    uint64_t inode;         /**< of that file */
    uint64_t offset, bytes; /**< in that file */
};

/** An event between processes.  Its records are numbered. */
struct softgpu_ipc_event {
    _Atomic uint32_t life;      /**< odd while the event exists */
    _Atomic int32_t recorder;   /**< process of the last record */
    _Atomic uint64_t recorded;  /**< number of the last record */
    _Atomic uint64_t completed; /**< greatest number that has been reached */
};

/** The table of a process. */
struct softgpu_ipc_table {
    struct softgpu_ipc_memory memory[SOFTGPU_IPC_MEMORY];
    struct softgpu_ipc_event events[SOFTGPU_IPC_EVENTS];
};

/** Kinds of handles. */
enum softgpu_ipc_kind { SOFTGPU_IPC_OF_MEMORY = 1, SOFTGPU_IPC_OF_EVENT };

/** A handle; CUDA's has 64 bytes. */
struct softgpu_ipc_handle {
    uint32_t magic, kind;
    int32_t process, file; /**< descriptor of its table there */
    uint64_t inode;        /**< of that file */
    uint32_t entry, life;
};

/** Memory of another process: how often this one opened it. */
struct softgpu_ipc_import {
    struct softgpu_ipc_handle handle;
    int references;
};

/** A file in memory of so many zeros.  @return its descriptor, at least 3; -1
 *  without memory */
int softgpu_ipc_file(const char *name, size_t bytes);
/** Open a file of another process.
 *  @param inode  of the file: another one is refused
 *  @return a descriptor, or -1 */
int softgpu_ipc_open(int process, int file, uint64_t inode);
/** Number of a file's inode. */
uint64_t softgpu_ipc_inode(int file);
/** This process's table; NULL without memory. */
struct softgpu_ipc_table *softgpu_ipc_own_table(void);
/** A handle for an entry of this process's table. */
struct softgpu_ipc_handle softgpu_ipc_handle(enum softgpu_ipc_kind kind,
                                             size_t entry, uint32_t life);
/** Is this a handle of that kind? */
int softgpu_ipc_is_handle(const struct softgpu_ipc_handle *handle,
                          enum softgpu_ipc_kind kind);
/** The table that a handle of another process names.
 *  @return NULL if that process has ended */
struct softgpu_ipc_table *
softgpu_ipc_table_of(const struct softgpu_ipc_handle *handle);
/** Has the process ended? */
int softgpu_ipc_has_ended(int process);

/** An allocation is freed: its handle becomes invalid. */
void softgpu_ipc_on_free(struct softgpu_allocation *allocation);
/** A new event for other processes, in this process's table.
 *  @return 0, or -1 without memory */
int softgpu_ipc_event_create(struct CUevent_st *event);
/** The event is freed: its handle becomes invalid, if it was made here. */
void softgpu_ipc_event_end(struct CUevent_st *event);
/** Number a record that is queued. */
uint64_t softgpu_ipc_event_record(struct CUevent_st *event);
/** A record has been reached, or will not be.
 *  @param record  0: none of an event between processes */
void softgpu_ipc_event_complete(struct CUevent_st *event, uint64_t record);
/** Has this record been reached, or its process ended? */
int softgpu_ipc_event_is_reached(const struct CUevent_st *event,
                                 uint64_t record);
/** Wait for a record of another process; the lock is released meanwhile. */
void softgpu_ipc_event_wait(const struct CUevent_st *event, uint64_t record);
/** Count a command that is queued (1) or leaves its queue (-1), if it waits for
 *  another process. */
void softgpu_ipc_count_wait(const struct softgpu_command *command, int by);
/** Number of such commands in the queues. */
int softgpu_ipc_waits(void);
/** The record that a wait now waits for; 0: none, or one of this process. */
uint64_t softgpu_ipc_event_last(const struct CUevent_st *event);

#endif
