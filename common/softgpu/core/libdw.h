/* SPDX-License-Identifier: MIT */
/** @file
 *  The functions of elfutils' libdw that the source-line lookup calls, loaded
 *  with dlopen() at the first lookup.  Linking libdw into every program would
 *  load five more shared libraries at each start (about 2 ms); a program
 *  that does not fault needs none of them.
 */
#ifndef SOFTGPU_LIBDW_H
#define SOFTGPU_LIBDW_H

#include <dwarf.h>
#include <elfutils/libdwfl.h>

/** @cond one function of libdw a row */
#define SOFTGPU_LIBDW_FUNCTIONS(X)                                        \
    X(dwarf_attr) X(dwarf_attr_integrate) X(dwarf_child)                  \
    X(dwarf_filesrc) X(dwarf_formstring) X(dwarf_formudata)               \
    X(dwarf_getscopes) X(dwarf_getscopes_die) X(dwarf_getsrc_die)         \
    X(dwarf_getsrcfiles) X(dwarf_getsrclines) X(dwarf_hasattr)            \
    X(dwarf_haspc) X(dwarf_lineaddr) X(dwarf_linecol) X(dwarf_lineno)     \
    X(dwarf_linesrc) X(dwarf_onesrcline) X(dwarf_siblingof) X(dwarf_tag)  \
    X(dwfl_addrmodule) X(dwfl_begin) X(dwfl_build_id_find_elf)            \
    X(dwfl_module_addrdie) X(dwfl_module_addrname)                        \
    X(dwfl_module_getsym_info) X(dwfl_module_getsymtab)                   \
    X(dwfl_module_nextcu) X(dwfl_report_elf) X(dwfl_report_end)           \
    X(dwfl_standard_find_debuginfo)
/** @endcond */

/** A pointer to each function, named like the function. */
struct softgpu_libdw {
#define X(name) __typeof__(name) *name;
    SOFTGPU_LIBDW_FUNCTIONS(X)
#undef X
};

/** Load libdw.so.1 when called first.
 *
 *  @return the functions, or NULL if this machine has no libdw.so.1; not
 *          thread-safe: the caller serializes calls */
const struct softgpu_libdw *softgpu_load_libdw(void);

#endif
