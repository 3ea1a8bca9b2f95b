/* SPDX-License-Identifier: MIT */
/** @file
 *  Bytes of a message: a growing buffer to write, a bounded cursor to read.
 *  Numbers have the byte order of memory: both processes run on one machine.
 */
#ifndef GRADER_CHANNEL_BYTES_H
#define GRADER_CHANNEL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A buffer that grows; zeroed is empty. */
struct bytes {
    unsigned char *data; /**< malloced */
    size_t length;       /**< bytes written */
    size_t capacity;     /**< bytes there is room for */
    bool failed; /**< memory ran out once; later writes do nothing */
};

/** Append raw bytes. */
void buffer_append(struct bytes *out, const void *data, size_t length);
/** Append a 32-bit number. */
void buffer_append_u32(struct bytes *out, uint32_t value);
/** Append a 64-bit number. */
void buffer_append_u64(struct bytes *out, uint64_t value);
/** Free what it holds and make it empty. */
void buffer_free(struct bytes *out);

/** A cursor over bytes that somebody else owns. */
struct reader {
    const unsigned char *at; /**< the next byte */
    size_t left;             /**< bytes from there on */
    bool failed; /**< asked for more than there was; later reads give zeros */
};

/** The next `length` bytes, or NULL when fewer are left. */
const void *reader_bytes(struct reader *in, uint64_t length);
/** The next 32-bit number. */
uint32_t reader_u32(struct reader *in);
/** The next 64-bit number. */
uint64_t reader_u64(struct reader *in);

#endif
