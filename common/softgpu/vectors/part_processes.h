/* SPDX-License-Identifier: MIT */
/** @file
 *  The processes that compile the parts of a module (parts.h). */
#ifndef SOFTGPU_VECTORS_PART_PROCESSES_H
#define SOFTGPU_VECTORS_PART_PROCESSES_H

namespace vectors {

/** Fork a process for each part but the first, whose object goes to
 *  OBJECT.partN; the first one waits for them at exit.
 *  @param parts  at least 2
 *  @return the part of this process; -1: no process could be made, and none
 *          was */
int fork_parts(unsigned parts);

/** The object of this compilation, or NULL: softcc does not ask for parts. */
const char *object_of_parts();

} // namespace vectors

#endif
