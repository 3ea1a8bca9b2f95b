/* SPDX-License-Identifier: MIT */
/** @file
 *  When a folder of submissions was read: RESULTS/readings.json.
 *
 *  A submission that appears in a later reading came later; those of one reading
 *  have no order.  A reading that was interrupted goes on with the next one of
 *  the same folder: what both find was found at once.  A submission that was not
 *  there in a whole reading and is again was submitted again.
 */
#ifndef AUTOGRADE_READINGS_H
#define AUTOGRADE_READINGS_H

#include "intake.h"
#include "store.h"

/** A reading begins: note it, and set the times of the intake.
 *  @param[in,out] intake  `folder` and `stem` say which readings belong
 *                         together; `began`, `first` and `whole` are set
 *  @return false with one line */
bool readings_begin(const struct store *store, struct intake *intake,
                    struct failure *failure);
/** The reading has read all.  @return false with one line */
bool readings_end(const struct store *store, const struct intake *intake,
                  struct failure *failure);

#endif
