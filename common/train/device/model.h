/* SPDX-License-Identifier: MIT */
/** @file
 *  Trained networks: predicting, and measuring them on a data set. */
#ifndef MODEL_H
#define MODEL_H

#include "trainer.h"

/** A trained network on the device. */
struct model {
    struct train_options options;  /**< those of its training */
    struct checkpoint_about about; /**< its images' shape and classes; the names
                                        are owned, the text is not kept */
    struct network net;            /**< the network */
    struct checkpoint *state;      /**< parameters and normalization */
    struct trainer trainer;        /**< arrays on the device */
};

/** Read a checkpoint, and copy the network to the device.
 *  @param      options  --data, --folder and --kernels of the command line go
 *                       before those of the checkpoint
 *  @param[out] model    model_close() is needed in any case
 *  @return false with a message */
bool model_open(struct model *model, const char *path,
                const struct train_options *options, struct failure *failure);

/** Read a checkpoint as model_open() does, but do not use the device yet. */
bool model_read(struct model *model, const char *path,
                const struct train_options *options, struct failure *failure);

/** Copy the network to the device.  @return false with a message */
bool model_start(struct model *model, struct failure *failure);

/** `train attack`: print the accuracy on test images that are changed by the
 *  fast gradient sign method, and write a picture of some of them.
 *  @return false with a message */
bool attack(const struct train_options *options, struct failure *failure);

/** Free it. */
void model_close(struct model *model);

/** The probability of each class for each image, by softmax.
 *  @param      set  images of the shape that the network was trained on
 *  @param[out] to   [set->count][classes]
 *  @return false with a message */
bool model_probabilities(struct model *model, const struct dataset *set,
                         float *to, struct failure *failure);

/** `train predict`: print the most probable classes of a picture, or a line of
 *  CSV for each of several pictures.
 *  @return false with a message */
bool predict(const struct train_options *options, struct failure *failure);

/** `train evaluate`: print loss, accuracy, and precision and recall of each
 *  class on the test set; of several checkpoints, those of the mean of their
 *  probabilities.
 *  @return false with a message */
bool evaluate(const struct train_options *options, struct failure *failure);

#endif
