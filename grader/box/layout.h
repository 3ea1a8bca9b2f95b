/* SPDX-License-Identifier: MIT */
/** @file
 *  The root folder of a box of tier A or B, put together in a mount namespace
 *  of its own before bubblewrap makes it the root.
 */
#ifndef GRADER_BOX_LAYOUT_H
#define GRADER_BOX_LAYOUT_H

#include "box.h"

/** Where the root folder is put together: a folder that every user can
 *  enter. */
#define LAYOUT_ROOT "/tmp"
/** The program box-init, as a box sees it. */
#define LAYOUT_INIT "/box-init"

/** Files and folders of the system that a box sees, as far as they are there;
 *  ended by NULL. */
extern const char *const layout_system[];
/** Device files that a box of this kind sees; ended by NULL. */
const char *const *layout_devices(const struct box *box);
/** In a forked process that may mount: enter a mount namespace and put the root
 *  folder together on LAYOUT_ROOT, its writable parts owned by `box->user`.
 *  @param init  path of box-init
 *  @param[out] folder  the file system of the writable parts, open
 *  @return false with errno set */
bool layout_make(const struct box *box, const char *init, int *folder);

#endif
