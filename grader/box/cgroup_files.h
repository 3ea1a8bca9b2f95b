/* SPDX-License-Identifier: MIT */
/** @file
 *  Files of a control group: short texts and numbers.
 */
#ifndef GRADER_BOX_CGROUP_FILES_H
#define GRADER_BOX_CGROUP_FILES_H

#include <stdbool.h>
#include <stddef.h>

/** Write a value into a file of the group.  @return false with errno set */
bool cgroup_write(const char *folder, const char *file, const char *value);
/** Write a number in decimal.  @return false with errno set */
bool cgroup_write_number(const char *folder, const char *file,
                         unsigned long long value);
/** Read a file, cut to bytes - 1 characters.
 *  @return false with errno set and an empty text */
bool cgroup_read(const char *folder, const char *file, char *text,
                 size_t bytes);
/** The number behind `key`, as "oom_kill ", in a file of lines; for an empty
 *  key, that of the file's only line.  0 if there is none. */
unsigned long long cgroup_number(const char *folder, const char *file,
                                 const char *key);
/** Is there a file of this name? */
bool cgroup_has_file(const char *folder, const char *file);

#endif
