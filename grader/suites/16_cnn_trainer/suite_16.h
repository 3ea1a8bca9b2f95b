/* SPDX-License-Identifier: MIT */
/** @file
 *  Helpers and tests of lab 16's suite.
 */
#ifndef GRADER_SUITE_16_H
#define GRADER_SUITE_16_H

#include <math.h>
#include <string.h>

#include "common/net/reference.h"
#include "labs/16_cnn_trainer/cnn_trainer.h"
#include "grader/suite/suite.h"

/** Elements of an array. */
#define COUNT(array) (sizeof(array) / sizeof *(array))

/** A network in training, and its reference in double.  The stubs expect that
 *  the struct step which they are passed is the first member of a fixture. */
struct fixture {
    struct step step;   /**< first member; its arrays are in `memory` */
    struct network net; /**< what step.net points to */
    double largest_pixel;     /**< magnitude of random images; 1 */
    double brighter;          /**< added to the pixels of each image, beside
                                   those of the image before; 0 */
    int max_images;           /**< capacity of the arrays, in images */
    size_t work;        /**< bytes of step.d_workspace */
    size_t bytes;       /**< size of `memory` */
    unsigned char *memory; /**< all arrays, placed by step_layout() */
    const unsigned char *before; /**< `memory` as it was before the step */
    struct reference *x;   /**< the reference, with the parameters and
                                moments of `step` */
    double *images;        /**< the step's images in double */
};

/** A network to create. */
struct net_config {
    const char *text;        /**< content of a .net file */
    struct image_shape in;   /**< shape of an image */
    int classes;             /**< number of classes */
};

/** Create a fixture: parse the network, ask the lab for its workspace size,
 *  set random parameters.
 *  @return false when the test has failed; call fixture_free() in any case */
bool fixture_create(struct fixture *fixture,
                    const struct net_config *net_config, int max_images);
/** Name the case: the network and the number of images. */
void fixture_name_case(const struct net_config *net_config, int images);
/** Free the reference of a fixture. */
void fixture_free(struct fixture *fixture);
/** Set random images and labels, such that rounding errors cannot change the
 *  outcome of a ReLU, a maximum or a prediction. */
void fixture_randomize_inputs(struct fixture *fixture, int count);
/** Values compared after a step, beside the outputs of the last layer. */
enum checked {
    CHECK_TOTALS = 1,    /**< predictions and totals */
    CHECK_GRADIENTS = 2, /**< running averages and gradients */
    CHECK_UPDATE = 6,    /**< these, and parameters and moments, from the lab's
                              gradients */
    CHECK_ALL = 7        /**< all of them */
};
/** One training step of the lab.  The network must have no dropout. */
void fixture_check_step(struct fixture *fixture, enum checked checked);
/** One evaluation by the lab, checked; no other array may change. */
void fixture_check_evaluation(struct fixture *fixture);
/** Check that the padding between the layers' arrays is unchanged. */
void fixture_check_padding(const struct fixture *fixture);
/** How an evaluation normalizes. */
enum evaluation {
    EVALUATION_RIGHT,           /**< with the running averages */
    EVALUATION_OF_BATCH,        /**< with those of the batch */
    EVALUATION_OUTSIDE_ROOT,    /**< 1e-5 added to the standard deviation */
    EVALUATION_EPSILON_OF_1E_3, /**< 1e-3 added to the variance */
    EVALUATIONS
};
/** Forward pass of an evaluation, in fixture->x.  @return sum of the losses */
double fixture_forward(const struct fixture *fixture, enum evaluation how);
/** Compare n floats of an output, each within its absolute tolerance. */
void trainer_compare(const char *name, const float *got, const double *want,
                     const double *tolerance, size_t n);

/** Tolerance of a sum of some hundred terms, relative to the largest result. */
#define TRAINER_TOLERANCE 0x1p-15
/** Largest absolute value of n numbers. */
double trainer_max_magnitude(const double *of, size_t n);
/** A hint about the first layer whose output is wrong after a forward pass.
 *  @return NULL if that array has no outputs, because the layer was fused with
 *  another one or replaced in place; else valid until the next call */
const char *trainer_first_wrong_layer(const struct fixture *fixture);
/** A hint about the gradients of a layer that are wrong, where those of all
 *  later layers are right: which d_out_grad is the first wrong one on the way
 *  back, or that the one that the layer gets is right.
 *  @param layer   its index
 *  @param biases  the gradients of its weights are right, those of its biases
 *                 are wrong
 *  @return valid until others were asked for; where arrays on the way were not
 *  written, since layers are fused, what computes these gradients in general */
const char *trainer_gradient_hint(const struct fixture *fixture, int layer,
                                  bool biases);
/** Are the gradients of a layer's weights those of the reference? */
bool trainer_weight_gradients_are_right(const struct fixture *fixture,
                                        int layer);
/** The same for its biases. */
bool trainer_bias_gradients_are_right(const struct fixture *fixture, int layer);

/* The tests, by file. */
void trainer_forward(void);     /**< networks.c */
void trainer_dense(void);       /**< networks.c */
void trainer_conv(void);        /**< networks.c */
void trainer_pool_ties(void);        /**< networks.c */
void trainer_norm(void);        /**< networks.c */
void trainer_norm_first(void);  /**< networks.c */
void trainer_partial(void);     /**< networks.c */
void trainer_gradient_check(void); /**< networks.c */
void trainer_update(void);      /**< optimizer_updates.c */
void trainer_clip(void);        /**< optimizer_updates.c */
void trainer_dropout(void);     /**< dropout.c */
void trainer_dropout_backward(void); /**< dropout.c */
void trainer_evaluate(void);    /**< end_to_end.c */
void trainer_overfits(void);      /**< end_to_end.c */
void trainer_deterministic(void);       /**< end_to_end.c */
void trainer_no_leak(void);       /**< end_to_end.c */
void trainer_watched_cost(void);     /**< end_to_end.c; watched */
void trainer_watched_small(void);       /**< end_to_end.c; watched */
void trainer_timed(void);       /**< end_to_end.c; timed */

#endif
