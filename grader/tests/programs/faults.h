/* SPDX-License-Identifier: MIT */
/** @file
 *  What a test and the preloaded library faults.c share: a mapped file.
 */
#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

/** Calls of the C library that can be made to fail. */
enum fault_kind {
    FAULT_OPEN,
    FAULT_READ,
    FAULT_WRITE,
    FAULT_FSYNC,
    FAULT_RENAME,
    FAULT_MKDIR,
    FAULT_FORK,
    FAULT_PIPE,
    FAULT_WAIT,
    FAULT_STAT,
    FAULT_MEMORY,
    FAULT_KINDS /**< how many */
};

/** The mapped file. */
struct faults {
    int kind;    /**< enum fault_kind of the call that fails */
    int error;   /**< its errno */
    long at;     /**< which of them fails, from 1; 0: none */
    int stays_failed; /**< all that follow fail, too */
    long hits;   /**< calls that failed */
    long count[FAULT_KINDS]; /**< calls so far, also in forked processes */
};

#endif
