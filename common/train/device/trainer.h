/* SPDX-License-Identifier: MIT */
/** @file
 *  Training on the device: memory, copies, steps. */
#ifndef MACHINE_H
#define MACHINE_H

#include "common/train/checkpoint.h"
#include "cnn_trainer.h"

/** A network in device memory. */
struct trainer {
    struct step step; /**< the arrays */
    int batch;        /**< capacity in images */
    void *memory;     /**< device memory of all arrays, owned */
    void *graph;      /**< the captured step (cudaGraphExec_t), or NULL */
    size_t launches;  /**< kernels in the graph */
    bool use_graph;   /**< capture is still to be tried, or has succeeded */
    void *frozen;     /**< device copy of all parameters, or NULL */
    bool is_frozen[NETWORK_MAX_LAYERS]; /**< layers that steps do not change */
};

/** A mini-batch in host memory. */
struct images {
    const float *pixels;         /**< [count][channels][height][width] */
    const unsigned char *labels; /**< [count] */
    int count;                   /**< at least 1, at most the batch */
};

/** Do the kernels of this program compute all layers?  Lab 16 does not ask for
 *  every kind.
 *  @param kernels  their name, for the message
 *  @return false with a message */
bool trainer_supports(const struct network *net, const char *kernels,
                      struct failure *failure);

/** Allocate device memory and copy the state to it.
 *  @return false with a message */
bool trainer_open(struct trainer *trainer, const struct checkpoint *state,
                  int batch, uint64_t seed, bool use_graph,
                  struct failure *failure);

/** Copy a state of the same network to the device.
 *  @return false with a message */
bool trainer_upload(struct trainer *trainer, const struct checkpoint *state,
                    struct failure *failure);

/** Keep the parameters of some layers: each step puts back the values that they
 *  have now.  Running statistics of batch normalization are still updated.
 *  @param is_frozen  by layer
 *  @return false with a message */
bool trainer_freeze(struct trainer *trainer,
                    const bool is_frozen[NETWORK_MAX_LAYERS],
                    struct failure *failure);

/** Free the device memory. */
void trainer_close(struct trainer *trainer);

/** One training step on a mini-batch.  @return false with a message */
bool trainer_step(struct trainer *trainer, const struct images *images,
                  float learning_rate, struct failure *failure);

/** Evaluate a mini-batch.
 *  @param[out] predicted  a class per image; may be NULL
 *  @return false with a message */
bool trainer_evaluate(struct trainer *trainer, const struct images *images,
                      unsigned char *predicted, struct failure *failure);

/** Copy the accumulated loss and number of correct predictions to the host.
 *  @return false with a message */
bool trainer_read_totals(struct trainer *trainer, float totals[2],
                         struct failure *failure);

/** Set them.  @return false with a message */
bool trainer_write_totals(struct trainer *trainer, const float totals[2],
                          struct failure *failure);

/** Copy parameters, moments, running statistics and sums to the host.
 *  @return false with a message */
bool trainer_download(struct trainer *trainer, struct checkpoint *state,
                      struct failure *failure);

/** Copy the last layer's outputs of the first images to the host.
 *  @param      count    images
 *  @param[out] outputs  [count][classes]
 *  @return false with a message */
bool trainer_read_outputs(struct trainer *trainer, int count, float *outputs,
                          struct failure *failure);

/** Copy the gradient of the loss with respect to a layer's output to the host.
 *  @param      layer  one that is followed by a layer with weights
 *  @param      count  images
 *  @param[out] to     [count][elements of the output]
 *  @return false with a message */
bool trainer_read_gradient(struct trainer *trainer, int layer, int count,
                           float *to, struct failure *failure);

/** Find the layer in which a value of the last step is not finite, else the
 *  one with the largest output.
 *  @param[in]  parameters  host, as before the step
 *  @param[out] text        "dense2: its outputs are not finite" */
void trainer_diagnose(struct trainer *trainer, const float *parameters,
                      char *text, size_t bytes);

#endif
