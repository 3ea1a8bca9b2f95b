/* SPDX-License-Identifier: MIT */
/** @file
 *  The seccomp filter of a box: which system calls a program may not make.
 */
#ifndef GRADER_BOX_FILTER_H
#define GRADER_BOX_FILTER_H

#include <stdbool.h>

/** System calls that a box cannot do without. */
struct filter_needs {
    bool locks; /**< locks of files: a compiler, or the driver of a card */
    bool files; /**< files without a name and segments of System V: a compiler,
                     or where a control group counts them */
    bool copies; /**< process_vm_readv, process_vm_writev: a
                      device process, whose host process has a filter of its
                      own (runner/soft/host_filter.c) */
};

/** The filter as a classic BPF program (struct sock_filter) in a file in
 *  memory, made once for each `needs`.  The calls refused are those that make
 *  namespaces and mounts, trace or read other processes, change the machine, or
 *  reach others past the file system: kernel keys, io_uring, sockets that are
 *  not AF_UNIX, locks of files that all boxes have.
 *  @return a descriptor that stays open, or -1 with errno set */
int filter_open(const struct filter_needs *needs);

#endif
