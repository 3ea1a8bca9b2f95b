/* SPDX-License-Identifier: MIT */
/** @file
 *  The corpus of attacks: its table, and what is done for a row.
 *
 *      table.c   reads the file `table`, which holds every expectation
 *      submit.c  makes a submission of a case and has it graded
 *      class.c   has a .pack graded by autograde
 *      compare.c compares a result with the row
 *      pool.c    runs several rows side by side
 */
#ifndef ATTACK_ATTACK_H
#define ATTACK_ATTACK_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "grader/lab/verdict.h"

enum {
    ATTACK_ROWS = 400,   /**< of the table at most */
    ATTACK_WORD = 40,    /**< bytes of a column */
    ATTACK_VERDICTS = 4, /**< alternatives of a row */
    ATTACK_REASON = 512  /**< bytes of a reason */
};

/** State of a row in the table. */
enum attack_state {
    ATTACK_HOLDS,   /**< the verdict is the required one */
    ATTACK_GAP,     /**< known: it is not; the note says what is missing */
    ATTACK_CARD,    /**< needs a card: not run */
    ATTACK_NOWHERE, /**< not applicable: the note says why */
    ATTACK_STATES   /**< number of them */
};

/** How a case is graded. */
enum attack_method {
    ATTACK_GRADE,    /**< warpbook grade, without the instrumented run */
    ATTACK_WATCH,    /**< warpbook grade */
    ATTACK_AUTOGRADE /**< warpbook autograde, of a .pack */
};

/** One row. */
struct attack {
    char id[8];                   /**< group, number, and a letter if several */
    char file[ATTACK_WORD];       /**< case, without ".cu" or ".pack"; or "-" */
    char twin[ATTACK_WORD];       /**< the honest one; "" if there is none */
    enum attack_method method;          /**< how it is graded */
    char lab[ATTACK_WORD];        /**< number of the lab */
    char tier;                    /**< weakest isolation in which it holds */
    enum attack_state state;      /**< what is known */
    char test[ATTACK_WORD];       /**< test it attacks; "all", "any" */
    enum verdict verdict[ATTACK_VERDICTS]; /**< any of these */
    size_t verdicts;              /**< of them; 0: any verdict */
    double points;                /**< at most; negative: any */
    bool review;                  /**< a person is asked to look */
    bool is_long;                 /**< takes minutes: not in a daily part */
    char says[ATTACK_WORD];       /**< part of a message, or "" */
    char note[200];               /**< what is missing, or why it is not run */
};

/** Read the table.
 *  @param[out] rows  room for ATTACK_ROWS
 *  @return how many; 0 with one line on stderr that names a wrong line */
size_t attack_read_table(const char *path, struct attack *rows);
/** "holds", "gap", "card", "n/a". */
const char *attack_state_name(enum attack_state state);

/** Write the submission of a case: its text, with hostile.h in place of the
 *  line that includes it, so that it is one file.
 *  @param[out] path  PATH_MAX bytes
 *  @param[out] line  of the text "// here", or 0
 *  @return false with errno set */
bool attack_write_case(const char *name, char *path, int *line);
/** Grade a case (`name` is the row's file or its twin).
 *  @param repeats  of a file: grades at most, until one is not full
 *  @param[out] line  of the text "// here" in the file graded, or 0
 *  @param[out] reason  ATTACK_REASON bytes: why there is no result, or what the
 *                      submission did outside of itself; else empty
 *  @return result.json, or NULL */
json_t *attack_grade(const struct attack *row, const char *name, int repeats,
                     int *line, char *reason);

/** The tier of the boxes in which cases are graded, "A" to "D": the one set,
 *  or the one that autograde takes on this machine. */
char *attack_tier(void);
/** Set it.  @return false when there is no such tier */
bool attack_set_tier(const char *name);

/* Shared by submit.c and class.c. */

/** The folder of everything that this process writes, made at first use.
 *  @return NULL with errno set */
const char *attack_scratch(void);
/** Run warpbook.
 *  @param printed_name  file in the scratch folder for what it prints
 *  @return its exit status, or -1 */
int attack_run(char *const *arguments, const char *printed_name);
/** The submission's output, to be freed; NULL: nothing that can be read.
 *  @param[out] reason  set when there are control characters */
char *attack_read_printed(const char *printed_name, char *reason);
/** Make a class of the one submission of cases/NAME.pack, have it graded by
 *  autograde, and print its gradebook in every format.
 *  @return verdict, score, max_score and message of it, or NULL */
json_t *attack_grade_class(const char *name, char *reason);

/** Has a text that is shown a control character, or one that turns the
 *  direction of text?  No report has any, whatever the submission did. */
bool attack_shows_control(const char *text);
/** Does the result have what the row asks for?
 *  @param line  what "@" in `says` stands for
 *  @return false with a reason (ATTACK_REASON bytes) */
bool attack_is_held(const struct attack *row, const json_t *result, int line,
                    char *reason);
/** Is a test TIMEOUT, which the row does not ask for?  The attack may not have
 *  come to its end. */
bool attack_was_cut_short(const struct attack *row, const json_t *result);
/** Did an honest submission get every point that its way of grading gives?
 *  @return false with a reason (ATTACK_REASON bytes) */
bool attack_twin_passes(const struct attack *row, const json_t *result,
                        char *reason);

#endif
