/* SPDX-License-Identifier: MIT */
/** @file
 *  The state of one reading of a folder of submissions: for intake.c and
 *  intake_export.c.
 */
#ifndef AUTOGRADE_INTAKE_READING_H
#define AUTOGRADE_INTAKE_READING_H

#include <dirent.h>
#include <sys/stat.h>

#include "intake_item.h"

/** State of reading a folder of submissions. */
struct reading {
    struct intake *intake; /**< for whom */
    int root;          /**< descriptor of the folder of submissions */
    char prefix[300];  /**< folder within it, with its slash: Gradescope's */
    struct item item;  /**< the student whose files are being collected */
    bool has_item;     /**< there is one */
    bool stopped;      /**< `take` returned false */
    char problem[160]; /**< what is wrong with Gradescope's metadata, or empty */
};

/** For scandirat(): an order that depends on no locale. */
int reading_by_name(const struct dirent **a, const struct dirent **b);
/** For scandirat(): all but hidden names; macOS puts its own folder into
 *  archives. */
int reading_not_hidden(const struct dirent *entry);
/** The type of a file, links not followed; 0: not there. */
mode_t reading_file_type(int root, const char *path);
/** Add all files below a folder.  @return false when the item is refused */
bool item_add_folder(struct item *item, int root, const char *path, int depth);
/** Begin a student, unless the present one has the same files' owner. */
void reading_begin(struct reading *reading, const struct student *student,
                   const char *from, bool is_single);
/** Hand over the student whose files are complete. */
void reading_flush(struct reading *reading);

/** Is it the name of a folder of Gradescope's export? */
bool is_export_name(const char *name);
/** Is it Gradescope's export?  Its metadata lie in the folder, or in the only
 *  folder in it, which has the name that Gradescope gives it.
 *  @param[out] path  of the metadata, PATH_MAX bytes */
bool export_find(struct reading *reading, char *path);
/** Read the export.  @return false with one line */
bool export_read(struct reading *reading, const char *path,
                 struct failure *failure);

#endif
