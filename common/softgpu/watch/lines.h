/* SPDX-License-Identifier: MIT */
/** @file
 *  From a code address of this process to the line a person wrote.
 */
#ifndef SOFTGPU_LINES_H
#define SOFTGPU_LINES_H

#include <stdint.h>

/** A place in the source. */
struct source_line {
    char file[256]; /**< as the compiler was told it; "" when unknown */
    int line;       /**< from 1; 0 when unknown */
    int column;     /**< from 1; 0 when unknown */
    char header[48]; /**< header of the software GPU that the instruction
                          itself stands in: "softgpu/shared.h"; "" if none */
};

/** The place that caused the instruction before a return address.
 *
 *  @param[in]  return_address  host code address in this process
 *  @param[out] place           always written
 *
 *  Where the instruction was inlined from a header of the software GPU (a
 *  vector copy, an atomic), the place is the call in the user's own file.
 *  Answers are remembered: asking again costs a table look-up.  Safe from
 *  any OS thread.
 */
void softgpu_source_line(uintptr_t return_address, struct source_line *place);

/** The variable of the program itself that holds a byte, as the linker calls it.
 *
 *  @param[in]  address  of the byte
 *  @param[out] name     always written; "" when there is none
 *  @param      room     bytes of name
 */
void softgpu_variable_at(uintptr_t address, char *name, int room);

#endif
