/* SPDX-License-Identifier: MIT */
/** @file
 *  What happens while the program runs: how long a launch takes on the
 *  described card, what its host does meanwhile, and the time line of all
 *  that streams do.
 */
#ifndef SOFTGPU_PROFILE_LIVE_H
#define SOFTGPU_PROFILE_LIVE_H

#include <stdint.h>
#include <stdio.h>

#include "../core/core.h"
#include "../host/timeline.h"

struct json_t;

/** A launch that has ended: modelled nanoseconds of its work, without its
 *  start.  A kernel is modelled in full once for each shape. */
uint64_t live_modelled_ns(const struct softgpu_grid *grid);
/** Modelled nanoseconds that this OS thread's host code worked since the last
 *  time: its loads and stores at 20 GB/s, what one core of a server reaches. */
uint64_t live_host_ns(void);
/** A piece of work has its place on the time line. */
void live_span(const struct softgpu_seen *seen);
/** The host queued something. */
void live_queued(void);

/** The time line as a new JSON object: `ns` from the first piece of work to
 *  the end of the last, `until_ns` from the first call to there, `calls`, `busy_ns` of each
 *  engine, and `spans` of [stream, engine, name, begin, end, bytes]. */
struct json_t *live_json(void);
/** One line about it, if anything was copied. */
void live_text(FILE *out);

#endif
