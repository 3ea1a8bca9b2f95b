/* SPDX-License-Identifier: MIT */
/** @file
 *  The folders of the program: sources, build results, libraries, the learner's
 *  files.  Two layouts are known:
 *
 *  | folder | source tree | installed (make install PREFIX=) |
 *  | --- | --- | --- |
 *  | sources | the tree | PREFIX/share/warpbook |
 *  | programs | build/ | PREFIX/bin |
 *  | generated sources | build/ | PREFIX/share/warpbook |
 *  | libraries | build/lib | PREFIX/lib/warpbook |
 *  | build results | build/ | $XDG_CACHE_HOME/warpbook, or ~/.cache/warpbook |
 *  | labs/ that are edited | the tree | at or above the working folder |
 *
 *  $WARPBOOK_CACHE, an absolute path, replaces the folder of build results: on
 *  a cluster it names a local disk of the node, for locks on network file
 *  systems cannot be relied on.
 */
#ifndef BASE_PATHS_H
#define BASE_PATHS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/** Find all folders: the sources by WARPBOOK_HOME, or beside or above the
 *  program, or above the working folder.
 *  @return false after one line on stderr */
bool paths_init(void);
/** The sources, absolute; valid after paths_init(). */
const char *source_root(void);
/** Where results of builds are kept, absolute; may not exist yet.  Valid
 *  without paths_init(), too. */
const char *build_root(void);
/** The folder of libsoftgpu.a and its like, absolute. */
const char *library_root(void);
/** The folder of calls/, sources that the build generated, absolute: that of
 *  the programs, or PREFIX/share/warpbook. */
const char *generated_root(void);
/** The folder of the programs softcc, warpbook and train, absolute. */
const char *program_root(void);
/** Are the labs that labs_path() finds those of the installation, beside which
 *  nothing is to be written? */
bool labs_are_installed(void);
/** Write "root/a/b" for a printf-like "a/b".  @return `path` (PATH_MAX). */
char *root_path(char *path, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** The same for a file that the learner edits, below labs/: in an installed
 *  layout of the nearest labs/ at or above the working folder, if there is one.
 *  @return `path` (PATH_MAX). */
char *labs_path(char *path, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
