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
 *  The metadata hold the options, the images' shape, the class names and the
 *  network's hash. */
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

/** Allocate the state of a network, all zero.  @return NULL without memory */
struct checkpoint *checkpoint_allocate(const struct network *net);

/** Free the state; does nothing for NULL. */
void checkpoint_free(struct checkpoint *state);

/** Write FOLDER/checkpoint.safetensors atomically.
 *  @param set  the class names are stored
 *  @return false with a message */
bool checkpoint_write(const struct checkpoint *state, const char *folder,
                      const struct train_options *options,
                      const struct dataset *set, struct failure *failure);

/** Load the state from a file's tensors.
 *  @param whole  all of it; else only parameters and running statistics, which
 *                PyTorch writes, too
 *  @param path   begins the message
 *  @return false with a message: a tensor is missing or has another shape */
bool checkpoint_load(struct checkpoint *state, const struct tensors *from,
                     bool whole, const char *path, struct failure *failure);

/** Compare the network with the one that the file was trained with, by its
 *  hash: a network with the same shapes may differ in dropout or padding.
 *  @return false with a message */
bool checkpoint_matches_network(const struct network *net,
                                const struct tensors *from, const char *path,
                                struct failure *failure);

/** Read the images' shape and the number of classes from a file's metadata.
 *  @return false if they are missing */
bool checkpoint_shape(const struct tensors *from, struct image_shape *shape,
                      int *classes);

#endif
