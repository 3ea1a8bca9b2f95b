/* SPDX-License-Identifier: MIT */
/** @file
 *  Reading a folder of submissions: folders, archives or single .cu files, or a
 *  download of Moodle, Canvas or Gradescope.  Links are never followed.
 */
#ifndef AUTOGRADE_INTAKE_H
#define AUTOGRADE_INTAKE_H

#include <limits.h>
#include <stdint.h>

#include "archive.h"
#include "download.h"

enum {
    INTAKE_FILES = 1000, /**< of one submission at most */
    INTAKE_DEPTH = 6     /**< folders within each other at most */
};

/** One lab's file of one student, or why there is none. */
struct submission {
    struct student student; /**< as the download names the student */
    const char *stem;       /**< the lab; "" when no lab's file was found */
    char from[PATH_MAX];    /**< file or folder in the folder of submissions */
    bool is_late;           /**< the platform says so */
    int64_t submitted;      /**< seconds since 1970, or 0: not known */
    int64_t read;           /**< when the reading began, seconds since 1970 */
    int64_t first, whole;   /**< as of struct intake */
    int attempt;            /**< Canvas's number of a resubmission, or 0 */
    const char *text;       /**< the file; NULL with a refusal */
    size_t length;          /**< bytes of text */
    struct refusal refusal; /**< verdict PASS: none */
    bool needs_lab;         /**< the only .cu file has another name than a
                                 lab's: with --lab it would be taken */
};

/** Submissions to read, and their labs. */
struct intake {
    const char *folder;       /**< the submissions */
    const char *stem;         /**< the only lab, or NULL: by file names */
    /** Called for each submission; false stops. */
    bool (*handle)(void *user, const struct submission *submission);
    /** Called for each name that will be read, before the first submission;
     *  NULL: not.  Gradescope's names are not announced. */
    void (*expect)(void *user, const struct student *student);
    void *user;               /**< first argument of take and expect */
    int ignored;              /**< entries that are no submissions */
    char first_ignored[256];  /**< name of the first of them */
    bool lacks_metadata;      /**< folders are named as Gradescope's, but
                                   submission_metadata.yml is not there */
    const char *layout;       /**< "Moodle", "Canvas", ...; set on return */
    int64_t began;            /**< when this reading began; 0: now */
    int64_t first;            /**< when the first one began of those that were
                                   interrupted before it; 0: none was */
    int64_t whole;            /**< when the last whole reading began; 0: none */
};

/** Read the folder, in the order of names.
 *  @return false with one line: the folder cannot be read, is empty, or
 *  `take` stopped (then the line is empty) */
bool intake_read(struct intake *intake, struct failure *failure);

#endif
