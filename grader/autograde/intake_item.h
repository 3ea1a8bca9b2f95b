/* SPDX-License-Identifier: MIT */
/** @file
 *  One student's files in a folder of submissions: shared by intake.c, which
 *  finds them, and intake_item.c, which takes the labs' files out of them.
 */
#ifndef AUTOGRADE_INTAKE_ITEM_H
#define AUTOGRADE_INTAKE_ITEM_H

#include "intake.h"

/** A file of a submission. */
struct item_file {
    char *path; /**< in the folder of submissions; malloced */
    char *name; /**< as the student called it; malloced */
    int attempt; /**< Canvas's number of a resubmission, or 0 */
};

/** The files of one student. */
struct item {
    struct student student; /**< as the download names the student */
    char from[PATH_MAX];    /**< the first file, or the folder */
    bool is_late;           /**< the platform says so */
    bool is_single;         /**< files, not a folder */
    int64_t submitted;      /**< seconds since 1970, or 0 */
    int attempt;            /**< Canvas's, the highest */
    struct item_file *file; /**< malloced */
    size_t files;           /**< how many */
    struct refusal refusal; /**< too many files, or a name not allowed */
};

/** Add a file, or put it in the place of an earlier attempt at it.
 *  @param attempt  Canvas's number of a resubmission, or 0
 *  @return false, with a refusal, when there are too many */
bool item_add(struct item *item, const char *path, const char *name,
              int attempt);
/** Take the labs' files and hand them to intake->take.
 *  @param root  descriptor of the folder of submissions
 *  @return what `take` returned */
bool item_read(const struct intake *intake, int root, struct item *item);
/** Free the list of files. */
void item_free(struct item *item);

#endif
