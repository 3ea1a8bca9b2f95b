/* SPDX-License-Identifier: MIT */
/** @file
 *  A network and how it is trained, read from a small text file.  Host only.
 *
 *  One layer a line, from the input on; `#` begins a comment.  The loss is
 *  softmax with cross-entropy, behind the last layer.
 *
 *      conv FILTERS RxS [stride N] [pad N]   # cross-correlation and bias
 *      relu
 *      maxpool N [stride N]                  # N x N windows, stride N
 *      batchnorm                             # a mean and scale a channel
 *      dropout P                             # sets a share of P to 0
 *      dense [UNITS]                         # flattens; last: the classes
 *
 *  Two further lines say how to train it unless the command line does; each
 *  is a list of names and numbers:
 *
 *      train OPTIMIZER [rate R] [momentum M] [decay D] [clip C] [batch N]
 *            [epochs N] [schedule NAME]      # on one line
 *      augment [pad N] [flip] [cutout N]
 *
 *  OPTIMIZER: sgd, momentum, nesterov, adam or adamw.  The schedule is constant,
 *  cosine (half a wave down to 0 at the end) or step (a tenth after each third).
 *
 *  All parameters lie in one flat array, layer after layer, a layer's weights
 *  before its bias; that is where optimisers want them.
 */
#ifndef NETWORK_H
#define NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/failure.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    NETWORK_LAYERS = 64, /**< at most */
    NETWORK_NAME = 24    /**< bytes of a layer's name */
};

/** What a layer does. */
enum layer_kind {
    LAYER_CONV,
    LAYER_RELU,
    LAYER_MAXPOOL,
    LAYER_BATCHNORM,
    LAYER_DROPOUT,
    LAYER_DENSE
};

/** Sizes of one image's activation. */
struct image_shape {
    int channels, height, width; /**< dense: features, 1, 1 */
};

/** One layer. */
struct layer {
    enum layer_kind kind;    /**< what it does */
    char name[NETWORK_NAME]; /**< "conv1", "relu1", "dense3" */
    int line;                /**< in the file */
    int rows, columns;       /**< of a filter or a window */
    int stride, pad;         /**< of a convolution or a window */
    int units;               /**< filters or units; 0: the classes */
    float drop;              /**< share that dropout sets to 0 */
    struct image_shape in;   /**< what comes in */
    struct image_shape out;  /**< what goes out */
    size_t weights;   /**< conv: [filters][channels][rows][columns]; dense:
                           [in][out]; batchnorm: scale a channel */
    size_t biases;    /**< one a filter, unit or channel */
    size_t weight_at; /**< of the first in the flat array */
    size_t bias_at;   /**< likewise */
};

/** How a step changes the parameters. */
enum optimizer {
    OPTIMIZER_SGD,
    OPTIMIZER_MOMENTUM,
    OPTIMIZER_NESTEROV,
    OPTIMIZER_ADAM,
    OPTIMIZER_ADAMW
};

/** How the learning rate goes from epoch to epoch. */
enum rate_schedule {
    RATE_CONSTANT, /**< as it is */
    RATE_COSINE,   /**< half a wave, down to 0 at the end */
    RATE_STEP      /**< a tenth after each third */
};

/** How it is trained. */
struct training {
    enum optimizer optimizer; /**< how a step changes the parameters */
    enum rate_schedule schedule; /**< of it */
    float rate;          /**< of learning */
    float momentum;      /**< of momentum and nesterov */
    float decay;         /**< of weights: L2, or decoupled with adamw */
    float clip;          /**< largest norm of the gradient; 0: any */
    int batch, epochs;   /**< images a step; times through the set */
    int pad, cutout;     /**< see augment.h */
    bool flip;           /**< likewise */
};

/** A network for images of one shape. */
struct network {
    char name[NETWORK_NAME]; /**< the file's, without folder and ".net" */
    int count;               /**< layers */
    struct layer layers[NETWORK_LAYERS]; /**< from the input on */
    struct image_shape in;   /**< of an image */
    int classes;             /**< what the last layer puts out */
    size_t parameters;       /**< floats of the flat array */
    struct training training; /**< what the file says of it */
};

/** Read a network and fit it to the images.
 *
 *  @param      path     the file
 *  @param      in       shape of an image
 *  @param      classes  at least 2
 *  @param[out] net      written whole, also after a failure
 *  @param[out] failure  the line, or NULL
 *  @return false with a line "PATH:LINE: what is wrong": an unknown word, a
 *          number out of range, a window larger than what comes in, a last
 *          layer with another number of outputs than there are classes */
bool network_read(const char *path, struct image_shape in, int classes,
                  struct network *net, struct failure *failure);

/** Elements of one image's activation. */
size_t layer_elements(const struct image_shape *shape);

/** Multiply-adds of one image's way forward. */
double network_multiply_adds(const struct network *net);

/** A number that changes with any layer, its sizes and order, and with how
 *  images are augmented; not with what options of train can say, too. */
uint64_t network_digest(const struct network *net);

/** Draw all parameters: weights and biases of conv and dense uniformly from
 *  +-1 / sqrt(inputs of a unit), as PyTorch's layers begin; batchnorm with
 *  scale 1 and bias 0.
 *  @param      net         the network
 *  @param[out] parameters  net->parameters floats
 *  @param      seed        the same seed gives the same bits */
void network_initialise(const struct network *net, float *parameters,
                        uint64_t seed);

/** "adam". */
const char *optimizer_name(enum optimizer optimizer);

/** The optimiser of that name.  @return false when there is none */
bool optimizer_named(const char *name, enum optimizer *optimizer);

/** "cosine". */
const char *schedule_name(enum rate_schedule schedule);

/** The schedule of that name.  @return false when there is none */
bool schedule_named(const char *name, enum rate_schedule *schedule);

#ifdef __cplusplus
}
#endif

#endif
