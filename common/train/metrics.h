/* SPDX-License-Identifier: MIT */
/** @file
 *  Loss, accuracy, precision and recall, and the output of class names.  Host
 *  only. */
#ifndef TRAIN_METRICS_H
#define TRAIN_METRICS_H

#include <stdio.h>

#include "history.h"

/** Precision and recall of a class, from 0 to 1; NaN where nothing was
 *  predicted as this class, or it has no images. */
struct class_metrics {
    double precision; /**< of the images predicted as this class, those of it */
    double recall;    /**< of its images, those predicted as it */
    unsigned images;  /**< images of the class */
};

/** The metrics of one class. */
struct class_metrics class_metrics_of(const struct confusion *confusion,
                                      int label);

/** Loss and accuracies of predictions. */
struct metrics {
    double loss;         /**< mean cross-entropy */
    double accuracy;     /**< images whose most probable class is right */
    double top_accuracy; /**< images with the right class among the first K */
};

/** Measure predictions.
 *  @param      probabilities  [set->count][set->classes]
 *  @param      top            K
 *  @param[out] confusion      counts are added */
struct metrics metrics_of(const struct dataset *set,
                          const float *probabilities, int top,
                          struct confusion *confusion);

/** Find the most probable classes.  Of equal ones the first is first.
 *  @param      row    [classes]
 *  @param      top    at most classes
 *  @param[out] order  [top] classes, the most probable one first */
void metrics_top(const float *row, int classes, int top, int *order);

/** Print a name for a terminal: control characters and bytes that are not UTF-8
 *  become '?'. */
void print_name(FILE *out, const char *name);

/** Print a field of a CSV file, in quotation marks where it needs them.  A text
 *  that a spreadsheet would take for a formula, "=1+1", gets an apostrophe. */
void print_csv(FILE *out, const char *text);

/** Print a table: images, precision and recall of each class. */
void print_classes(FILE *out, const struct confusion *confusion,
                   const struct dataset *set);

/** Write FOLDER/classes.csv: images, precision and recall of each class.
 *  @return false with a message */
bool classes_write_csv(const struct confusion *confusion,
                       const struct dataset *set, const char *folder,
                       struct failure *failure);

#endif
