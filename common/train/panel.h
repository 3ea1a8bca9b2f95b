/* SPDX-License-Identifier: MIT */
/** @file
 *  A panel of learning curves: a value by epoch.  Host only. */
#ifndef TRAIN_PANEL_H
#define TRAIN_PANEL_H

#include "common/base/svg.h"
#include "history.h"

/** Sizes in pixels of the drawing, which shrinks with the window. */
enum {
    PANEL_WIDTH = 360,  /**< of the axes' rectangle */
    PANEL_HEIGHT = 220, /**< likewise */
    PANEL_LEFT = 50,    /**< left of it, for the values of the axis */
    PANEL_TOP = 30,     /**< above it, for the title */
    PANEL_GAP = 80      /**< below it, for epochs and a legend */
};

/** A panel, with the values at its edges; what lies outside is drawn there. */
struct panel {
    struct html *html; /**< the origin is the rectangle's upper left corner */
    double last_epoch; /**< at the right edge, above 0 */
    double low, high;  /**< at the lower and upper edge */
};

/** Title, border, grid lines and their labels. */
void panel_axes(const struct panel *panel, const char *title);

/** A curve of the points within epochs.
 *  @param column  an enum point_column */
void panel_points(const struct panel *panel, const struct history *history,
                  int column, const char *color);

/** A curve of the epochs' rows, with dots; epochs without a value are left out.
 *  @param column  an enum epoch_column */
void panel_rows(const struct panel *panel, const struct history *history,
                int column, const char *color);

/** The largest loss; points count up to three times the largest loss of an
 *  epoch, so that a high initial loss does not flatten the rest. */
double panel_max_loss(const struct history *history);

/** The smallest accuracy of all epochs, rounded down to a multiple of 0.1. */
double panel_min_accuracy(const struct history *history);

#endif
