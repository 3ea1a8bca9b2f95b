/* SPDX-License-Identifier: MIT */
/** @file
 *  A training from its first step, or from a checkpoint, to its last. */
#ifndef SESSION_H
#define SESSION_H

#include "common/data/loader.h"
#include "common/net/events.h"
#include "machine.h"

/** All that a training has. */
struct session {
    struct train_options *options; /**< the caller's; settled on opening */
    struct network net;            /**< what is trained */
    struct dataset train, held, test; /**< the sets */
    struct loader_options loading; /**< of training */
    struct checkpoint *state;      /**< as of the last checkpoint */
    struct machine machine;        /**< the device's side */
    struct events events;          /**< for TensorBoard */
    struct confusion *confusion;   /**< of the last test */
    size_t batches;                /**< of an epoch */
    struct place {
        int64_t step, epoch, batch; /**< as in struct checkpoint */
    } saved;                       /**< what `state` holds arrays of */
};

/** Read the sets and the network, and put all on the device.
 *  @param from  a checkpoint, or empty
 *  @param path  its path
 *  @return false with a line; close it all the same */
bool session_open(struct session *session, const struct tensors *from,
                  const char *path, struct failure *failure);

/** A mean loss that training goes on from: a number, and not above 1000. */
bool session_sound(double loss);

/** One batch.  @return false with a line */
bool session_step(struct session *session, const struct batch *batch,
                  struct failure *failure);

/** Train.  @return an exit code; with TRAIN_TROUBLE there is a line */
int session_run(struct session *session, struct failure *failure);

/** Free all. */
void session_close(struct session *session);

/** The user asked to stop. */
bool session_stopped(void);

/** `train predict`: print the likeliest classes.  @return false with a line */
bool predict(const struct train_options *options, struct failure *failure);

/* evaluate.c */

/** Go through a set.
 *  @param[out] result     mean loss, share right
 *  @param      confusion  counts are added; or NULL */
bool session_evaluate(struct session *session, const struct dataset *set,
                      float result[2], struct confusion *confusion,
                      struct failure *failure);

/** After an epoch: look at the other sets, write all files, print a line.
 *  @param totals  of training */
bool session_epoch(struct session *session, const float totals[2],
                   struct failure *failure);

/* examine.c */

/** The loss is lost: say on stderr after which step, and in which layer.
 *  @param loss  mean since the last look */
void session_examine(struct session *session, double loss);

/* progress.c */

/** Redraw the bar, on a terminal only.
 *  @param done   batches of this epoch
 *  @param first  batch this run began the epoch with
 *  @param since  seconds since then
 *  @param loss   mean of late */
void progress(const struct session *session, size_t done, size_t first,
              double since, double loss);

/** Remove it. */
void progress_end(void);

#endif
