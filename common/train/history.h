/* SPDX-License-Identifier: MIT */
/** @file
 *  What came out epoch by epoch, and within epochs; the files that tell it.
 *  Host only. */
#ifndef TRAIN_HISTORY_H
#define TRAIN_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/data/dataset.h"
#include "common/failure.h"

enum {
    HISTORY_EPOCHS = 4096, /**< at most */
    HISTORY_POINTS = 4096  /**< at most; then they are merged in pairs */
};

/** Columns of an epoch's row: mean losses, and shares right from 0 to 1. */
enum epoch_column {
    EPOCH_NUMBER,     /**< from 1 */
    EPOCH_LOSS,       /**< of training, while it changed */
    EPOCH_RIGHT,      /**< likewise */
    EPOCH_HELD_LOSS,  /**< of the images held back */
    EPOCH_HELD_RIGHT, /**< likewise */
    EPOCH_TEST_LOSS,  /**< of the test set */
    EPOCH_TEST_RIGHT, /**< likewise */
    EPOCH_COLUMNS     /**< how many there are */
};

/** Columns of a point within an epoch. */
enum point_column {
    POINT_STEP,   /**< steps done */
    POINT_EPOCH,  /**< epochs done: 0.25 */
    POINT_LOSS,   /**< of training since the point before */
    POINT_RIGHT,  /**< likewise */
    POINT_COLUMNS /**< how many there are */
};

/** All epochs so far; NaN where there is no such set. */
struct history {
    float row[HISTORY_EPOCHS][EPOCH_COLUMNS]; /**< in order */
    size_t count;                             /**< of them */
    float point[HISTORY_POINTS][POINT_COLUMNS]; /**< in order */
    size_t points;                            /**< of them */
    float mark[3]; /**< at the last point, in this epoch: the sums of losses
                        and of images right, and images */
};

/** Add a point.
 *  @param step    steps done
 *  @param epoch   epochs done, with the part of this one
 *  @param totals  this epoch's sums of losses and of images right
 *  @param images  of this epoch so far; more than at the point before */
void history_point(struct history *history, int64_t step, double epoch,
                   const float totals[2], size_t images);

/** Write DIR/metrics.csv, a line an epoch, and DIR/steps.csv, a line a point.
 *  @return false with a line */
bool history_csv(const struct history *history, const char *folder,
                 struct failure *failure);

/** Write DIR/curves.svg: loss and share right by epoch; of training, point by
 *  point. */
bool history_svg(const struct history *history, const char *folder,
                 struct failure *failure);

/** Which class was taken for which: [label][chosen], classes wide. */
struct confusion {
    unsigned count[DATASET_CLASSES][DATASET_CLASSES]; /**< images */
    int classes;                                      /**< of them */
};

/** Write DIR/confusion.svg, with the names of a set's classes. */
bool confusion_svg(const struct confusion *confusion,
                   const struct dataset *set, const char *folder,
                   struct failure *failure);

/** Write DIR/filters.png: a tile for each filter of [filters][channels][rows]
 *  [columns], gray or of three colours; from the smallest to the largest. */
bool filters_png(const float *weights, int filters, int channels, int rows,
                 int columns, const char *folder, struct failure *failure);

/** Write DIR/report.html, which holds curves, confusion and filters.
 *  @param title  one line */
bool report_html(const struct history *history, const char *title,
                 const char *folder, struct failure *failure);

#endif
