/* SPDX-License-Identifier: MIT */
/** @file
 *  What a results folder knows of its course: copies of the instructor's
 *  files, and the deadlines and policies that the command line gave.  A
 *  gradebook needs the results folder and nothing else.
 */
#ifndef AUTOGRADE_SETTINGS_H
#define AUTOGRADE_SETTINGS_H

#include "course.h"
#include "roster.h"
#include "store.h"

/** Values of a command line; NULL: the value given before holds. */
struct given {
    const char *course;   /**< settings file */
    const char *roster;   /**< roster file */
    const char *stem;     /**< lab that deadline and late are for; NULL: all */
    const char *deadline; /**< as text */
    const char *late;     /**< as text */
    const char *hidden;   /**< folder of hidden tests */
};

/** Check what was given and keep it in the results folder.
 *  @return false with one line: nothing was changed */
bool settings_store(const struct store *store, const struct given *given,
                    struct failure *failure);
/** The settings of a results folder.
 *  @param      given  its files are read in place of the copies
 *  @param[out] roster free with roster_free()
 *  @return false with one line */
bool settings_load(const struct store *store, const struct given *given,
                   struct course *course, struct roster *roster,
                   struct failure *failure);

#endif
