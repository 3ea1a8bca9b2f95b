/* SPDX-License-Identifier: MIT */
/** @file
 *  The tensors of a checkpoint.  One list names them for writing and for
 *  loading, so that the two cannot diverge.  Host only. */
#ifndef CHECKPOINT_LIST_H
#define CHECKPOINT_LIST_H

#include "checkpoint.h"

/** At most four tensors per layer (batchnorm), 16 for the training state. */
enum { CHECKPOINT_ARRAYS = 4 * NETWORK_MAX_LAYERS + 16 };

/** A list of tensors, and memory for transposed ones. */
struct listing {
    struct tensor list[CHECKPOINT_ARRAYS]; /**< they point into the state */
    size_t count;                          /**< number of tensors */
    float *transposed; /**< dense weights in PyTorch's layout; owned by the
                            caller */
};

/** List the tensors of all layers; they point to the state or to
 *  to->transposed, which is filled. */
void list_layers(const struct checkpoint *state, struct listing *to);

/** List the normalization of the images. */
void list_normalization(const struct checkpoint *state, struct listing *to);

/** List the training state, which PyTorch does not need.
 *  @param position  step, epoch, batch: 64-bit integers, since a float counts
 *                   steps exactly only up to 2^24 */
void list_training_state(const struct checkpoint *state,
                         const int64_t *position, struct listing *to);

/** Transpose a row-major matrix. */
void transpose_matrix(const float *from, size_t rows, size_t columns,
                      float *to);

#endif
