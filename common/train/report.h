/* SPDX-License-Identifier: MIT */
/** @file
 *  The report of a run as one HTML page.  Host only. */
#ifndef TRAIN_REPORT_H
#define TRAIN_REPORT_H

#include "history.h"

enum { REPORT_FACTS = 64 /**< at most */ };

/** A line of the report: a setting, or what the run used. */
struct report_fact {
    char name[32];  /**< "lr", "CPU" */
    char text[256]; /**< its value, any text */
};

/** Parts of the report besides the history. */
struct report {
    const char *title;                  /**< one line */
    const char *network;                /**< text of the network's file */
    const struct dataset *set;          /**< names of the classes */
    const struct confusion *confusion;  /**< NULL: nothing was evaluated */
    const char *evaluated;              /**< on which set: "test" */
    struct report_fact facts[REPORT_FACTS]; /**< settings, machine, version */
    int count;                          /**< number of facts */
};

/** Add a fact; what does not fit is cut off. */
void report_add(struct report *report, const char *name, const char *text);

/** Write FOLDER/report.html with learning curves, confusion matrix, precision
 *  and recall of each class, filters and facts.  It fits a narrow screen.
 *  @return false with a message */
bool report_write_html(const struct history *history,
                       const struct report *report, const char *folder,
                       struct failure *failure);

#endif
