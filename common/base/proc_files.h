/* SPDX-License-Identifier: MIT */
/** @file
 *  Files of /proc that are read again and again while a program runs: each is
 *  opened once.  Not thread-safe.
 */
#ifndef BASE_PROC_FILES_H
#define BASE_PROC_FILES_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>

/** Read a file of a process or thread from its start.
 *  @param      path  "/proc/12/task/13/children"
 *  @param[out] text  what it holds, cut to size - 1 bytes, NUL-terminated
 *  @return false with text empty when there is no such process or thread now */
bool proc_read(const char *path, char *text, size_t size);
/** Read a folder of a process from its start.
 *  @return to be closed by closedir(), or NULL */
DIR *proc_list(const char *path);
/** Close the files of processes and threads that have ended. */
void proc_close_ended(void);

#endif
