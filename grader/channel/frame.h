/* SPDX-License-Identifier: MIT */
/** @file
 *  A call as data: the arguments of one call of a lab's function.
 *
 *  Both processes include this file.  The trusted side fills a frame in a
 *  suite's stub; the runner gets an equal frame whose arrays lie in its own
 *  memory.  Everything read from the channel is validated here, on both sides.
 */
#ifndef GRADER_CHANNEL_FRAME_H
#define GRADER_CHANNEL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"

enum {
    FRAME_ARGS = 24,        /**< arguments in one call */
    FRAME_ALIGNMENT = 256   /**< of every array, unless misaligned */
};
#define FRAME_BYTES ((uint64_t)4 << 30) /**< all arrays of a call together */

/** What an argument is. */
enum arg_kind { ARG_IN = 1, ARG_OUT, ARG_INOUT, ARG_INTEGER, ARG_REAL };

/** One argument. */
struct arg {
    uint8_t kind;      /**< enum arg_kind */
    uint8_t on_device; /**< arrays: device memory in the runner */
    uint16_t misalign; /**< arrays: bytes off FRAME_ALIGNMENT */
    uint64_t bytes;    /**< arrays: size */
    int64_t integer;   /**< ARG_INTEGER */
    double real;       /**< ARG_REAL */
    void *data;        /**< arrays: where they are in this process */
};

/** One call. */
struct frame {
    uint32_t function; /**< which of the lab's functions */
    uint32_t count;    /**< arguments */
    struct arg arg[FRAME_ARGS]; /**< in the order of the stub */
};

/** True for arguments that are arrays. */
bool arg_is_array(const struct arg *arg);
/** True for arrays whose content goes to the runner. */
bool arg_goes_in(const struct arg *arg);
/** True for arrays whose content comes back. */
bool arg_comes_back(const struct arg *arg);

/** Append the description of a frame, then the arrays that go in. */
void frame_write(const struct frame *frame, struct bytes *out);
/** Read what frame_write wrote.  `data` of arrays that go in points into the
 *  message, of others it is NULL.
 *  @return NULL, or what is wrong with the message. */
const char *frame_read(struct frame *frame, struct reader *in);
/** Bytes of all arrays that come back. */
uint64_t frame_output_bytes(const struct frame *frame);

/* For the thunks in grader/runner/calls: argument number `index`. */

/** The array's address, host or device as the stub asked. */
static inline void *frame_array(const struct frame *frame, unsigned index)
{
    return frame->arg[index].data;
}

/** The whole number. */
static inline int64_t frame_integer(const struct frame *frame, unsigned index)
{
    return frame->arg[index].integer;
}

/** The floating-point number. */
static inline double frame_real(const struct frame *frame, unsigned index)
{
    return frame->arg[index].real;
}

#endif
