/* SPDX-License-Identifier: MIT */
/** @file
 *  What `warpbook watch` (watch.c) and its keys (watch_keys.c) share.
 */
#ifndef GRADER_VERBS_WATCH_BENCH_H
#define GRADER_VERBS_WATCH_BENCH_H

#include <limits.h>
#include <sys/types.h>

#include "common.h"
#include "grader/workbench/file_watch.h"
#include "grader/workbench/last_grade.h"

/** Task of the running process. */
enum stage {
    STAGE_IDLE,  /**< nothing runs */
    STAGE_TEST,  /**< the test that failed last, alone */
    STAGE_GRADE, /**< all tests */
    STAGE_WARM,  /**< the failing test again, unseen: what its build shares with
                  *   the next one, as a precompiled header, is there then */
    STAGE_OTHER  /**< another verb, by a key */
};

/** The environment variables that name the prefix of kept_text_write() for a
 *  grade, and for what a key showed; unset where watch does not run. */
#define WATCH_TEXT "WARPBOOK_WATCH_TEXT"
#define WATCH_SHOWN "WARPBOOK_WATCH_SHOWN"

/** What is on the screen. */
enum view {
    VIEW_GRADE, /**< a grade, which runs or has ended */
    VIEW_VERB,  /**< what another verb printed */
    VIEW_LIST,  /**< all labs */
    VIEW_LOST   /**< the file is gone */
};

/** A lab that is watched. */
struct bench {
    const struct options *options; /**< of the command line */
    struct lab lab;          /**< the lab */
    struct file_watch file;  /**< its file */
    pid_t child;             /**< the running process */
    enum stage stage;        /**< its task */
    char json[PATH_MAX];     /**< where a grade leaves its result */
    char text[PATH_MAX];     /**< prefix of where it leaves its text */
    char shown[PATH_MAX];    /**< the same of what a key showed */
    enum view view;          /**< what is on the screen */
    int key;                 /**< the key behind VIEW_VERB */
    size_t part;             /**< screen of what it showed, from 1 */
    bool has_part;           /**< there is another behind it: the key again */
    struct last_grade last;  /**< what that says */
    bool is_cut;      /**< a key ended a grade: its points are not known */
    bool has_first;   /**< the test that failed is on the screen, above */
    bool is_warm;     /**< STAGE_WARM has ended once */
    bool has_keys;    /**< stdin is a terminal */
    bool asks_reset;  /**< the next key says whether to reset */
    bool shows_sheet; /**< the last key showed a section of the sheet */
    char tens;        /**< first digit of a lab that was typed, or 0 */
    int section;      /**< of the sheet, last shown, from 1 */
    int screen;       /**< of the section, last shown, from 1 */
    bool has_more;    /**< it was not the section's last */
    int sections;     /**< of the sheet */
};

/** Start `warpbook VERB LAB [WORD [VALUE]]`.
 *  @return false after one line on stderr */
bool watch_start(struct bench *bench, enum stage stage, const char *verb,
                 const char *word, const char *value);
/** End the running process. */
void watch_stop(struct bench *bench);
/** Clear a terminal. */
void watch_clear(void);
/** Grade on an empty screen: the test that failed before comes first.
 *  @param words  printed above; NULL: none */
void watch_begin(struct bench *bench, const char *words);
/** The file was deleted or renamed: say so. */
void watch_show_lost(struct bench *bench);
/** Draw the screen again, in the columns that the window has now; while a grade
 *  runs, at its end. */
void watch_redraw(struct bench *bench);
/** The footer of each output: progress, and the keys.
 *  @param shows_bar  false where the bar was shown above */
void watch_footer(const struct bench *bench, bool shows_bar);
/** Print a screen of what a key showed, bench->part, and the footer. */
void watch_show_part(struct bench *bench);
/** The running process ended: the next stage, or the footer. */
void watch_finish(struct bench *bench, int status);
/** Watch the file of a lab from now on.
 *  @return false after one line on stderr */
bool watch_open(struct bench *bench, const char *name);
/** Do what a key says (watch_keys.c).
 *  @return false to quit */
bool watch_handle_key(struct bench *bench, int key);

#endif
