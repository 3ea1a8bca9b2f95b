/* SPDX-License-Identifier: MIT */
/** @file
 *  Messages of the compiler about what softcc put into the program, in the
 *  terms of CUDA.
 */
#ifndef SOFTCC_REWORD_H
#define SOFTCC_REWORD_H

#include "common/softgpu/softcc/support/arena.h"

/** Replace what the compiler says of a variable whose initial value is no
 *  constant (rewrite_initializer.c), which it does not know to be the device's.
 *  @param messages  stderr of the compiler, with colors or without; is changed
 */
void reword_initializers(struct buffer *messages);

#endif
