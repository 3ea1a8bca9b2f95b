/* SPDX-License-Identifier: MIT */
/* See source_scopes.h. */
#define _GNU_SOURCE
#include "source_scopes.h"

#include <stdlib.h>

#define MAX_SCOPES 64 /* that contain one address */

/* The scopes that contain an address, outermost first. */
struct scope_chain {
    const struct softgpu_libdw *dw;
    Dwarf_Addr address;
    Dwarf_Die scopes[MAX_SCOPES];
    int count;
};

/* Scopes that can hold the definition of a function. */
static int may_contain_functions(const struct softgpu_libdw *dw, Dwarf_Die *die)
{
    const int tag = dw->dwarf_tag(die);

    return tag == DW_TAG_namespace || tag == DW_TAG_structure_type
           || tag == DW_TAG_class_type;
}

/* Entries with ranges of addresses. */
static int is_code(const struct softgpu_libdw *dw, Dwarf_Die *die)
{
    const int tag = dw->dwarf_tag(die);

    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine
           || tag == DW_TAG_lexical_block;
}

/* Add the scopes inside a DIE (debugging information entry) that contain the
 * address. */
static void collect_scopes(Dwarf_Die *die, struct scope_chain *chain)
{
    const struct softgpu_libdw *dw = chain->dw;
    const int before = chain->count;
    Dwarf_Die child;

    if (chain->count == MAX_SCOPES || dw->dwarf_child(die, &child) != 0)
        return;
    do {
        const int holds = is_code(dw, &child)
                          && dw->dwarf_haspc(&child, chain->address) > 0;

        if (holds)
            chain->scopes[chain->count++] = child;
        if (holds || may_contain_functions(dw, &child))
            collect_scopes(&child, chain);
    } while (chain->count == before
             && dw->dwarf_siblingof(&child, &child) == 0);
}

/* Search through functions and their lexical blocks only. */
static int find_scopes(const struct softgpu_libdw *dw, Dwarf_Die *unit,
                       Dwarf_Addr address, Dwarf_Die **scopes)
{
    struct scope_chain chain = {.dw = dw, .address = address};

    collect_scopes(unit, &chain);
    if (!chain.count)
        return 0;
    *scopes = malloc(sizeof chain.scopes);
    if (!*scopes)
        return 0;
    for (int i = 0; i < chain.count; i++)
        (*scopes)[i] = chain.scopes[chain.count - 1 - i];
    return chain.count;
}

/* dwarf_getscopes() is the slow fallback: it also finds a function that is
 * defined inside another function which does not contain the address.  Its
 * outer scopes are those of the definition, not those of the inlining. */
int softgpu_scopes_at(const struct softgpu_libdw *dw, Dwarf_Die *unit,
                      Dwarf_Addr address, Dwarf_Die **scopes)
{
    Dwarf_Die *found = NULL;
    int count = find_scopes(dw, unit, address, scopes);

    if (count || dw->dwarf_getscopes(unit, address, &found) <= 0)
        return count;
    count = dw->dwarf_getscopes_die(&found[0], scopes);
    free(found);
    return count;
}
