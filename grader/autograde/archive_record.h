/* SPDX-License-Identifier: MIT */
/** @file
 *  What the process that reads an archive sends: records of a kind, a source's
 *  index, a length, and that many bytes.
 */
#ifndef AUTOGRADE_ARCHIVE_RECORD_H
#define AUTOGRADE_ARCHIVE_RECORD_H

#include <stdint.h>

/** Kinds of records. */
enum record_kind {
    TAKEN = 'T',   /**< a file that is wanted */
    REFUSED = 'R', /**< why a rule is broken; the last record */
    DONE = 'D',    /**< the archive was read; the last record */
    BROKEN = 'B',  /**< why it cannot be read; the last record */
    FAILED = 'F'   /**< we did, not the archive; the last record */
};

/** Exit status of a reader that crashed when it had got no memory. */
enum { NO_MEMORY_STATUS = 3 };

/** Header of a record; its bytes follow. */
struct record {
    uint32_t kind;   /**< enum record_kind */
    uint32_t index;  /**< of the file */
    uint32_t length; /**< bytes that follow */
};

#endif
