/* SPDX-License-Identifier: MIT */
/** @file
 *  Small changes of a source, one of which may repair it: the search space of
 *  locate.h.
 *
 *  Each undoes one mistake that is common in kernels: another comparison, an
 *  index that is one off, another variable of the same kind, a barrier that is
 *  missing.  Such sets are known from mutation testing and automated program
 *  repair (Debroy and Wong, "Using mutation to automatically suggest fixes for
 *  faulty programs", ICST 2010; Qi et al., "The strength of random search on
 *  automated program repair", ICSE 2014).
 */
#ifndef GRADER_LOCATE_EDITS_H
#define GRADER_LOCATE_EDITS_H

#include "source.h"

enum {
    EDIT_TEXT = 96,  /**< bytes of a replacement */
    EDIT_WORDS = 128 /**< bytes of its description */
};

/** A change of some neighboring bytes. */
struct edit {
    size_t at, length;     /**< bytes of the source that are replaced */
    char text[EDIT_TEXT];  /**< what they become */
    char words[EDIT_WORDS]; /**< "another comparison" */
    int line, column;      /**< place that is named, both from 1 */
    int rank;              /**< lower: tried earlier */
};

/** Edits of a source, to which edit_*() add. */
struct edits {
    const struct source *source; /**< of which */
    struct edit *edit;           /**< most of them */
    size_t count, most;          /**< edits, and room for them */
};

/** List the edits of a source, those that repair most mistakes first.
 *  @return how many there are, at most `edits->most` */
size_t edits_list(struct edits *edits);
/** The source with an edit, to be freed; NULL when memory is short. */
char *edit_apply(const struct source *source, const struct edit *edit);

/* Shared by the files that list edits. */

/** Append an edit that replaces the tokens from `first` to `last` and is named
 *  at `first`.
 *  @param rank    0 to 9
 *  @param words   what is other, "another comparison"
 *  @param format  of the replacement; an edit that is longer is left out */
void edit_add(struct edits *edits, int first, int last, int rank,
              const char *words, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/** The text from token `first` to `last`, as arguments of "%.*s". */
#define EDIT_TOKENS(source, first, last) \
    (int)((source)->token[last].text + (source)->token[last].length \
          - (source)->token[first].text), (source)->token[first].text

/** Other operators, numbers and types (edit_operators.c). */
void edit_operators(struct edits *edits);
/** Other variables, members and functions (edit_names.c). */
void edit_names(struct edits *edits);
/** Statements that are missing, left over or incomplete (edit_statements.c). */
void edit_statements(struct edits *edits);

#endif
