/* SPDX-License-Identifier: MIT */
/** @file
 *  Shadow memory: one cell for each aligned 4-byte word of a program's memory.
 *  A cell holds records of the accesses to its word since the accessing
 *  threads were last synchronized, one record for each instruction.
 *
 *  The trick: a record does not list its threads.  It says only "one thread",
 *  "several lanes of a warp", "several warps" or "several blocks".  That is
 *  enough to decide whether *some* thread of the record races with the next
 *  access, so the pairs of lines in a report do not depend on the schedule.
 */
#ifndef SOFTGPU_SHADOW_CELL_H
#define SOFTGPU_SHADOW_CELL_H

#include <stdint.h>

/** The accesses to a word by one instruction: 24 bytes.  An *interval* is the
 *  time between two barriers of a block; a *warp interval*, between two
 *  __syncwarp of a warp. */
struct access_record {
    uint32_t pc;       /**< return address, its lower half */
    uint32_t threads;  /**< latest thread and RECORD_... bits */
    uint32_t block;    /**< linear index in the grid; 0 in shared memory */
    uint32_t interval; /**< of that block */
    uint32_t sequence; /**< watch_block.sequence at that time */
    uint16_t warp_interval; /**< of the thread's warp */
    uint16_t value;    /**< hash of the value written; see RECORD_LAST_WRITER */
};

/** Bits of access_record.threads. */
enum {
    RECORD_THREAD = 0x3ff, /**< linear index of the latest thread */
    RECORD_WRITE = 1 << 10,
    RECORD_ATOMIC = 1 << 11,
    RECORD_VOLATILE = 1 << 12,
    RECORD_BYTES_SHIFT = 13, /**< four bits: the bytes of the word accessed */
    RECORD_BYTES = 0xf << RECORD_BYTES_SHIFT,
    RECORD_LANES = 1 << 17,  /**< several lanes, in one warp interval */
    RECORD_WARPS = 1 << 18,  /**< several warps of the block */
    RECORD_BLOCKS = 1 << 19, /**< several blocks */
    /** No other instruction wrote since: the value is in memory, not here. */
    RECORD_LAST_WRITER = 1 << 20,
    RECORD_VALUES_DIFFER = 1 << 21, /**< several values were written */
    RECORD_UNINITIALIZED = 1 << 22, /**< a read of uninitialized bytes */
    RECORD_OF_BLOCK = 1 << 23, /**< an atomic for the block alone */
    RECORD_POLLED = 1 << 24, /**< by a loop that waits for the value */
    /** Records of one instruction that differ in these stay apart. */
    RECORD_KEY = RECORD_WRITE | RECORD_ATOMIC | RECORD_VOLATILE | RECORD_BYTES
                 | RECORD_UNINITIALIZED | RECORD_OF_BLOCK,
    RECORD_WARP = RECORD_THREAD & ~31 /**< the part that names the warp */
};

/** The shadow of a word: 32 bytes. */
struct shadow_cell {
    struct access_record head; /**< the first record */
    uint32_t tag;  /**< interval (shared memory) or launch (device memory) that
                        the records belong to; with another one they are
                        ordered before every access to come */
    uint32_t next; /**< further records: index in a pool, and CELL_WRITTEN */
};

/** In shadow_cell.next: one of the records is a write. */
#define CELL_WRITTEN 0x80000000u

#endif
