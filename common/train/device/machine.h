/* SPDX-License-Identifier: MIT */
/** @file
 *  The device's side of a training: its memory, its steps. */
#ifndef MACHINE_H
#define MACHINE_H

#include "checkpoint.h"
#include "cnn_trainer.h"

/** A network on the device. */
struct machine {
    struct step step; /**< its arrays */
    int batch;        /**< images there is room for */
    void *memory;     /**< of all arrays */
    void *graph;      /**< a captured step, or NULL */
    size_t launches;  /**< kernels in it */
    bool use_graph;   /**< capture is still to be tried, or was a success */
    const char *why;  /**< of the last failure: which call */
};

/** Some images in host memory. */
struct images {
    const float *pixels;         /**< [count][channels][height][width] */
    const unsigned char *labels; /**< [count] */
    int count;                   /**< at least 1, at most the batch */
};

/** Take memory and put the state there.
 *  @return false with a line */
bool machine_open(struct machine *machine, const struct checkpoint *state,
                  int batch, uint64_t seed, bool use_graph,
                  struct failure *failure);

/** Put a state of the same network there.  @return false with a line */
bool machine_put(struct machine *machine, const struct checkpoint *state,
                 struct failure *failure);

/** Free all. */
void machine_close(struct machine *machine);

/** Train on some images. @return false with a line */
bool machine_train(struct machine *machine, const struct images *images,
                   float rate, struct failure *failure);

/** Only look at them.
 *  @param[out] chosen  a class each; NULL when not wanted */
bool machine_evaluate(struct machine *machine, const struct images *images,
                      unsigned char *chosen, struct failure *failure);

/** Read the sums over steps (see step.h). */
bool machine_totals(struct machine *machine, float totals[2],
                    struct failure *failure);

/** Set them. */
bool machine_set_totals(struct machine *machine, const float totals[2],
                        struct failure *failure);

/** Copy parameters, moments, running values and sums to the host. */
bool machine_save(struct machine *machine, struct checkpoint *state,
                  struct failure *failure);

/** Copy the last layer's outputs of one image to the host. */
bool machine_outputs(struct machine *machine, float *outputs,
                     struct failure *failure);

/** Find the layer in which something that is no number, or else the largest
 *  number, came up in the last step.
 *  @param[in]  parameters  as they were before it
 *  @param[out] text  "dense2: its outputs hold what is no number" */
void machine_examine(struct machine *machine, const float *parameters,
                     char *text, size_t bytes);

#endif
