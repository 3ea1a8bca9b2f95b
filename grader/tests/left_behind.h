/* SPDX-License-Identifier: MIT */
/** @file
 *  What a program that has ended may have left on the machine.
 */
#ifndef GRADER_LEFT_BEHIND_H
#define GRADER_LEFT_BEHIND_H

/** Count the files of a folder whose names begin so. */
int left_names(const char *path, const char *start);

/** Count the processes of this machine whose command line holds the word. */
int left_processes(const char *word);

/** Count the control groups of this process's boxes. */
int left_groups(void);

#endif
