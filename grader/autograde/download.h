/* SPDX-License-Identifier: MIT */
/** @file
 *  The names in downloads of Moodle, Canvas and Gradescope.
 *
 *  - Moodle: `Full Name_PARTICIPANT_assignsubmission_file_/FILE`, or flat:
 *    `Full Name_PARTICIPANT_assignsubmission_file_FILE`
 *  - Canvas: `surnamename_USER_ATTACHMENT_FILE`, with `_LATE` before `_USER`;
 *    a resubmitted FILE ends with `-N` before its extension
 *  - Gradescope: `submission_N/FILE`, described in submission_metadata.yml,
 *    which lies beside these folders
 */
#ifndef AUTOGRADE_DOWNLOAD_H
#define AUTOGRADE_DOWNLOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/failure.h"

/** A student as far as a download, or a roster, names one. */
struct student {
    char id[96];          /**< identifies the student in results */
    char name[160];       /**< full name, or empty */
    char email[160];      /**< or empty */
    char login[96];       /**< login name, or empty */
    char section[96];     /**< or empty */
    char sid[96];         /**< the institution's number, or empty */
    char canvas[32];      /**< Canvas's user number, or empty */
    char participant[32]; /**< Moodle's participant number, or empty */
};

/** Parts of the name of a download's file or folder. */
struct download_name {
    struct student student; /**< id, name and the platform's number */
    bool is_late;           /**< Canvas says so */
    int attempt;            /**< Canvas's -N of a resubmission, else 0 */
    char file[256];         /**< the student's own file name, or empty */
};

/** Parse a name of Moodle's.  @return false when it is none */
bool parse_moodle_name(const char *name, struct download_name *parsed);
/** Is it a folder or file of Moodle's with the text that a student typed into a
 *  form?  It is no submission: the student's files have another folder. */
bool is_moodle_text(const char *name);
/** Parse a name of Canvas's.  @return false when it is none */
bool parse_canvas_name(const char *name, struct download_name *parsed);

/** One submission of a Gradescope export. */
struct gradescope_entry {
    char folder[64];          /**< submission_N */
    struct student student;   /**< one submitter; none: its id is `folder` */
    int submitters;           /**< how many; a group has several */
    char created[64];         /**< time as written, or empty */
};

/** Read a submission_metadata.yml by libyaml.
 *  @param[in]  text     the file, `length` bytes
 *  @param      path     for messages
 *  @param      add      called for each submitter of each submission, once if
 *                       it has none; false stops
 *  @return false with "PATH:LINE: cause" */
bool read_gradescope(const char *path, const char *text, size_t length,
                     bool (*add)(void *user,
                                 const struct gradescope_entry *entry),
                     void *user, struct failure *failure);

#endif
