/* SPDX-License-Identifier: MIT */
/** @file
 *  All of a training's state in one safetensors file.  Host only.
 *
 *  | array | what |
 *  | --- | --- |
 *  | `conv1.weight` [filters][channels][rows][columns], `dense1.weight` [out]
 *    [in], `batchnorm1.weight`, and `.bias` of each | parameters, named and
 *    laid out as PyTorch does |
 *  | `batchnorm1.running_mean`, `.running_var` | likewise |
 *  | `train.moments` [2][parameters] | the optimiser's, as the step has them |
 *  | `train.place` | steps done, epoch and batch that come next |
 *  | `train.totals`, `train.history` | this epoch's sums, all epochs' rows |
 *  | `train.points`, `train.mark` | see struct history |
 *  | `data.mean`, `data.scale` | how images are normalised |
 *
 *  The notes hold the options, the images' shape, the classes and the
 *  network's digest.
 */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include <stdint.h>

#include "common/net/network.h"
#include "history.h"
#include "options.h"

/** The state; all pointers are the owner's. */
struct checkpoint {
    const struct network *net; /**< what is trained */
    float *parameters; /**< net->parameters */
    float *moments;    /**< two for each */
    float *running;    /**< step_running() of them */
    int64_t step;      /**< done so far */
    int64_t epoch, batch; /**< that come next, from 0 */
    float totals[2];   /**< see step.h */
    float mean[4], scale[4]; /**< a channel; see augment.h */
    struct history history;  /**< epochs done */
};

/** Make one with memory for a network.  @return NULL without memory */
struct checkpoint *checkpoint_make(const struct network *net);

/** Free it; NULL is nothing. */
void checkpoint_free(struct checkpoint *state);

/** Write FOLDER/checkpoint.safetensors, whole or not at all.
 *  @param set  the classes' names are noted
 *  @return false with a line */
bool checkpoint_write(const struct checkpoint *state, const char *folder,
                      const struct train_options *options,
                      const struct dataset *set, struct failure *failure);

/** Take the state from a file that was read.
 *  @param whole  all of it; else parameters and running values alone, which
 *                PyTorch too writes
 *  @param path   begins a line
 *  @return false with a line: an array missing or of another shape */
bool checkpoint_take(struct checkpoint *state, const struct tensors *from,
                     bool whole, const char *path, struct failure *failure);

/** The network is the one that was trained, as far as the file says; one of
 *  the same shapes may drop or pad otherwise, and would go on unnoticed.
 *  @return false with a line */
bool checkpoint_fits(const struct network *net, const struct tensors *from,
                     const char *path, struct failure *failure);

/** The images' shape and the classes that a file's notes say.
 *  @return false when they do not */
bool checkpoint_shape(const struct tensors *from, struct image_shape *shape,
                      int *classes);

#endif
