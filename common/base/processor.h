/* SPDX-License-Identifier: MIT */
/** @file
 *  The processor of this machine.
 */
#ifndef BASE_PROCESSOR_H
#define BASE_PROCESSOR_H

#include <stddef.h>

/** Its name, as /proc/cpuinfo has it; "unknown processor" where it has none, as
 *  on arm64.
 *  @return `text` */
char *processor_name(char *text, size_t bytes);

#endif
