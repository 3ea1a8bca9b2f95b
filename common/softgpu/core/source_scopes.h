/* SPDX-License-Identifier: MIT */
/** @file
 *  The functions, inlined calls and blocks that an address lies in.
 */
#ifndef SOFTGPU_SOURCE_SCOPES_H
#define SOFTGPU_SOURCE_SCOPES_H

#include "libdw.h"

/** The scopes that contain an address, innermost first, as they were inlined.
 *  @param      address  relative to the module
 *  @param[out] scopes   to be freed
 *  @return their number */
int softgpu_scopes_at(const struct softgpu_libdw *dw, Dwarf_Die *unit,
                      Dwarf_Addr address, Dwarf_Die **scopes);

#endif
