/* SPDX-License-Identifier: MIT */
/** @file
 *  Landlock, by its system calls: a process gives up what it may do with files,
 *  TCP, abstract sockets and signals.
 */
#ifndef GRADER_BOX_LANDLOCK_H
#define GRADER_BOX_LANDLOCK_H

#include <stdbool.h>

/** Version of the kernel's interface from which on abstract sockets and signals
 *  end at the border. */
enum { LANDLOCK_SCOPES = 6 };

/** The kernel's version of the interface; 0: it has none. */
int landlock_version(void);
/** Begin a set of rules.  @return a descriptor, or -1 with errno set */
int landlock_create(void);
/** Allow reading and executing below a path, or also changing.
 *  @return false with errno set; ENOENT when there is no such path */
bool landlock_allow(int rules, const char *path, bool changing);
/** From now on this process and its children may do no more; closes `rules`.
 *  Needs no new privileges.  @return false with errno set */
bool landlock_apply(int rules);

#endif
