/* SPDX-License-Identifier: MIT */
/** @file
 *  The modeled time line: when each command would run on the described card.
 *
 *  All times are nanoseconds since the program's first runtime call.  A runtime
 *  call advances the host's clock by a fixed cost, and a wait advances it to
 *  the end of the command waited for.  The program's own code between two
 *  calls advances it by the measured time, if that is 0.1 ms or more: less is
 *  noise.  A command starts when its stream, its dependencies and its engine
 *  are free and the host has issued it.
 */
#ifndef SOFTGPU_TIMELINE_H
#define SOFTGPU_TIMELINE_H

#include <stdint.h>

#include "common/softgpu/cards/card.h"

#define SOFTGPU_CONCURRENT_KERNELS 64 /* kernels remembered as overlapping */

/** The engines of a device: what can run at the same time. */
struct softgpu_engines {
    uint64_t to_device; /**< when that copy engine becomes free */
    uint64_t to_host;   /**< likewise */
    struct {
        uint64_t end;
        double share; /**< of the SMs, 0 to 1 */
    } kernels[SOFTGPU_CONCURRENT_KERNELS];
    unsigned next; /**< entry to overwrite */
};

/** The engine that a command uses. */
enum softgpu_engine {
    SOFTGPU_NO_ENGINE,
    SOFTGPU_TO_DEVICE,
    SOFTGPU_TO_HOST,
    SOFTGPU_SMS,
    SOFTGPU_HOST_CODE, /**< the program's own code; only in activities */
    SOFTGPU_ENGINES    /**< number of engines */
};

/** The engines' names: "memory", "to device", "to host", "kernels", "host". */
extern const char *const softgpu_engine_names[];

/** A command on the time line, as the hooks report it. */
struct softgpu_activity {
    enum softgpu_engine engine;
    unsigned long long stream; /**< id of its stream */
    const char *name;          /**< the kernel's, "copy", "fill"; static */
    uint64_t begin, end;       /**< modeled, ns */
    uint64_t bytes; /**< copied or filled */
};
/** Id of the stream whose command is running. */
extern _Thread_local unsigned long long softgpu_current_stream_id;

/** A command to be placed on the time line. */
struct softgpu_span {
    uint64_t ready;  /**< earliest start, ns */
    uint64_t length; /**< duration, ns */
    double share;    /**< of the SMs, 0 to 1; only for SOFTGPU_SMS */
    enum softgpu_engine engine;
};

/** Schedule a span on its engine.  @return its end, ns */
uint64_t softgpu_schedule_span(struct softgpu_engines *engines,
                               const struct softgpu_span *span);

/** Duration of a copy in ns.  @param gbs bandwidth in GB/s */
uint64_t softgpu_copy_ns(uint64_t bytes, double gbs);

/** The host's clock, ns. */
uint64_t softgpu_host_ns(void);
/** A runtime call begins: add the time of the host code since the last one. */
void softgpu_host_call_begin(void);
/** A runtime call ends. */
void softgpu_host_call_end(void);
/** Advance the host's clock by a duration. */
void softgpu_host_advance(uint64_t ns);
/** Advance the host's clock to a time, if that is later. */
void softgpu_host_advance_to(uint64_t ns);

#endif
