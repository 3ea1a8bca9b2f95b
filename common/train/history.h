/* SPDX-License-Identifier: MIT */
/** @file
 *  Metrics per epoch and within epochs, and the files that show them.  Host
 *  only. */
#ifndef TRAIN_HISTORY_H
#define TRAIN_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/data/dataset.h"
#include "common/base/failure.h"

enum { HISTORY_POINTS = 4096 /**< at most; then pairs are merged */ };

/** Columns of an epoch's row: mean losses, and accuracies from 0 to 1. */
enum epoch_column {
    EPOCH_NUMBER,              /**< epoch, from 1 */
    EPOCH_LOSS,                /**< training loss, averaged over the epoch */
    EPOCH_ACCURACY,            /**< training accuracy, likewise */
    EPOCH_VALIDATION_LOSS,     /**< validation loss */
    EPOCH_VALIDATION_ACCURACY, /**< validation accuracy */
    EPOCH_TEST_LOSS,           /**< test loss */
    EPOCH_TEST_ACCURACY,       /**< test accuracy */
    EPOCH_COLUMNS              /**< number of columns */
};

/** Names of the columns. */
extern const char *const epoch_column_names[EPOCH_COLUMNS];

/** Columns of a point of the learning curve. */
enum point_column {
    POINT_STEP,     /**< steps done */
    POINT_EPOCH,    /**< epochs done, with fraction: 0.25 */
    POINT_LOSS,     /**< training loss since the previous point */
    POINT_ACCURACY, /**< training accuracy since then */
    POINT_COLUMNS   /**< number of columns */
};

/** Metrics of all epochs so far; NaN where there is no such data set. */
struct history {
    float (*row)[EPOCH_COLUMNS]; /**< epochs in order, owned */
    size_t count;  /**< number of epochs */
    size_t capacity; /**< rows that there is memory for */
    float point[HISTORY_POINTS][POINT_COLUMNS]; /**< points in order */
    size_t points; /**< number of points */
    float mark[3]; /**< this epoch's sums at the last point: losses, correct
                        predictions, images */
};

/** Make room for this many epochs.
 *  @return false with a message: no memory */
bool history_reserve(struct history *history, size_t rows,
                     struct failure *failure);

/** The epoch with the smallest validation loss, as an index; -1 if there is
 *  none. */
long history_best(const struct history *history);

/** Free the rows. */
void history_free(struct history *history);

/** Add a point of the learning curve.
 *  @param step    steps done
 *  @param epoch   epochs done, with fraction
 *  @param totals  this epoch's sums: losses, correct predictions
 *  @param images  images of this epoch so far; more than at the previous point
 */
void history_add_point(struct history *history, int64_t step, double epoch,
                       const float totals[2], size_t images);

/** Write FOLDER/metrics.csv, a line per epoch, and FOLDER/steps.csv, a line
 *  per point.
 *  @return false with a message */
bool history_write_csv(const struct history *history, const char *folder,
                       struct failure *failure);

/** Write FOLDER/curves.svg: loss and accuracy over epochs; for training, point
 *  by point.
 *  @return false with a message */
bool history_write_svg(const struct history *history, const char *folder,
                       struct failure *failure);

/** A confusion matrix, [label][prediction]. */
struct confusion {
    unsigned count[DATASET_MAX_CLASSES][DATASET_MAX_CLASSES]; /**< images */
    int classes; /**< number of classes */
    size_t images; /**< images counted during training; 0: nothing was
                        evaluated */
};

/** Write FOLDER/confusion.svg with the data set's class names.
 *  @return false with a message */
bool confusion_write_svg(const struct confusion *confusion,
                         const struct dataset *set, const char *folder,
                         struct failure *failure);

/** Write FOLDER/filters.png: an image for each filter of
 *  [filters][channels][rows] [columns], gray or RGB, scaled from its smallest
 *  to its largest weight.
 *  @return false with a message */
bool filters_write_png(const float *weights, int filters, int channels,
                       int rows, int columns, const char *folder,
                       struct failure *failure);

#endif
