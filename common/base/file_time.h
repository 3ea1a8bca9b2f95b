/* SPDX-License-Identifier: MIT */
/** @file
 *  Modification times of files, to tell what is out of date.
 */
#ifndef BASE_FILE_TIME_H
#define BASE_FILE_TIME_H

#include <stdbool.h>

/** Modification time of a file: seconds since 1970, 0 when there is none. */
double file_mtime(const char *path);
/** The newest modification time among a folder's files with this ending;
 *  hidden files and subfolders' files do not count.  0 when there is none. */
double newest_mtime(const char *folder, const char *ending);
/** The newest modification time among the files that a dependency file names
 *  (`cc -MMD`).
 *  @return HUGE_VAL when it cannot be read or names a file that is gone */
double depfile_mtime(const char *path);
/** Call visit(name, context) for the files that a dependency file names, until
 *  it returns true.
 *  @return whether it did */
bool depfile_find(const char *path, bool (*visit)(const char *, void *),
                  void *context);

#endif
