/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA events.
 */
#ifndef SOFTGPU_EVENT_H
#define SOFTGPU_EVENT_H

#include "stream.h"

struct CUgraphNode_st;

/** An event; the program and each command that names it hold a reference. */
struct CUevent_st {
    struct softgpu_device *device;
    unsigned flags;
    int ref_count;
    int alive;    /**< 1: a valid handle */
    int recorded; /**< 1: recorded at least once */
    int is_of_launches; /**< 1: of a graph's last launch; it has no time */
    struct softgpu_stream_position position; /**< of its last record */
    struct softgpu_clock clock; /**< order of that record */
    uint64_t time;              /**< modeled time of that record, ns */
    unsigned long long capture; /**< id of the capture of its last record */
    /** Owned: the stream's capture dependencies at that record. */
    struct CUgraphNode_st **captured_nodes;
    size_t captured_count;
    struct softgpu_ipc_event *shared; /**< between processes, or NULL */
    uint32_t shared_life;   /**< of that */
    int shared_owner;       /**< the process that made it */
    uint64_t shared_record; /**< number of this process's last record of it */
    struct CUevent_st *next; /**< in the list of all events */
};

/** The event of a handle, or NULL if the handle is invalid. */
struct CUevent_st *softgpu_event(cudaEvent_t handle);
/** An event without a handle; NULL without memory. */
struct CUevent_st *softgpu_event_new(struct softgpu_device *device,
                                     unsigned flags);
/** A new event of the current device with a handle; NULL without memory. */
struct CUevent_st *softgpu_event_add(unsigned flags);
/** Add a reference.  @return the event */
struct CUevent_st *softgpu_event_retain(struct CUevent_st *event);
/** Drop a reference; the last one frees the event. */
void softgpu_event_release(struct CUevent_st *event);
/** Discard the nodes of a captured record. */
void softgpu_event_clear_capture(struct CUevent_st *event);

#endif
