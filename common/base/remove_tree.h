/* SPDX-License-Identifier: MIT */
/** @file
 *  Removing a folder with all that a submission may have put into it.
 */
#ifndef BASE_REMOVE_TREE_H
#define BASE_REMOVE_TREE_H

/** Remove a folder and everything below it: to any depth, in folders that their
 *  owner may not list, and mounted file systems of ours.  Links are removed,
 *  not followed.  What cannot be removed stays. */
void remove_tree(const char *path);

#endif
