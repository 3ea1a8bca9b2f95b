/* SPDX-License-Identifier: MIT */
/** @file
 *  Temporary files: all of them lie in one directory of the process.
 *
 *  The directory is made at the first use: BUILD/tmp/warpbook.XXXXXX, or below
 *  $TMPDIR or /tmp where the build folder cannot be written.  It is removed
 *  when the process exits.  The process holds a lock on it (flock), which the
 *  kernel releases however the process ends: a directory without a lock
 *  belongs to a process that was killed, and the next process that makes one
 *  removes it.
 */
#ifndef BASE_TEMP_DIR_H
#define BASE_TEMP_DIR_H

#include <stdbool.h>

/** The directory of this process, made if there is none yet.
 *  @return its absolute path, or NULL with errno set */
const char *temp_process_dir(void);
/** Make a directory in it, which other users can enter but not list.
 *  @param[out] path  its absolute path, PATH_MAX bytes
 *  @return false with errno set */
bool temp_dir_create(char *path);
/** Name a new file in it; the file is not made.
 *  @param[out] path  PATH_MAX bytes
 *  @param      name  end of the file's name: "late.h"
 *  @return false with errno set */
bool temp_file_path(char *path, const char *name);
/** Move a file of this process's directory to its final place: there it is
 *  whole or not at all, on another file system too, and a process that is
 *  killed meanwhile leaves nothing beside it.  A device or a pipe is
 *  written through.
 *  @param temp    removed, also on failure
 *  @param target  replaced if there
 *  @return false with errno set */
bool temp_file_publish(const char *temp, const char *target);
/** Keep what is made from now on, and say at exit where it is. */
void temp_dirs_make_persistent(void);
/** In a child process: the directory made so far is the parent's to remove. */
void temp_dirs_forget(void);
/** Remove the directory of this process with all that is in it. */
void temp_dirs_remove(void);

#endif
