/* SPDX-License-Identifier: MIT */
/** @file
 *  The gradebook of a results folder: a function of the folder's files alone.
 */
#ifndef AUTOGRADE_GRADEBOOK_H
#define AUTOGRADE_GRADEBOOK_H

#include "settings.h"
#include "entry.h"

enum { GRADEBOOK_LABS = 32, NOTES_BYTES = 512 };

/** State of a student's lab. */
enum cell_state {
    CELL_NONE,    /**< nothing was submitted: no points */
    CELL_GRADED,  /**< has a result */
    CELL_REFUSED, /**< REJECTED or MISSING: no points */
    CELL_PENDING  /**< not graded yet, an error of the grader, or it is not known
                       which attempt counts: no mark */
};

/** Reads results one at a time: a class has more than fit into memory. */
struct result_reader {
    const struct store *store; /**< where they are */
    const struct cell *of;     /**< whose was read last */
    json_t *result;            /**< that one, or NULL */
    bool has_failed;           /**< one that was graded could not be read */
};

/** One student's mark in one lab. */
struct cell {
    enum cell_state state;  /**< what is known */
    const json_t *entry;    /**< the attempt that counts, or NULL */
    const json_t *rival;    /**< another one, if nothing says which is the
                                 later; then there is no mark */
    struct result_reader *reader; /**< of its result; see cell_result() */
    char verdict[16];       /**< "PASS", ..., "NONE", "NOT GRADED" */
    double raw, raw_max;    /**< points as graded, of how many */
    double points, max;     /**< after scaling and the late policy */
    double factor;          /**< share that the late policy keeps */
    int64_t late;           /**< seconds after the deadline; 0: in time */
    bool is_time_known;     /**< `late` is that of a clock, not the least that
                                 counts as late */
    bool is_self_test;      /**< graded without boxes: tier D */
    int attempts;           /**< submissions of this lab */
    char notes[NOTES_BYTES]; /**< for the instructor, or empty */
};

/** One student. */
struct row {
    struct student student; /**< from the roster, or the download */
    bool in_roster;         /**< the roster has the student */
    struct cell *cell;      /**< a cell for each lab of the gradebook */
    double total, max;      /**< weighted sums */
    bool is_complete;       /**< no cell is CELL_PENDING */
};

/** A gradebook; free with gradebook_free(). */
struct gradebook {
    struct course course;          /**< its settings */
    struct roster roster;          /**< its students */
    struct entries entries;        /**< all submissions */
    struct roster_match *match;    /**< malloced: one an entry, when the roster
                                        is not that of the folder; or NULL */
    char stem[GRADEBOOK_LABS][64]; /**< labs, in order */
    int labs;                      /**< how many */
    struct row *row;               /**< malloced, in order of ids */
    size_t rows;                   /**< how many */
    struct cell *cell;             /**< malloced: the cells of all rows */
    struct result_reader reader;   /**< of the results of all cells */
};

/** Compute a gradebook.
 *  @param store  to stay open until gradebook_free()
 *  @param given  files in place of those in the folder; `stem`: this lab alone
 *  @return false with one line */
bool gradebook_make(const struct store *store, const struct given *given,
                    const char *student, struct gradebook *book,
                    struct failure *failure);
/** The result of a graded cell: its file is read again.
 *  @return valid until the next call for another cell; NULL when there is none,
 *  or when it cannot be read any more (`has_failed` of the reader) */
const json_t *cell_result(const struct cell *cell);
/** Free it. */
void gradebook_free(struct gradebook *book);
/** Print it in a format of gradebook_formats.
 *  @return false with one line: the format cannot hold it */
bool gradebook_print(FILE *out, const struct gradebook *book,
                     const char *format, struct failure *failure);
/** May students see this lab's result at this time? */
bool cell_is_visible(const struct gradebook *book, int lab, int64_t now);
/** May students see the results of a lab's hidden tests now? */
bool shows_hidden(const struct gradebook *book, const char *stem);
/** Why a test has not all its points: its message, or that checks and costs earn
 *  nothing before all tests pass; empty when it has them. */
const char *test_reason(const json_t *test);
/** Is a test of result.json one of the hidden tests? */
bool is_hidden_result(const json_t *test);
/** The feedback for the student: lines of text as the course allows.
 *  @return malloced */
char *cell_feedback(const struct gradebook *book, const struct cell *cell);
/** A number without needless digits.  @return `text` */
char *points_text(char text[32], double value);

/* The formats: gradebook_csv.c, gradebook_json.c, gradebook_xml.c,
 * gradebook_html.c. */

/** One line a student, all labs. */
bool print_csv(FILE *out, const struct gradebook *book,
               struct failure *failure);
/** Canvas's gradebook import. */
bool print_canvas(FILE *out, const struct gradebook *book,
                  struct failure *failure);
/** Moodle's grading worksheet, of one lab. */
bool print_moodle(FILE *out, const struct gradebook *book,
                  struct failure *failure);
/** Autolab's bulk import: address and scores. */
bool print_autolab(FILE *out, const struct gradebook *book,
                   struct failure *failure);
/** Gradescope's results.json, of one student; else an object of them. */
bool print_gradescope(FILE *out, const struct gradebook *book,
                      struct failure *failure);
/** Autolab's autoresult of one submission: feedback, scores as the last
 *  line. */
bool print_autoresult(FILE *out, const struct gradebook *book,
                      struct failure *failure);
/** Result of a test runner for GitHub Classroom's reporter. */
bool print_classroom(FILE *out, const struct gradebook *book,
                     struct failure *failure);
/** JUnit XML: a suite for each student's lab. */
bool print_junit(FILE *out, const struct gradebook *book,
                 struct failure *failure);
/** CUnit's XML of a test run. */
bool print_cunit(FILE *out, const struct gradebook *book,
                 struct failure *failure);
/** One page for the class. */
bool print_class_page(FILE *out, const struct gradebook *book,
                      struct failure *failure);

#endif
