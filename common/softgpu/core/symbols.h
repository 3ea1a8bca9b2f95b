/* SPDX-License-Identifier: MIT */
/** @file
 *  The program's __device__, __constant__ and __managed__ variables.
 */
#ifndef SOFTGPU_SYMBOLS_H
#define SOFTGPU_SYMBOLS_H

#include "softgpu/abi.h"

/** Visit each variable once, in no order.  Members of class templates and
 *  variable templates are not among them. */
void softgpu_each_symbol(void (*visit)(const struct softgpu_symbol *symbol,
                                       void *context),
                         void *context);
/** The variable that holds this byte, or NULL. */
const struct softgpu_symbol *softgpu_symbol_at(const void *p);
/** Link a variable into the list.  @return 0: it is there already */
int softgpu_link_symbol(struct softgpu_symbol *symbol);
/** Did softcc say that it leaves a variable out? */
int softgpu_symbols_left_out(void);
/** Can the list be wrong by that?  As well when there is none: a program that
 *  softcc did not make has none. */
int softgpu_symbols_are_open(void);

#endif
