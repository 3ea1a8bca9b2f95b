/* SPDX-License-Identifier: MIT */
/** @file
 *  Calls of lab 13, and their comparison with the reference.
 */
#ifndef GRADER_SUITES_LAYER_CALLS_H
#define GRADER_SUITES_LAYER_CALLS_H

#include "grader/channel/cudnn_layer_call.h"
#include "grader/suites/shared/network_reference.h"

enum {
    WORKSPACE_LIMIT = 1 << 22 /**< workspace limit of most calls, in bytes */
};

/** Outputs of a step. */
struct step_result {
    float *scores, *loss, *gradients, *x_grad; /**< freed with the test */
    int64_t status; /**< of the first call that failed; LAYER_IS_LATE,
                         LAYER_ALLOCATES */
};

/** Random inputs; a row of the target is one class, or a mixture of two.
 *  Describes the case. */
struct network_step random_step(const struct cudnn_layer_shape *s);
/** Create a layer, run some rounds of the same step or only of its forward
 *  pass, and destroy it.
 *  @param function  CUDNN_LAYER_STEPS or CUDNN_LAYER_FORWARD
 *  @param rounds    0: one, captured into a graph */
struct step_result run_layer(enum cudnn_layer_call function,
                             const struct network_step *s, size_t limit,
                             int rounds);
/** The same of whole steps. */
struct step_result run_steps(const struct network_step *s, size_t limit,
                             int rounds);
/** Run a step of two layers that are alive at once.
 *  @param[out] o  outputs; without a status
 *  @return the status of both */
int64_t run_pair(const struct network_step s[2], struct step_result o[2]);
/** Create and destroy a layer.
 *  @param[out] status  of create()
 *  @return the bytes of its workspace; -1 when create() failed */
int64_t query_workspace(const struct cudnn_layer_shape *s, size_t limit,
                        int64_t *status);
/** A step must have succeeded; one whose outputs were late or that allocated
 *  counts, too: one test each tells of that. */
void expect_step(int64_t status);
/** Compare scores and loss. */
void compare_forward(const struct network_step *s,
                     const struct step_result *o);
/** Compare the gradients of each part of the parameters, by name. */
void compare_backward(const struct network_step *s,
                      const struct step_result *o);
/** A step within this limit of the workspace, compared with the reference. */
void layer_check_step(const struct cudnn_layer_shape *shape, size_t limit);

/* A test, in limits.c. */
void layer_test_limits(void); /**< the workspace and its limit */

#endif
