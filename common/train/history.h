/* SPDX-License-Identifier: MIT */
/** @file
 *  What came out epoch by epoch, and the files that tell it.  Host only. */
#ifndef TRAIN_HISTORY_H
#define TRAIN_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "common/data/dataset.h"
#include "common/failure.h"

enum {
    HISTORY_EPOCHS = 4096, /**< at most */
    HISTORY_COLUMNS = 7    /**< floats of struct epoch_row */
};

/** One epoch; shares are 0 to 1, NaN where there is no such set. */
struct epoch_row {
    float epoch;            /**< from 1 */
    float loss, right;      /**< of training */
    float held_loss, held_right; /**< of the images held back */
    float test_loss, test_right; /**< of the test set */
};

/** All epochs so far. */
struct history {
    struct epoch_row row[HISTORY_EPOCHS]; /**< in order */
    size_t count;                         /**< of them */
};

/** Write DIR/metrics.csv.  @return false with a line */
bool history_csv(const struct history *history, const char *folder,
                 struct failure *failure);

/** Write DIR/curves.svg: loss and share right by epoch. */
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
