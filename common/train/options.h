/* SPDX-License-Identifier: MIT */
/** @file
 *  What `train` is asked for.  Host only. */
#ifndef TRAIN_OPTIONS_H
#define TRAIN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/net/network.h"
#include "common/net/safetensors.h"

enum { OPTION_TEXT = 256 /**< bytes of a word, its end included */ };

/** Exit codes. */
enum train_exit {
    TRAIN_DONE = 0,
    TRAIN_DIVERGED = 1,  /**< the loss is no number, or grew without bound */
    TRAIN_USAGE = 2,     /**< wrong command line */
    TRAIN_TROUBLE = 3,   /**< a file, the compiler or the device failed */
    TRAIN_INTERRUPTED = 130 /**< by ctrl-C; a checkpoint was written */
};

/** One run.  Numbers that the network's file says are NaN or -1 until
 *  train_options_settle(). */
struct train_options {
    char net[OPTION_TEXT];       /**< a name or a path */
    char data[OPTION_TEXT];      /**< a set of dataset.h */
    char folder[OPTION_TEXT];    /**< of its files; empty: its own */
    char kernels[OPTION_TEXT];   /**< labs, solutions, cudnn, or a file */
    char device[OPTION_TEXT];    /**< soft, gpu, auto */
    char out[OPTION_TEXT];       /**< folder of what is written */
    char resume[OPTION_TEXT];    /**< folder of a checkpoint; empty: none */
    char weights[OPTION_TEXT];   /**< file of weights to begin with; or empty */
    char optimizer[OPTION_TEXT]; /**< a name; empty: the network's */
    char schedule[OPTION_TEXT];  /**< constant, cosine, step; empty: the
                                      network's */
    double epochs, batch, rate, momentum, decay, clip; /**< see network.h */
    double seed;                 /**< of everything that is drawn */
    double validation;           /**< share of the images kept from training */
    double limit;                /**< images to train on; 0: all */
    double steps;                /**< stop after so many; 0: do not */
    double save;                 /**< steps from checkpoint to checkpoint */
    double look;                 /**< steps from look to look at the loss */
    double graph;                /**< 1: replay a captured step */
    char model[OPTION_TEXT];     /**< predict: weights */
    char image[OPTION_TEXT];     /**< predict: a PNG file */
    bool predict;                /**< instead of training */
    bool help;                   /**< was asked for */
    uint64_t said;               /**< a bit for each option of the command
                                      line, in the order of --help */
};

/** Read the command line; one line on stderr when it is wrong.
 *  @param[in,out] options  begun by train_options_default()
 *  @return false when it is wrong */
bool train_options_read(int argc, char **argv, struct train_options *options);

/** What holds when nothing is said. */
void train_options_default(struct train_options *options);

/** Let the network's file and the options agree.
 *  @return false with a line: an unknown optimiser or schedule */
bool train_options_settle(struct train_options *options, struct network *net,
                          struct failure *failure);

/** Path of the network's file: "lenet" lies in common/net/nets.
 *  @param[out] path  at least 4096 bytes */
void train_net_path(const struct train_options *options, const char *root,
                    char *path);

/** The learning rate of a step. */
float train_rate(const struct train_options *options, double epoch);

/** Options that decide what is trained, as notes of a checkpoint.
 *  @return how many */
size_t train_options_notes(const struct train_options *options,
                           struct tensor_note *notes);

/** Set them again from a checkpoint.
 *  @param path  of it, for a line
 *  @return false with a line: one is missing, or the command line says another
 *          value than the checkpoint was trained with */
bool train_options_renew(struct train_options *options,
                         const struct tensors *from, const char *path,
                         struct failure *failure);

/** Print what there is to ask for. */
void train_help(FILE *out);

#endif
