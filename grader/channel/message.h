/* SPDX-License-Identifier: MIT */
/** @file
 *  The messages on the channel between grader and runner.
 *
 *      grader                          runner
 *      CALL  poison, mode, frame  -->  places the arrays, poisons the outputs
 *                                 <--  READY
 *      GO    key                  -->  calls the lab, waits for the device,
 *                 (timed)              digests the outputs
 *                                 <--  DONE    status, digest
 *                                 <--  OUTPUT  facts, the outputs
 *
 *  The grader's clock runs from GO to DONE.  The digest is keyed by what GO
 *  brought, so the bytes of OUTPUT are those that existed when the clock
 *  stopped.  Each message is a header and `length` bytes; a header with a
 *  wrong magic, type, sequence or length ends the conversation.
 */
#ifndef GRADER_CHANNEL_MESSAGE_H
#define GRADER_CHANNEL_MESSAGE_H

#include "frame.h"

/** Descriptor of the channel in the runner. */
enum { CHANNEL_FD = 3 };

/** Type of a message. */
enum message_type { MSG_CALL = 1, MSG_READY, MSG_GO, MSG_DONE, MSG_OUTPUT };

/** In front of every message; sent as it is in memory. */
struct header {
    uint32_t magic;    /**< MESSAGE_MAGIC */
    uint32_t type;     /**< enum message_type */
    uint64_t sequence; /**< number of the call, from 1 */
    uint64_t length;   /**< bytes that follow */
};
#define MESSAGE_MAGIC 0x4b425257u /**< "WRBK": begins every header */
/** Most bytes that a CALL or OUTPUT may have. */
#define MESSAGE_BYTES (FRAME_BYTES + 65536)

/** What a call is for. */
enum call_mode {
    CALL_LAB,    /**< call the lab */
    CALL_CAPTURED, /**< on the soft device: into a graph, and replay that */
    CALL_NOTHING /**< do all but that: measures what the channel costs */
};

/** What DONE carries. */
struct done {
    int64_t status;  /**< what the lab returned */
    uint64_t digest; /**< of the outputs, in order, keyed */
};

enum { FACT_TEXT = 96 };

/** What the runner noticed.  Advisory: it may cost points, never earn them. */
struct facts {
    uint64_t leaked;    /**< device bytes held after the call and not before */
    uint64_t up;        /**< bytes copied from the host to the device */
    uint64_t down;      /**< bytes copied from the device to the host */
    uint64_t together;  /**< bytes for host and device, taken so far */
    uint64_t taken;     /**< bytes of device memory, given back or not */
    int32_t held;       /**< streams, events, graphs, pinned memory: as many
                             were made in the call and not given back */
    uint32_t counted;   /**< 1: those round it are known */
    uint32_t replays;   /**< graphs launched; what they hold is not counted */
    uint32_t launches;  /**< kernels launched */
    uint32_t grid[3];   /**< of the last launch */
    uint32_t block[3];  /**< of the last launch */
    uint32_t error;     /**< cudaError_t left behind, 0 if none */
    uint32_t overrun;   /**< bit i: bytes beside argument i were written */
    uint32_t changed;   /**< bit i: input argument i was changed */
    uint32_t late;      /**< bit i: output argument i was not there yet when all
                             that the default stream waits for was done */
    char error_text[FACT_TEXT];  /**< name and text of `error` */
    char status_text[FACT_TEXT]; /**< of the status, if it is a cudaError_t */
};

/** True when a header has the type, sequence and a length up to `most`. */
bool header_ok(const struct header *header, enum message_type type,
               uint64_t sequence, uint64_t most);
/** Digest of more bytes, going on from `state` (the key at first). */
uint64_t digest_more(uint64_t state, const void *data, size_t length);
/** Fill with the poison that stands in argument `index` before the call. */
void poison_fill(void *out, size_t length, uint64_t poison, unsigned index);

#endif
