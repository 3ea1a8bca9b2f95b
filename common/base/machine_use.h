/* SPDX-License-Identifier: MIT */
/** @file
 *  Tasks and memory in use on the whole machine: one system call tells both
 *  and opens no file, so it may be made often.
 */
#ifndef BASE_MACHINE_USE_H
#define BASE_MACHINE_USE_H

#include <stdbool.h>
#include <stddef.h>

/** Tasks and free memory of the machine at one moment; all 0 where the kernel
 *  does not tell. */
struct machine_use {
    unsigned short tasks; /**< processes and threads, modulo 65536 */
    size_t free;          /**< bytes of memory without contents */
};

/** The use at this moment. */
struct machine_use machine_use_now(void);
/** Has the machine as many tasks more, or as many free bytes less, than at that
 *  moment?  Other programs may hide it: they end, or free memory. */
bool machine_use_grew(const struct machine_use *since, unsigned tasks,
                      size_t bytes);

/** Bytes that the kernel could give away without swapping, not older than a
 *  minute, since the number comes from /proc/meminfo; 0: it does not tell. */
size_t machine_available(void);

#endif
