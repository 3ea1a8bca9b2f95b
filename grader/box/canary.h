/* SPDX-License-Identifier: MIT */
/** @file
 *  The canary of a box: a program of ours that tries, in the box that students'
 *  files will get, what none of them may do.
 */
#ifndef GRADER_BOX_CANARY_H
#define GRADER_BOX_CANARY_H

#include "box.h"

/** How an act ended. */
enum act_end {
    ACT_REFUSED,   /**< as it must */
    ACT_SUCCEEDED, /**< the box does not hold */
    ACT_OPEN       /**< it succeeded, and this tier does not promise more */
};

/** Arguments of the program box-canary, by position. */
enum canary_argument {
    CANARY_NAME,      /**< its own */
    CANARY_GRADER,    /**< process id of the grader */
    CANARY_ADDRESS,   /**< of a word in its memory, in hex */
    CANARY_SECRET,    /**< a file of the grader's user alone */
    CANARY_OTHER,     /**< a file that every user may read */
    CANARY_SOURCES,   /**< the source tree */
    CANARY_PROGRAM,   /**< the grader's program */
    CANARY_SOCKET,    /**< name of an abstract socket that listens */
    CANARY_KEY,       /**< key of a System V segment that all may read */
    CANARY_DEVICES,   /**< devices that are allowed: "null zero" */
    CANARY_PROCESSES, /**< that are allowed */
    CANARY_BYTES,     /**< of all files */
    CANARY_FILES,     /**< files */
    CANARY_ACTS,      /**< "all", "memory" or "processes" */
    CANARY_ARGUMENTS  /**< number of arguments */
};

enum {
    CANARY_MEMORY = 192 << 20,  /**< bytes that it may have */
    CANARY_FOLDER = 8 << 20,    /**< bytes of its files together */
    CANARY_FOLDER_FILES = 64,   /**< its files */
    CANARY_FILE = 4 << 20,      /**< bytes of its largest file */
    CANARY_CHILDREN = 24,       /**< its processes (kinds but BOX_RUN) */
    CANARY_THREADS = 48         /**< the same (BOX_RUN): to exceed MAX_THREADS
                                     would take ten times as long */
};

/** Run the canary in boxes of a tier, of each kind.
 *  @param      show    called for each act; may be NULL
 *  @param[out] reason  one line when the box does not hold, or cannot be made;
 *                      BOX_REASON bytes
 *  @return true when every act was refused that the tier promises to refuse */
bool box_verify(enum box_tier tier,
                void (*show)(enum box_kind kind, const char *words,
                             enum act_end end),
                char *reason);

#endif
