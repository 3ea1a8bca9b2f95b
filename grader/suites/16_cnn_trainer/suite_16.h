/* SPDX-License-Identifier: MIT */
/** @file
 *  What the parts of lab 16's suite share.
 */
#ifndef GRADER_SUITE_16_H
#define GRADER_SUITE_16_H

#include <math.h>
#include <string.h>

#include "common/net/reference.h"
#include "labs/16_cnn_trainer/cnn_trainer.h"
#include "suite.h"

/** Elements of a table. */
#define COUNT(array) (sizeof(array) / sizeof *(array))

/** A network being trained, and its double.  The stubs take a `step` that
 *  lies in one of these. */
struct trial {
    struct step step;   /**< the first member; its arrays lie in `memory` */
    struct network net; /**< what step.net points to */
    int room;           /**< images there is room for */
    size_t work;        /**< bytes of step.d_work */
    size_t bytes;       /**< of `memory` */
    unsigned char *memory; /**< all arrays, as step_layout() lays them */
    struct reference *x;   /**< parameters and moments as in `step` */
    double *images;        /**< the step's, in double */
};

/** What a network is made from. */
struct plan {
    const char *text;        /**< as in a .net file */
    struct image_shape in;   /**< of an image */
    int classes;             /**< that it chooses from */
};

/** Begin: read the network, ask the lab for its workspace, draw parameters.
 *  @return false when the test has failed; trial_end() follows all the same */
bool trial_begin(struct trial *trial, const struct plan *plan, int room);
/** Say which network the next call has, and with how many images. */
void trial_case(const struct plan *plan, int images);
/** Free the reference. */
void trial_end(struct trial *trial);
/** Draw images and labels such that no ReLU, window or choice is so close to
 *  turning over that rounding might do it. */
void trial_draw(struct trial *trial, int count);
/** One step of the lab, all that it wrote checked.  Without dropout. */
void trial_step(struct trial *trial);
/** One evaluation, checked, and that nothing else was written. */
void trial_evaluate(struct trial *trial);
/** The gaps between the layers' arrays hold what was put there. */
void trial_gaps(const struct trial *trial);
/** Forward as evaluation has it, in trial->x.  @return sum of the losses */
double trial_forward(struct trial *trial);
/** Compare n floats, each within its slack. */
void trainer_expect(const char *name, const float *got, const double *want,
                    const double *slack, size_t n);

/* The tests, by the file they are in. */
void trainer_dense(void);       /**< nets.c */
void trainer_conv(void);        /**< nets.c */
void trainer_ties(void);        /**< nets.c */
void trainer_norm(void);        /**< nets.c */
void trainer_norm_first(void);  /**< nets.c */
void trainer_partial(void);     /**< nets.c */
void trainer_differences(void); /**< nets.c */
void trainer_update(void);      /**< update.c */
void trainer_clip(void);        /**< update.c */
void trainer_dropout(void);     /**< dropout.c */
void trainer_dropout_back(void); /**< dropout.c */
void trainer_evaluate(void);    /**< whole.c */
void trainer_learns(void);      /**< whole.c */
void trainer_again(void);       /**< whole.c */
void trainer_frees(void);       /**< whole.c */
void trainer_watched(void);     /**< whole.c; watched */
void trainer_small(void);       /**< whole.c; watched */
void trainer_timed(void);       /**< whole.c; timed */

#endif
