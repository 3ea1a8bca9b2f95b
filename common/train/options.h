/* SPDX-License-Identifier: MIT */
/** @file
 *  Command-line options of `train`.  Host only. */
#ifndef TRAIN_OPTIONS_H
#define TRAIN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/data/dataset.h"
#include "common/net/network.h"
#include "common/net/safetensors.h"

enum { OPTION_TEXT = 256 /**< bytes of a string, its end included */ };

/** Exit codes. */
enum train_exit {
    TRAIN_DONE = 0,
    TRAIN_DIVERGED = 1,     /**< the loss is not finite or too large */
    TRAIN_USAGE = 2,        /**< wrong command line */
    TRAIN_FAILED = 3,       /**< a file, the compiler or the device failed */
    TRAIN_INTERRUPTED = 130 /**< by Ctrl-C; a checkpoint was written */
};

/** Commands of `train`. */
enum train_command {
    COMMAND_TRAIN,    /**< train a network; the default */
    COMMAND_PREDICT,  /**< classify pictures */
    COMMAND_EVALUATE, /**< measure a checkpoint on a data set */
    COMMAND_FIND_LR,  /**< try learning rates */
    COMMAND_ATTACK,   /**< adversarial examples of a network */
    COMMAND_COMPARE,  /**< print a table of several runs, or a page */
    COMMAND_AVERAGE,  /**< write the mean of several checkpoints */
    COMMAND_COUNT     /**< number of commands */
};

/** The options of a run.  Numbers that default to the network file's values
 *  are NaN or -1 until train_options_resolve(). */
struct train_options {
    char net[OPTION_TEXT];       /**< name or path of the network */
    char data[OPTION_TEXT];      /**< name of the data set, see dataset.h */
    char folder[OPTION_TEXT];    /**< folder of the data set; empty: default */
    char resize[OPTION_TEXT];    /**< size of the images, "HxW"; empty: as they
                                      are */
    char kernels[OPTION_TEXT];   /**< labs, solutions, cudnn, or a file */
    char device[OPTION_TEXT];    /**< soft, gpu, auto */
    char out[OPTION_TEXT];       /**< output folder */
    char resume[OPTION_TEXT];    /**< folder of the checkpoint to resume; empty:
                                      none */
    char freeze[OPTION_TEXT];    /**< layers that are not updated, separated by
                                      commas; or empty */
    char html[OPTION_TEXT];      /**< compare: path of a page; empty: none */
    char weights[OPTION_TEXT];   /**< file of initial weights; or empty */
    char optimizer[OPTION_TEXT]; /**< optimizer; empty: the network file's */
    char schedule[OPTION_TEXT];  /**< constant, cosine, step; empty: the network
                                      file's */
    double epochs, batch, learning_rate, momentum, weight_decay,
        max_grad_norm; /**< see network.h */
    double seed;             /**< seed of all random numbers */
    double validation;       /**< fraction of the images held out for
                                  validation */
    double limit;            /**< number of training images; 0: all */
    double steps;            /**< stop after this step; 0: do not */
    double save;             /**< steps between checkpoints */
    double check_interval;   /**< steps between checks of the loss */
    double graph;            /**< 1: replay the step as a CUDA graph */
    double patience;         /**< stop after so many epochs without a smaller
                                  validation loss; 0: do not */
    double warmup;           /**< epochs in which the learning rate grows */
    double top;              /**< classes that predict and evaluate look at */
    double force;            /**< 1: write over a run in the output folder */
    enum train_command command; /**< what to do */
    const char *const *files; /**< arguments that are no options; they point
                                  into argv */
    int file_count;          /**< number of them */
    bool help;               /**< --help was given */
    uint64_t given;          /**< bit mask of the options given on the command
                                  line, in the order of the table */
};

/** Parse the command line; prints one line on stderr if it is invalid.
 *  @param[in,out] options  initialized by train_options_default()
 *  @return false if it is invalid */
bool train_options_read(int argc, char **argv, struct train_options *options);

/** Set the defaults. */
void train_options_default(struct train_options *options);

/** Merge options and network file: given options override the file's training
 *  options, the others take its values.
 *  @return false with a message: an unknown optimizer or schedule */
bool train_options_resolve(struct train_options *options, struct network *net,
                           struct failure *failure);

/** Path of the network file: "lenet" is in common/net/nets.
 *  @param[out] path  at least 4096 bytes */
void train_net_path(const struct train_options *options, const char *root,
                    char *path);
/** Can the network's file be read?
 *  @param[in] path  of train_net_path()
 *  @return false with a message, which lists the names if --net is one */
bool train_net_exists(const struct train_options *options, const char *path,
                      struct failure *failure);

/** The data set that the options name.  It points into the options. */
struct dataset_source train_data_source(const struct train_options *options);

/** The learning rate of a step.
 *  @param epoch    epochs done before it, with fraction
 *  @param batches  steps an epoch */
float train_learning_rate(const struct train_options *options, double epoch,
                          size_t batches);

/** Was this option given on the command line? */
bool train_option_given(const struct train_options *options, const char *name);

/** Move through the values of all options, for a report.
 *  @param      i     from 0
 *  @param[out] text  the value
 *  @return the name, or NULL when there are no more */
const char *train_option_value(const struct train_options *options, int i,
                               char text[OPTION_TEXT]);

/** A value as people write it: a float of a network file has more digits than
 *  the file, 0.050000000745.
 *  @param[out] text  the number with seven digits, or the text itself
 *  @return text */
const char *train_option_readable(const char *value, char text[OPTION_TEXT]);

/** Store the options that a checkpoint remembers as metadata.
 *  @param[out] metadata  their texts are to be freed
 *  @return number of entries */
size_t train_options_to_metadata(const struct train_options *options,
                                 struct tensor_metadata *metadata);

/** Restore options from a checkpoint's metadata.
 *  @param path  of the checkpoint, for messages
 *  @return false with a message: an entry is missing, or the command line
 *          gives a value that differs from the checkpoint's */
bool train_options_from_metadata(struct train_options *options,
                                 const struct tensors *from, const char *path,
                                 struct failure *failure);

/** Print the usage text. */
void train_help(FILE *out);

#endif
