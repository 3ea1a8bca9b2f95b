/* SPDX-License-Identifier: MIT */
/** @file
 *  A network and its training options, read from a small text file.  Host
 *  only.
 *
 *  One layer per line, from the input on; `#` begins a comment.  The loss is
 *  softmax cross-entropy of the last layer's output.
 *
 *      conv FILTERS RxS [stride N] [pad N]   # cross-correlation and bias
 *      relu
 *      maxpool N [stride N]                  # N x N windows, stride N
 *      avgpool N [stride N]                  # the mean of each window
 *      globalpool                            # the mean of each channel
 *      add NAME                              # adds the output of layer NAME
 *      batchnorm                             # over N, H, W of each channel
 *      dropout P                             # zeroes with probability P
 *      dense [UNITS]                         # flattens; last: the classes
 *
 *  Layers are named by their kind and number: conv1, conv2, relu1, ...  `add
 *  relu1` ends a residual block that began after relu1; `add input` adds the
 *  image.  `globalpool` counts as an avgpool.
 *
 *  Two further lines set training options; command-line options override them.
 *  Each is a list of names and numbers:
 *
 *      train OPTIMIZER [rate R] [momentum M] [decay D] [clip C] [batch N]
 *            [epochs N] [schedule NAME]      # on one line
 *      augment [pad N] [flip] [cutout N]
 *
 *  OPTIMIZER: sgd, momentum, nesterov, adam or adamw.  The learning rate
 *  schedule is constant, cosine (cosine annealing to 0) or step (divided by 10
 *  after each third of the epochs).
 *
 *  All parameters are in one flat array, layer after layer, a layer's weights
 *  before its bias: one optimizer kernel updates them all. */
#ifndef NETWORK_H
#define NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/failure.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    NETWORK_MAX_LAYERS = 64, /**< at most */
    NETWORK_NAME_BYTES = 24  /**< bytes of a name, its end included */
};

/** Kinds of layers. */
enum layer_kind {
    LAYER_CONV,      /**< convolution with bias */
    LAYER_RELU,      /**< max(x, 0) */
    LAYER_MAXPOOL,   /**< max-pooling */
    LAYER_BATCHNORM, /**< batch normalization */
    LAYER_DROPOUT,   /**< dropout */
    LAYER_AVGPOOL,   /**< average pooling */
    LAYER_ADD,       /**< the sum of two layers' outputs */
    LAYER_DENSE      /**< fully connected, with bias */
};

/** Shape of one image's activation. */
struct image_shape {
    int channels, height, width; /**< for dense layers: features, 1, 1 */
};

/** One layer. */
struct layer {
    enum layer_kind kind;          /**< the kind */
    char name[NETWORK_NAME_BYTES]; /**< "conv1", "relu1", "dense3" */
    int line;                      /**< line in the file */
    int rows, columns;             /**< size of the filter or window */
    int stride, pad;               /**< of a convolution or pooling */
    int units;                     /**< filters or units; 0: number of
                                        classes */
    float drop;                    /**< dropout: probability of an element to be
                                        zeroed */
    struct image_shape in;         /**< input shape */
    struct image_shape out;        /**< output shape */
    size_t weights;                /**< number; conv:
                                        [filters][channels][rows][columns];
                                        dense: [in][out]; batchnorm: one scale
                                        per channel */
    size_t biases;                 /**< number of biases, one per filter, unit
                                        or channel */
    size_t weight_offset;          /**< offset of the weights in the flat
                                        array */
    size_t bias_offset;            /**< offset of the biases */
    int source;                    /**< add: index of the layer whose output is
                                        added; -1: the image */
    bool is_source;                /**< a later layer adds this output */
};

/** Optimizers. */
enum optimizer {
    OPTIMIZER_SGD,      /**< stochastic gradient descent */
    OPTIMIZER_MOMENTUM, /**< SGD with momentum */
    OPTIMIZER_NESTEROV, /**< SGD with Nesterov momentum */
    OPTIMIZER_ADAM,     /**< Adam */
    OPTIMIZER_ADAMW     /**< Adam with decoupled weight decay */
};

/** Learning rate schedules. */
enum lr_schedule {
    LR_CONSTANT, /**< constant */
    LR_COSINE,   /**< cosine annealing to 0 at the last epoch */
    LR_STEP      /**< divided by 10 after each third of the epochs */
};

/** Training options. */
struct training {
    enum optimizer optimizer;  /**< the optimizer */
    enum lr_schedule schedule; /**< schedule of the learning rate */
    union {
        float learning_rate;       /**< initial learning rate */
        float rate; /**< former name */
    };
    float momentum;            /**< momentum coefficient, for momentum and
                                    nesterov */
    union {
        float weight_decay;        /**< L2 penalty; decoupled for adamw */
        float decay; /**< former name */
    };
    union {
        float max_grad_norm;       /**< gradients are clipped to it; 0: no
                                        clipping */
        float clip; /**< former name */
    };
    int batch, epochs;         /**< mini-batch size; number of epochs */
    int pad, cutout;           /**< see augment.h */
    bool flip;                 /**< likewise */
};

/** A network for images of one shape. */
struct network {
    char name[NETWORK_NAME_BYTES]; /**< file name without folder and ".net" */
    int count;                     /**< layers */
    struct layer layers[NETWORK_MAX_LAYERS]; /**< from the input on */
    struct image_shape in;         /**< shape of an image */
    int classes;                   /**< outputs of the last layer */
    size_t parameters;             /**< number of floats in the flat array */
    struct training training;      /**< training options of the file */
};

/** Read a network file and infer the shapes of all layers.
 *
 *  @param      path     the file
 *  @param      in       shape of an image
 *  @param      classes  at least 2
 *  @param[out] net      always written completely, also after a failure
 *  @param[out] failure  the message, or NULL
 *  @return false with a message "PATH:LINE: cause": an unknown word, a number
 *          out of range, a window larger than its input, a last layer whose
 *          number of outputs is not the number of classes */
bool network_read(const char *path, struct image_shape in, int classes,
                  struct network *net, struct failure *failure);

/** The same of a network file's text.
 *  @param text  the content of a network file
 *  @param path  begins messages; its file name is the network's name */
bool network_parse(const char *text, const char *path, struct image_shape in,
                   int classes, struct network *net, struct failure *failure);

/** Layer kinds that every implementation of lab 16 computes, as bits
 *  1 << kind. */
#define NETWORK_BASIC_KINDS                                                   \
    (1u << LAYER_CONV | 1u << LAYER_RELU | 1u << LAYER_MAXPOOL                \
     | 1u << LAYER_BATCHNORM | 1u << LAYER_DROPOUT | 1u << LAYER_DENSE)

/** Elements of one image's activation: channels * height * width. */
size_t shape_elements(const struct image_shape *shape);

/** Multiply-accumulate operations (MACs) of one image's forward pass. */
double network_macs(const struct network *net);

/** A hash of all layers, their sizes and order, and the augmentation; options
 *  that the command line can override are not included. */
uint64_t network_hash(const struct network *net);

/** Initialize all parameters: weights and biases of conv and dense layers are
 *  uniform in +-1 / sqrt(fan-in), PyTorch's default; batchnorm has scale 1 and
 *  bias 0.
 *  @param      net         the network
 *  @param[out] parameters  host, net->parameters floats
 *  @param      seed        the same seed gives the same bits */
void network_initialize(const struct network *net, float *parameters,
                        uint64_t seed);

/** Name of an optimizer: "adam". */
const char *optimizer_name(enum optimizer optimizer);

/** Find an optimizer by name.  @return false if there is none */
bool optimizer_parse(const char *name, enum optimizer *optimizer);

/** Name of a schedule: "cosine". */
const char *schedule_name(enum lr_schedule schedule);

/** Find a schedule by name.  @return false if there is none */
bool schedule_parse(const char *name, enum lr_schedule *schedule);

#ifdef __cplusplus
}
#endif

#endif
