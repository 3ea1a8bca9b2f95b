/* SPDX-License-Identifier: MIT */
/** @file
 *  The timeline of the running program: modeled durations of its launches and
 *  of its host code, and the spans of all streams.
 */
#ifndef SOFTGPU_PROFILE_TIMELINE_RECORD_H
#define SOFTGPU_PROFILE_TIMELINE_RECORD_H

#include <stdint.h>
#include <stdio.h>

#include "common/softgpu/core/core.h"
#include "common/softgpu/host/timeline.h"

struct json_t;

/** The duration of the launch that ended last on this OS thread, without launch
 *  overhead.
 *  @param grid  of this launch
 *  @return modeled nanoseconds */
uint64_t launch_modeled_ns(const struct softgpu_grid *grid);
/** The duration of this OS thread's host code since the last call: its loads
 *  and stores at 20 GB/s, which one core of a server reaches.
 *  @return modeled nanoseconds */
uint64_t consume_host_ns(void);
/** Add a span to the timeline. */
void timeline_add_span(const struct softgpu_activity *span);
/** Count a call by which the host queued work. */
void timeline_count_call(void);

/** The timeline as a new JSON object.
 *
 *  `ns`: from the begin of the first span to the end of the last one.
 *  `until_ns`: from the first call to there.  `calls`: of the host.
 *  `busy_ns`: of each engine.  `spans`: arrays of stream, engine, name, begin,
 *  end, bytes. */
struct json_t *timeline_json(void);
/** Write a summary of the timeline as text, if anything was copied. */
void timeline_print(FILE *out);

#endif
