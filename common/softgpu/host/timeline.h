/* SPDX-License-Identifier: MIT */
/** @file
 *  The modelled time line: what runs when on the described card.
 *
 *  All times are nanoseconds since the program's first call.  The host has a
 *  clock, which each call moves by a fixed cost, each wait to the end of what
 *  was waited for, and the program's own work between two calls by the time
 *  it took, if that is 0.1 ms or more: less is noise of this machine.  A
 *  piece of work begins when its stream, what it depends on, its engine and
 *  the host's call allow.
 */
#ifndef SOFTGPU_TIMELINE_H
#define SOFTGPU_TIMELINE_H

#include <stdint.h>

#include "../cards/card.h"

#define SOFTGPU_RUNNING 64 /* kernels remembered as overlapping */

/** What a device can do at one time. */
struct softgpu_engines {
    uint64_t to_device; /**< when each copy engine is free */
    uint64_t to_host;
    struct {
        uint64_t end;
        double share; /**< of the SMs */
    } kernels[SOFTGPU_RUNNING];
    unsigned next; /**< kernel to overwrite */
};

/** Which engine a piece of work takes. */
enum softgpu_engine {
    SOFTGPU_NO_ENGINE,
    SOFTGPU_TO_DEVICE,
    SOFTGPU_TO_HOST,
    SOFTGPU_SMS,
    SOFTGPU_HOST_CODE, /**< the program's own; only for who looks on */
    SOFTGPU_ENGINES    /**< how many there are */
};

/** Their names: "memory", "to device", "to host", "kernels", "host". */
extern const char *const softgpu_engine_words[];

/** A piece of work that has its place, for who looks on. */
struct softgpu_seen {
    enum softgpu_engine engine;
    unsigned long long stream; /**< its id */
    const char *name;          /**< the kernel's, "copy", "fill"; static */
    uint64_t begin, end;
    uint64_t bytes; /**< copied or filled */
};
/** Id of the stream whose work runs. */
extern unsigned long long softgpu_turn_stream;

/** One piece of work on the time line. */
struct softgpu_span {
    uint64_t ready; /**< earliest begin */
    uint64_t length;
    double share; /**< of the SMs; only for SOFTGPU_SMS */
    enum softgpu_engine engine;
};

/** Place a span.  @return its end */
uint64_t softgpu_place(struct softgpu_engines *engines,
                       const struct softgpu_span *span);

/** A copy's length.  @param gbs GB/s */
uint64_t softgpu_copy_ns(uint64_t bytes, double gbs);

/** The host's clock. */
uint64_t softgpu_host_ns(void);
/** A call begins: count what the program did since the last. */
void softgpu_host_enter(void);
/** A call ends. */
void softgpu_host_leave(void);
/** The host works for so long. */
void softgpu_host_spend(uint64_t ns);
/** The host waited until then. */
void softgpu_host_wait(uint64_t ns);

#endif
