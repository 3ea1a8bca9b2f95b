/* SPDX-License-Identifier: MIT */
/** @file
 *  Namespaces of an untrusted program: it writes to its scratch folder only,
 *  and leaves nothing behind.
 */
#ifndef BASE_SANDBOX_H
#define BASE_SANDBOX_H

#include <stdbool.h>
#include <sys/types.h>

enum {
    SCRATCH_MIB = 64,     /**< of a scratch folder */
    SCRATCH_INODES = 4096 /**< files and folders in it */
};

/** Bound a scratch folder in bytes and files: a file system in memory is
 *  mounted on it, which only this process and its children see.
 *  @return false with errno set when this process may not mount; the folder is
 *  then as it was */
bool sandbox_bound_folder(const char *folder);
/** Is there a user of this id?  In a container of an ordinary user there may be
 *  none but root. */
bool sandbox_has_user(uid_t user);
/** Is it known that there is no such user?  Not so when that cannot be found
 *  out: then root must try to become that user, rather than stay root. */
bool sandbox_lacks_user(uid_t user);
/** In a forked process of an ordinary user: enter a user namespace with the
 *  same ids (root of a container: 1000), in which it may make the other
 *  namespaces.
 *  @return false with errno set */
bool sandbox_enter_user_namespace(void);
/** In a forked process, before it gives up root: enter mount, IPC and network
 *  namespaces of its own, with a user namespace when it is not root.  All file
 *  systems are read-only there, but for the folder and for empty ones on
 *  /dev/shm, /tmp and /var/tmp (where neither path lies below).  System V
 *  objects, message queues and these files end with the last process in them.
 *  @param folder   scratch folder, absolute
 *  @param program  the executable, absolute
 *  @return false with errno set: the process must then end */
bool sandbox_enter(const char *folder, const char *program);

#endif
