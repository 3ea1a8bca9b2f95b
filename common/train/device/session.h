/* SPDX-License-Identifier: MIT */
/** @file
 *  A training run, from the first step or a checkpoint to the last step. */
#ifndef SESSION_H
#define SESSION_H

#include "common/data/loader.h"
#include "common/net/events.h"
#include "common/train/report.h"
#include "trainer.h"

/** State of a training run. */
struct session {
    struct train_options *options; /**< not owned; completed by
                                        session_open() */
    struct network net;            /**< the network */
    char *text;                    /**< text of its file, owned */
    struct dataset train, validation_set, test; /**< the data sets */
    struct loader_options loading; /**< loader options for training */
    struct checkpoint_about about; /**< what checkpoints say about the data and
                                        the network; its text is `text` */
    struct checkpoint *state;      /**< host copy, as of the last checkpoint;
                                        its values are finite */
    struct checkpoint *incoming;   /**< arrays that are being copied and have
                                        not been looked at yet */
    struct trainer trainer;        /**< arrays and steps on the device */
    struct events events;          /**< TensorBoard events */
    struct confusion *confusion;   /**< confusion matrix of the last evaluation
                                        on the test set */
    size_t batches;                /**< batches per epoch */
    struct position {
        int64_t step, epoch, batch; /**< as in struct checkpoint */
    } saved;                       /**< position of the arrays in `state` */
    bool saved_any;                /**< a checkpoint is on the disk */
};

/** Read the data sets and the network, and copy the state to the device.
 *  @param from  a checkpoint's tensors, or empty
 *  @param path  its path
 *  @return false with a message; session_close() is needed in any case */
bool session_open(struct session *session, const struct tensors *from,
                  const char *path, struct failure *failure);

/** Is the mean loss finite and not above 1000?  Otherwise training has
 *  diverged. */
bool session_loss_is_stable(double loss);

/** Train on one mini-batch.  @return false with a message */
bool session_step(struct session *session, const struct batch *batch,
                  struct failure *failure);

/** Run the training.  @return an exit code; a message with TRAIN_FAILED */
int session_run(struct session *session, struct failure *failure);

/** Free everything. */
void session_close(struct session *session);

/** Has the user interrupted the training (SIGINT or SIGTERM)? */
bool session_stop_requested(void);

/* evaluate.c */

/** Evaluate a data set.
 *  @param[out] result     mean loss, accuracy from 0 to 1
 *  @param      confusion  counts are added; may be NULL
 *  @return false with a message */
bool session_evaluate(struct session *session, const struct dataset *set,
                      float result[2], struct confusion *confusion,
                      struct failure *failure);

/** Copy the state from the device, if its values are finite; otherwise training
 *  has diverged, which is diagnosed.
 *  @return an exit code; a message with TRAIN_FAILED */
int session_fetch(struct session *session, struct failure *failure);

/** At the end of an epoch: fetch the state, evaluate validation and test set,
 *  write all files, print a line.
 *  @param totals  sums of the training set, as in struct step
 *  @return an exit code; a message with TRAIN_FAILED */
int session_end_epoch(struct session *session, const float totals[2],
                      struct failure *failure);

/* find_lr.c */

/** Train some steps with growing learning rates; write find_lr.csv and
 *  find_lr.svg, and print where the loss is smallest.
 *  @return false with a message */
bool session_find_lr(struct session *session, struct failure *failure);

/* facts.c */

/** Write the report: curves, confusion matrix, settings, machine, versions.
 *  @return false with a message */
bool session_write_report(const struct session *session,
                          struct failure *failure);

/* diagnose.c */

/** Training has diverged: print on stderr after which step and in which layer.
 *  @param loss  mean since the last check; NaN: values are not finite */
void session_diagnose(struct session *session, double loss);

/* progress.c */

/** Redraw the progress bar, on a terminal only.
 *  @param done   batches of this epoch done
 *  @param first  first batch of this epoch in this process
 *  @param since  seconds since then
 *  @param loss   recent mean loss */
void progress(const struct session *session, size_t done, size_t first,
              double since, double loss);

/** Remove the progress bar. */
void progress_end(void);

#endif
