/* SPDX-License-Identifier: MIT */
/** @file
 *  The program's __device__, __constant__ and __managed__ variables.
 */
#ifndef SOFTGPU_SYMBOLS_H
#define SOFTGPU_SYMBOLS_H

#include "softgpu/abi.h"

/** Call visit(symbol, context) once for each variable, in unspecified order.
 *  Members of class templates and variable templates are not in the list. */
void softgpu_for_each_symbol(void (*visit)(const struct softgpu_symbol *symbol,
                                           void *context),
                             void *context);
/** Head of their list. */
struct softgpu_symbol *softgpu_symbols(void);
/** The variable that contains this byte, or NULL. */
const struct softgpu_symbol *softgpu_symbol_at(const void *p);
/** Add a variable to the list.  @return 0 if it is in the list already */
int softgpu_link_symbol(struct softgpu_symbol *symbol);
/** Did softcc report a variable that it cannot put into the list? */
int softgpu_has_unlisted_symbols(void);
/** Can the list be incomplete?  Also true for an empty list: a program that
 *  another compiler made has none. */
int softgpu_symbol_list_is_incomplete(void);

#endif
