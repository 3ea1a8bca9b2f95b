/* SPDX-License-Identifier: MIT */
/** @file
 *  A call as data: the arguments of one call of a lab's function.
 *
 *  Both processes include this file.  The grader fills a frame in a suite's
 *  stub; the runner gets an equal frame whose arrays are in its own memory.
 *  Everything that is read from the channel is validated here, on both sides.
 */
#ifndef GRADER_CHANNEL_FRAME_H
#define GRADER_CHANNEL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"

enum {
    FRAME_MAX_ARGS = 24,        /**< arguments in one call */
    FRAME_ALIGNMENT = 256   /**< of every array, unless misaligned */
};
#define FRAME_MAX_BYTES ((uint64_t)4 << 30) /**< all arrays of a call */

/** Kind of an argument.  ARG_DECODED is none of the function's: what the host
 *  makes of the inputs, as the contract asks.  The runner compares with it what
 *  is copied to the device. */
enum arg_kind { ARG_IN = 1, ARG_OUT, ARG_INOUT, ARG_INTEGER, ARG_REAL,
                ARG_DECODED };

/** One argument. */
struct arg {
    uint8_t kind;      /**< enum arg_kind */
    uint8_t on_device; /**< arrays: device memory in the runner */
    uint16_t misalign; /**< arrays: bytes off FRAME_ALIGNMENT */
    uint64_t bytes;    /**< arrays: size */
    int64_t integer;   /**< ARG_INTEGER; arrays: further bytes, which are sparse
                            memory and are not sent: behind `bytes` on the
                            device, between their halves on the host */
    double real;       /**< ARG_REAL */
    void *data;        /**< arrays: address in this process */
};

/** One call. */
struct frame {
    uint32_t function; /**< which of the lab's functions */
    uint32_t count;    /**< arguments */
    struct arg arg[FRAME_MAX_ARGS]; /**< in the order of the stub */
};

/** True for arguments that are arrays. */
bool arg_is_array(const struct arg *arg);
/** True for arrays whose content is sent to the runner. */
bool arg_is_input(const struct arg *arg);
/** True for arrays whose content is sent back. */
bool arg_is_output(const struct arg *arg);
/** Bytes of an array that lie before its sparse ones; the rest of its `bytes`
 *  lies behind them. */
size_t arg_head_bytes(const struct arg *arg);

/** Append the description of a frame; in a message its input arrays follow, in
 *  their order. */
void frame_describe(const struct frame *frame, struct bytes *out);
/** Parse a description and the input arrays behind it.  `data` of input arrays
 *  points into the message, of other arrays it is NULL.
 *  @return NULL, or the error in the message */
const char *frame_parse(struct frame *frame, struct reader *in);
/** Bytes of all input arrays. */
uint64_t frame_input_bytes(const struct frame *frame);
/** Bytes of all output arrays. */
uint64_t frame_output_bytes(const struct frame *frame);

/* For thunks: argument number `index`. */

/** The array's address, host or device as the stub asked. */
static inline void *frame_array(const struct frame *frame, unsigned index)
{
    return frame->arg[index].data;
}

/** The pointer that a generated stub passed: an array's address, that of the
 *  array whose index the argument holds, or NULL for an index below 0. */
static inline void *frame_pointer(const struct frame *frame, unsigned index)
{
    const struct arg *arg = &frame->arg[index];

    if (arg->kind != ARG_INTEGER)
        return arg->data;
    return arg->integer < 0 ? NULL : frame->arg[arg->integer].data;
}

/** The integer. */
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
