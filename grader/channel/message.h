/* SPDX-License-Identifier: MIT */
/** @file
 *  The messages between grader and runner.
 *
 *      grader                          runner
 *      CALL  poison, mode,        -->  allocates the arrays, poisons outputs
 *            failing call, frame
 *                                 <--  READY
 *      RUN   key                  -->  calls the lab, synchronizes, computes
 *                 (timed)              the digest of the outputs
 *                                 <--  DONE    status, digest
 *                                 <--  OUTPUT  facts, the outputs
 *      ASK   an element, or       -->  any number of times, until the next CALL
 *            a basic block
 *                                 <--  STORE   who stored it; its line
 *
 *  The grader's clock runs from RUN to DONE.  The key of the digest arrives
 *  with RUN, so the bytes of OUTPUT must be those that existed when the clock
 *  stopped.  Each message is a header and `length` bytes; a header with a
 *  wrong magic, type, sequence or length ends the session.
 */
#ifndef GRADER_CHANNEL_MESSAGE_H
#define GRADER_CHANNEL_MESSAGE_H

#include <signal.h>

#include "frame.h"

/** Descriptor of the channel in the runner. */
enum { CHANNEL_FD = 3 };

/** By which the grader asks a runner on the software GPU for access to its
 *  memory; other programs ignore it, and the runtime does not use it. */
enum { ACCESS_SIGNAL = SIGWINCH };

/** Type of a message. */
enum message_type {
    MSG_CALL = 1, MSG_READY, MSG_RUN, MSG_DONE, MSG_OUTPUT, MSG_ASK, MSG_STORE
};

/** In front of every message; sent as it is in memory. */
struct header {
    uint32_t magic;    /**< MESSAGE_MAGIC */
    uint32_t type;     /**< enum message_type */
    uint64_t sequence; /**< number of the call, from 1 */
    uint64_t length;   /**< bytes that follow */
};
#define MESSAGE_MAGIC 0x4b425257u /**< "WRBK": begins every header */
/** Most bytes that a CALL or OUTPUT may have. */
#define MESSAGE_MAX_BYTES (FRAME_MAX_BYTES + 65536)

/** Actions of the runner for a call. */
enum call_mode {
    CALL_LAB,      /**< call the lab */
    CALL_IN_GRAPH, /**< soft device: capture the call into a graph, launch it */
    CALL_EMPTY     /**< all but the call: measures the overhead */
};

/** Content of DONE. */
struct completion {
    int64_t status;  /**< what the lab returned */
    uint64_t digest; /**< of the outputs, in order, keyed */
};

enum { FACT_SIZE = 96 };

/** In place of the call that is made to fail: the kernel with this number
 *  fails when it runs, on the soft device. */
#define FAILING_KERNEL ((uint32_t)1 << 31)

/** Counts of one call, by the runner.  On a card a submission could forge them,
 *  so facts may cost points but never earn them. */
struct facts {
    uint64_t leaked;          /**< bytes of device memory not freed */
    uint64_t h2d_bytes;       /**< copied from host to device */
    uint64_t d2h_bytes;       /**< copied from device to host */
    uint64_t managed_bytes;   /**< allocated for host and device, so far */
    uint64_t supplied_bytes;  /**< that the device got from the host and that
                                   are not the inputs' */
    uint64_t allocated_bytes; /**< of device memory, freed or not */
    uint64_t overread_first;  /**< of `overread`: the first byte that a copy
                                   read, of the first such argument */
    uint64_t overread_end;    /**< and the one after the last */
    uint64_t host_work;       /**< elements that given host functions of the
                                   lab have processed: count_host_work(), and
                                   their calls */
    uint64_t host_calls;      /**< these calls alone */
    int32_t unreleased;       /**< streams, events, graphs, pinned blocks and
                                   handles of libraries that were created and
                                   not destroyed */
    uint32_t callers;         /**< threads of the host that made calls which
                                   can tell the device something */
    uint32_t counted;         /**< 1: the members around are known */
    uint32_t graph_launches;  /**< graphs; their nodes are not counted */
    uint32_t launches;        /**< kernels */
    uint32_t grid[3];         /**< of the last launch */
    uint32_t block[3];        /**< of the last launch */
    uint32_t error;           /**< cudaGetLastError() after the call */
    uint32_t overrun;         /**< bit i: written beside argument i */
    uint32_t modified;        /**< bit i: input argument i was modified */
    uint32_t untouched;       /**< bit i: of the sparse argument i nothing
                                   beyond the largest power of two accessed */
    uint32_t astray;          /**< bit i: of these, something was accessed
                                   beyond the first 4 MiB */
    uint32_t settings;        /**< of the runtime that host code asked the
                                   environment for, so far */
    uint32_t overread;        /**< bit i: a copy read past the end of argument i
                                   in host memory */
    uint32_t abandoned;       /**< blocks of sparse calls, so far, that waited
                                   for blocks that do not run */
    uint32_t incomplete;      /**< bit i: the sparse argument i in host memory
                                   was not copied as a whole */
    uint32_t not_copied;      /**< bit i: input argument i in host memory was
                                   not copied to the device as a whole */
    uint32_t host_written;    /**< bit i: output argument i in host memory has
                                   bytes that the device did not send */
    uint32_t unsynchronized;  /**< bit i: output argument i was not complete
                                   when the default stream was */
    char error_text[FACT_SIZE];  /**< name and text of `error` */
    char status_text[FACT_SIZE]; /**< of the status, if a cudaError_t or a
                                      library's status */
    char leaked_text[FACT_SIZE]; /**< the call that allocated the first block
                                      of `leaked`, or empty */
    char unreleased_text[FACT_SIZE];     /**< the same of `unreleased` */
    char released_twice_text[FACT_SIZE]; /**< the call that released something
                                              again, or empty */
    char overread_text[FACT_SIZE]; /**< the call that read past the end, or
                                        empty */
    char failed_text[FACT_SIZE]; /**< the call that was made to fail; empty:
                                      none was */
};

enum {
    ASK_LINE = -1,   /**< in place of an argument: the line of a basic block */
    STORE_SITES = 256 /**< basic blocks that a runner counts */
};

/** Content of ASK: an element of an array of the last call, or ASK_LINE. */
struct store_question {
    int64_t argument; /**< index in the frame */
    uint64_t offset;  /**< in bytes; of ASK_LINE, the number of the block */
};

/** Content of STORE; untrusted. */
struct store_answer {
    char text[FACT_SIZE]; /**< place of the store, or of the basic block:
                               "add.cu:17:9"; empty: not known */
    uint32_t block;       /**< that stored it: its linear index */
    uint32_t has_executions; /**< 1: the storing thread and its block are
                                  known, and what they have executed */
    uint16_t thread_executions[STORE_SITES]; /**< of each basic block */
    uint8_t block_executes[STORE_SITES]; /**< 1: some thread of it does */
};

/** True when a header has this type, this sequence and a length of at most
 *  `most`. */
bool header_is_valid(const struct header *header, enum message_type type,
                     uint64_t sequence, uint64_t most);
/** Update a digest with an array.
 *  @param state  the digest so far; the key at first */
uint64_t digest_update(uint64_t state, const void *data, size_t length);
/** Fill an array with the poison of argument `index`. */
void poison_fill(void *out, size_t length, uint64_t poison, unsigned index);

#endif
