/* SPDX-License-Identifier: MIT */
/** @file
 *  The seccomp filter of a box: which system calls a program may not make.
 */
#ifndef GRADER_BOX_FILTER_H
#define GRADER_BOX_FILTER_H

/** The filter as a classic BPF program (struct sock_filter) in a file in memory,
 *  made once.  The calls refused are those that make namespaces and mounts,
 *  trace or read other processes, change the machine, or reach others past the
 *  file system: kernel keys, io_uring, sockets that are not AF_UNIX.
 *  @return a descriptor that stays open, or -1 with errno set */
int filter_open(void);

#endif
