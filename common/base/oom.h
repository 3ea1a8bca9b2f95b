/* SPDX-License-Identifier: MIT */
/** @file
 *  How often the kernel killed a process because memory ran out.
 */
#ifndef BASE_OOM_H
#define BASE_OOM_H

/** Number of out-of-memory kills so far: those of our control group and its
 *  children (memory.events of version 2, memory.oom_control of version 1), or
 *  those of the machine (/proc/vmstat) where the group has no such file.  Two
 *  readings are compared; one alone means nothing.  All readings of a process
 *  are of the group that it was in at the first.
 *  @return 0 when the kernel does not count them */
unsigned long oom_kills(void);

#endif
