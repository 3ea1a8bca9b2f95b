/* SPDX-License-Identifier: MIT */
/** @file
 *  Reading lab.ini: what its parts share.
 */
#ifndef GRADER_LAB_INI_H
#define GRADER_LAB_INI_H

#include "lab.h"

/** The reading of one file. */
struct reading {
    struct lab *lab;         /**< being filled in */
    char wrong[256];         /**< empty, or what is wrong on this line */
    bool pointed[LAB_TESTS]; /**< [points] named this test */
};

/** Note the first thing that is wrong; `format` has one %s.  @return 0 */
int ini_complain(struct reading *reading, const char *format,
                 const char *what);
/** Read a number from 0 up; `end` is where it ended.  @return false if none */
bool ini_number(const char *text, double *value, char **end);
/** Store a whole value as a number.  @return 0 after a complaint */
int ini_put_number(struct reading *reading, const char *value, double *to);
/** Store it as a text of at most `bytes`.  @return 0 after a complaint */
int ini_put_text(struct reading *reading, const char *value, char *to,
                 size_t bytes);
/** The suite's test of that name, or -1. */
int ini_find(const struct suite_test *tests, const char *name);

/* lab_cost.c: what only the soft device grades. */

/** A key of [checks]. */
int ini_checks(struct reading *reading, const char *name, const char *value);
/** A key of [cost CASE]: a counter with its tiers. */
int ini_cost(struct reading *reading, const char *watched, const char *name,
             const char *value);
/** A key of [cost hints], which follows all [cost CASE]. */
int ini_cost_hint(struct reading *reading, const char *name,
                  const char *value);
/** The value of [lab]'s "modelled on". */
int ini_apart(struct reading *reading, const char *value);
/** A key of [ladder]: a step's points. */
int ini_ladder(struct reading *reading, const char *name, const char *value);
/** A key of [slower]: why a step is. */
int ini_slower(struct reading *reading, const char *name, const char *value);

/* lab_question.c */

/** A key of [question], which follows the ladder's files by name. */
int ini_question(struct reading *reading, const char *name, const char *value);

#endif
