/* SPDX-License-Identifier: MIT */
/** @file
 *  A shard: the part of a class that one task of an array grades, and the
 *  fencing token that says which process may publish its results.
 *
 *  A scheduler may start a task again while the first process still runs: a
 *  node that lost its network is down for the scheduler, but not for itself.
 *  Each process therefore makes a folder of its own:
 *
 *      RUN/SHARD/1/KEY.json   results of the first process
 *      RUN/SHARD/2/KEY.json   results of the second one, ...
 *
 *  The number is the token.  mkdir() decides which task gets it; it is atomic
 *  on local and on network file systems, and needs no lock and no clock.  A
 *  process with a new token moves the results of the token before to its
 *  folder, and from then on no process reads that folder again.  What a
 *  replaced process still writes there is therefore never published, however
 *  late it notices.
 */
#ifndef AUTOGRADE_SHARD_H
#define AUTOGRADE_SHARD_H

#include "store.h"

/** A shard that this process owns. */
struct shard {
    int folder;       /**< descriptor of RUN/SHARD */
    int token;        /**< of this process */
    struct store store; /**< RUN/SHARD/TOKEN; not locked */
};

/** Take the next token, and the results of the one before.
 *  @param run   path of the run's folder
 *  @param index number of the shard
 *  @return false with one line; shard_close() closes it otherwise */
bool shard_claim(const char *run, int index, struct shard *shard,
                 struct failure *failure);
/** Does no other process have a higher token?  A network file system may delay
 *  the answer: it saves work, it is not what keeps results apart. */
bool shard_owns(const struct shard *shard);
/** Move the results to a folder, without replacing.
 *  @param      folder  descriptor
 *  @param[out] moved   how many
 *  @return false with errno set */
bool shard_move(const struct shard *shard, int folder, size_t *moved);
/** Close the descriptors. */
void shard_close(struct shard *shard);
/** The highest token that was taken; 0: none.
 *  @param[out] newest  its folder, opened to be read, unless 0 is returned */
int shard_newest(const char *run, int index, struct store *newest);

#endif
