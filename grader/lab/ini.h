/* SPDX-License-Identifier: MIT */
/** @file
 *  Parsing a lab's settings: what ini.c, budget.c and question.c share.
 *
 *  A function that parses a key returns 1, or 0 after ini_error(), as inih's
 *  handlers do.
 */
#ifndef GRADER_LAB_INI_H
#define GRADER_LAB_INI_H

#include "lab.h"

/** State of the parser of one file. */
struct parser {
    struct lab *lab;                /**< filled in */
    char error[256];                /**< the first error, or empty */
    bool has_points[LAB_MAX_TESTS]; /**< tests that [points] named */
};

/** Record an error; later ones are ignored.
 *  @param format  with one %s
 *  @return 0 */
int ini_error(struct parser *parser, const char *format, const char *what);
/** Parse a number from 0 to 1e9.
 *  @param[out] end  the character after it
 *  @return false when there is none */
bool ini_parse_number(const char *text, double *value, char **end);
/** Store a value that must be a number. */
int ini_store_number(struct parser *parser, const char *value, double *to);
/** Store a value as text of at most `bytes` with its NUL. */
int ini_store_text(struct parser *parser, const char *value, char *to,
                   size_t bytes);
/** Index of the suite's test of that name, or -1. */
int ini_find_test(const struct suite_test *tests, const char *name);

/* budget.c: what only the soft device grades. */

/** A key of [checks]. */
int ini_checks(struct parser *parser, const char *name, const char *value);
/** A key of [cost CASE]: a metric with its tiers. */
int ini_cost(struct parser *parser, const char *watched, const char *name,
             const char *value);
/** A key of [cost hints], [staged hints] or [strided hints], which follow all
 *  [cost CASE]. */
int ini_cost_hint(struct parser *parser, const char *section, const char *name,
                  const char *value);
/** The value of [lab]'s "modeled on". */
int ini_model_case(struct parser *parser, const char *value);
/** A key of [ladder]: the points of a step. */
int ini_ladder(struct parser *parser, const char *name, const char *value);
/** A key of [slower]: why the model ranks a step below an earlier one. */
int ini_slower(struct parser *parser, const char *name, const char *value);

/* question.c */

/** A key of [question]. */
int ini_question(struct parser *parser, const char *name, const char *value);

#endif
