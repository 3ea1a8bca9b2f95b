/* SPDX-License-Identifier: MIT */
/** @file
 *  Events.
 */
#ifndef SOFTGPU_EVENT_H
#define SOFTGPU_EVENT_H

#include "stream.h"

struct CUgraphNode_st;

/** An event: held by the program and by each piece of work that names it. */
struct CUevent_st {
    struct softgpu_device *device;
    unsigned flags;
    int holders;
    int alive;    /**< a handle the program may use */
    int recorded; /**< 1: at least once */
    struct softgpu_point point; /**< its last record */
    uint64_t time;              /**< modelled: when that ran */
    unsigned long long capture; /**< number of the capture of its record */
    struct CUgraphNode_st **captured; /**< owned: the stream's nodes then */
    size_t captured_count;
    struct CUevent_st *next; /**< of all alive */
};

/** The event a handle means, or NULL. */
struct CUevent_st *softgpu_event(cudaEvent_t handle);
/** Hold an event. */
struct CUevent_st *softgpu_event_hold(struct CUevent_st *event);
/** Let go of it. */
void softgpu_event_release(struct CUevent_st *event);
/** Forget a captured record. */
void softgpu_event_uncapture(struct CUevent_st *event);

#endif
