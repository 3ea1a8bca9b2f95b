/* SPDX-License-Identifier: MIT */
/** @file
 *  From a code address to a source line: the one place that reads debug
 *  information, of this process or of another program's file.  libdw is loaded
 *  at the first lookup; without libdw.so.1 or without -g every answer is
 *  "unknown".  All functions may be called from any OS thread, but not from a
 *  signal handler.
 */
#ifndef SOFTGPU_SOURCE_LINE_H
#define SOFTGPU_SOURCE_LINE_H

#include <stdint.h>

/** A position in the source. */
struct source_line {
    char file[256]; /**< as passed to the compiler; "" if unknown */
    int line;       /**< from 1; 0 when unknown */
    int column;     /**< from 1; 0 when unknown */
    char header[48]; /**< header of the software GPU or of CUB that contains the
                          instruction itself: "softgpu/shared.h", begins with
                          "cub/"; or "" */
};

/** The source line of the instruction before a return address.
 *
 *  @param[in]  return_address  host code address in this process; for the
 *                              address of an instruction pass one more
 *  @param[out] location        always written
 *
 *  Where the instruction was inlined from a header of the software GPU (a
 *  vector copy, an atomic), the location is the call in the user's own file.
 *  Answers are cached: a repeated lookup costs one table access.
 */
void softgpu_source_line(uintptr_t return_address,
                         struct source_line *location);

/** The linker's name of the program's variable that contains a byte.
 *
 *  @param[in]  address  of the byte
 *  @param[out] name     always written; "" when there is none
 *  @param      size     bytes of name
 */
void softgpu_variable_at(uintptr_t address, char *name, int size);

/** The linker's (mangled) name of the function that contains an address.
 *
 *  @return static storage, or NULL when unknown */
const char *softgpu_function_name(const void *address);

/** Open the debug information before the first lookup does.
 *
 *  @param[in] program  NULL: that of this process, which may later have no
 *                      access to its own files; else that of another program:
 *                      from now on addresses are those of its file
 */
void softgpu_source_line_open(const char *program);

#endif
