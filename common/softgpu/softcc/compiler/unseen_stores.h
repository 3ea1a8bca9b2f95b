/* SPDX-License-Identifier: MIT */
/** @file
 *  Stores that the instrumentation does not see: gcc does not instrument what
 *  a call stores of a struct that it returns.  gcc's dump of the functions that
 *  it has instrumented names them.
 */
#ifndef SOFTCC_UNSEEN_STORES_H
#define SOFTCC_UNSEEN_STORES_H

#include <stdbool.h>
#include <stddef.h>

/** The option that makes gcc write the dump; the file's name follows. */
#define UNSEEN_STORES_OPTION "-fdump-tree-tsan1-lineno="

/** A reader of a dump; zeros but for `at`. */
struct dump {
    const char *at;         /**< the text that is left */
    const char *function;   /**< mangled name of the function, not terminated */
    const char *body;       /**< where its declarations begin */
    const char *statements; /**< and end; NULL before that */
};

/** An unseen store. */
struct unseen_store {
    const char *function;    /**< mangled name, not terminated */
    size_t function_length;  /**< bytes of it */
    const char *place;       /**< "FILE:LINE:COL" of the call, likewise */
    size_t place_length;     /**< bytes of it; 0: not known */
};

/** The next store of a call's result to anything but a local variable.
 *  @return false: there is none */
bool next_unseen_store(struct dump *dump, struct unseen_store *store);

#endif
