/* SPDX-License-Identifier: MIT */
/** @file
 *  Checkpoints: the complete training state in one safetensors file.  Host
 *  only.
 *
 *  | tensor | content |
 *  | --- | --- |
 *  | `conv1.weight` [filters][channels][rows][columns], `dense1.weight` [out]
 *  [in], `batchnorm1.weight`, and `.bias` of each | parameters with the names
 *  and layouts of PyTorch |
 *  | `batchnorm1.running_mean`, `.running_var` | running statistics |
 *  | `train.moments` [2][parameters] | optimizer state, as in struct step |
 *  | `train.place` | steps done, next epoch, next batch |
 *  | `train.totals`, `train.history` | sums of this epoch, rows of all epochs |
 *  | `train.points`, `train.mark` | see struct history |
 *  | `data.mean`, `data.scale` | normalization of the images |
 *
 *  The metadata hold the options, the text of the network's file, the images'
 *  shape and number, the class names as a JSON array (one that is not UTF-8 as
 *  an array of its bytes), and a checksum: nothing else is needed to resume or
 *  to predict. */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include <stdint.h>

#include "common/net/network.h"
#include "history.h"
#include "options.h"

/** The training state; the arrays are owned. */
struct checkpoint {
    const struct network *net; /**< the network; not owned */
    float *parameters;         /**< net->parameters floats */
    float *moments;            /**< two per parameter */
    float *running;            /**< step_running_stats_count() of them */
    int64_t step;              /**< steps done */
    int64_t epoch, batch;      /**< next epoch and batch, from 0 */
    float totals[2];           /**< see step.h */
    float mean[4], std[4];     /**< per channel; see augment.h */
    struct history history;    /**< metrics of the epochs done */
};

/** The training data of a network, and its text. */
struct checkpoint_about {
    struct dataset trained; /**< shape, classes and names, without images */
    size_t images;          /**< training images */
    const char *network;    /**< text of the network's file */
};

/** Allocate the state of a network, all zero.  @return NULL without memory */
struct checkpoint *checkpoint_allocate(const struct network *net);

/** Free the state; does nothing for NULL. */
void checkpoint_free(struct checkpoint *state);

/** The first layer with a value that is not finite, in its parameters, moments
 *  or running statistics.
 *  @return its name; NULL if all are finite */
const char *checkpoint_find_nonfinite(const struct checkpoint *state);

/** Write a checkpoint atomically.
 *  @param path   the file
 *  @param about  stored as metadata
 *  @return false with a message */
bool checkpoint_write(const struct checkpoint *state, const char *path,
                      const struct train_options *options,
                      const struct checkpoint_about *about,
                      struct failure *failure);

/** How much of a file is loaded. */
enum checkpoint_part {
    CHECKPOINT_WEIGHTS, /**< parameters and running statistics, which PyTorch
                             writes, too */
    CHECKPOINT_MODEL,   /**< the normalization, too: what predicting needs */
    CHECKPOINT_ALL      /**< the training state, too */
};

/** Load the state from a file's tensors.
 *  @param path  begins the message
 *  @return false with a message: a tensor is missing or has another shape, a
 *          value is not finite (unless only weights are loaded), a position is
 *          out of range */
bool checkpoint_load(struct checkpoint *state, const struct tensors *from,
                     enum checkpoint_part part, const char *path,
                     struct failure *failure);

/** Load those weights whose names and shapes fit, and print a line for each
 *  tensor of the network that was loaded or not, and each one of the file that
 *  was not used.
 *  @param out   where the lines go
 *  @return false with a message: none fits */
bool checkpoint_load_partly(struct checkpoint *state,
                            const struct tensors *from, const char *path,
                            FILE *out, struct failure *failure);

/** Read the description from a file's metadata.
 *  @param[out] about  trained.names is owned: dataset_free(); `network` points
 *                     into `from`
 *  @return false with a message: the file was not written by `train`, or has no
 *          checksum */
bool checkpoint_describe(const struct tensors *from, const char *path,
                         struct checkpoint_about *about,
                         struct failure *failure);

/** Is the network's file still the one that a checkpoint was trained with?
 *  Layers, their sizes and order, and the augmentation are compared; options
 *  that the command line can override are not.
 *  @return false with a message */
bool checkpoint_matches_network(const struct network *net,
                                const struct checkpoint_about *about,
                                const char *path, struct failure *failure);

#endif
