/* SPDX-License-Identifier: MIT */
/* Source lines from DWARF, by elfutils' libdw.  The trick: an access inside
 * an inlined header function is charged to the innermost call that stands in
 * the user's own file, found by walking the inline scopes outwards. */
#include "lines.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CACHE_SIZE 4096 /* power of two; call sites of one program */
#define NEAR_ROWS 4     /* of the line table: a statement's */

extern char __executable_start; /* the program, from the linker */

struct cached {
    uintptr_t address;
    struct source_line place;
};

static struct cached cache[CACHE_SIZE];

static Dwfl *open_self(void)
{
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_linux_proc_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
    };
    static Dwfl *self;

    if (self)
        return self;
    setenv("DEBUGINFOD_URLS", "", 0); /* never ask a network for symbols */
    self = dwfl_begin(&callbacks);
    if (self && dwfl_linux_proc_report(self, getpid()) == 0)
        dwfl_report_end(self, NULL, NULL);
    return self;
}

/* Headers of the software GPU are not places a learner can change. */
static int is_ours(const char *file)
{
    return strstr(file, "softgpu/include/") != NULL
           || strncmp(file, "/usr/", 5) == 0;
}

static void set_place(struct source_line *place, const char *file,
                      int line, int column)
{
    snprintf(place->file, sizeof place->file, "%s", file);
    place->line = line;
    place->column = column;
}

static void name_header(struct source_line *place, const char *file)
{
    static const char folder[] = "softgpu/include/";
    const char *inside = strstr(file, folder);

    if (inside)
        snprintf(place->header, sizeof place->header, "%s",
                 inside + strlen(folder));
}

static int number(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute found;
    Dwarf_Word value = 0;

    if (dwarf_attr(die, attribute, &found) == NULL
        || dwarf_formudata(&found, &value) != 0)
        return 0;
    return (int)value;
}

/* The name of the file that an inlined scope was called from. */
static const char *call_file(Dwarf_Die *unit, Dwarf_Die *scope)
{
    Dwarf_Files *files;
    size_t count;
    int index = number(scope, DW_AT_call_file);

    if (!dwarf_hasattr(scope, DW_AT_call_file) || index < 0
        || dwarf_getsrcfiles(unit, &files, &count) != 0
        || (size_t)index >= count)
        return NULL; /* 0 is a file in DWARF 5 */
    return dwarf_filesrc(files, index, NULL, NULL);
}

/** The scopes round an address, outermost first. */
struct path {
    Dwarf_Addr address;
    Dwarf_Die scopes[64];
    int count;
};

static int may_hold_functions(Dwarf_Die *die)
{
    const int tag = dwarf_tag(die);

    return tag == DW_TAG_namespace || tag == DW_TAG_structure_type
           || tag == DW_TAG_class_type;
}

static int is_code(Dwarf_Die *die)
{
    const int tag = dwarf_tag(die);

    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine
           || tag == DW_TAG_lexical_block;
}

/* Add the scopes inside a DIE that hold the address. */
static void descend(Dwarf_Die *die, struct path *path)
{
    const int before = path->count;
    Dwarf_Die child;

    if (path->count == sizeof path->scopes / sizeof *path->scopes
        || dwarf_child(die, &child) != 0)
        return;
    do {
        const int holds = is_code(&child)
                          && dwarf_haspc(&child, path->address) > 0;

        if (holds)
            path->scopes[path->count++] = child;
        if (holds || may_hold_functions(&child))
            descend(&child, path);
    } while (path->count == before && dwarf_siblingof(&child, &child) == 0);
}

/* Scopes by way of functions alone. */
static int walk_scopes(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **scopes)
{
    struct path path = {.address = address};

    descend(unit, &path);
    if (!path.count)
        return 0;
    *scopes = malloc(sizeof path.scopes);
    if (!*scopes)
        return 0;
    for (int i = 0; i < path.count; i++)
        (*scopes)[i] = path.scopes[path.count - 1 - i];
    return path.count;
}

/* The scopes round an address, innermost first, as they were inlined.  What
 * is defined within a function that does not hold it takes longer to find
 * (dwarf_getscopes alone continues where they were defined). */
static int scopes_at(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **scopes)
{
    Dwarf_Die *found = NULL;
    int count = walk_scopes(unit, address, scopes);

    if (count || dwarf_getscopes(unit, address, &found) <= 0)
        return count;
    count = dwarf_getscopes_die(&found[0], scopes);
    free(found);
    return count;
}

/* Walk outwards until a call stands in a file of the user's. */
static void leave_headers(Dwarf_Die *unit, Dwarf_Addr address,
                          struct source_line *place)
{
    Dwarf_Die *scopes = NULL;
    int count, i;

    if (!is_ours(place->file))
        return; /* looking for scopes takes long */
    count = scopes_at(unit, address, &scopes);
    for (i = 0; i < count && is_ours(place->file); i++) {
        const char *file;

        if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
            continue;
        file = call_file(unit, &scopes[i]);
        if (file)
            set_place(place, file, number(&scopes[i], DW_AT_call_line),
                      number(&scopes[i], DW_AT_call_column));
    }
    free(scopes);
}

/* A row of the line table that names a line of the user's. */
static int take_row(Dwarf_Line *row, struct source_line *place)
{
    const char *file = row ? dwarf_linesrc(row, NULL, NULL) : NULL;
    int line = 0, column = 0;

    if (!file || is_ours(file) || dwarf_lineno(row, &line) || !line)
        return 0;
    dwarf_linecol(row, &column);
    set_place(place, file, line, column);
    return 1;
}

/* clang gives line 0 to what it made of accesses in two places: the nearest
 * line before it, else behind it, is one of them. */
static void look_beside(Dwarf_Die *unit, Dwarf_Addr address,
                        struct source_line *place)
{
    Dwarf_Lines *rows;
    size_t count, at = 0;
    Dwarf_Addr begin;

    if (dwarf_getsrclines(unit, &rows, &count) != 0)
        return;
    while (at < count && !dwarf_lineaddr(dwarf_onesrcline(rows, at), &begin)
           && begin <= address)
        at++;
    for (size_t i = at; i > 0 && at - i < NEAR_ROWS; i--)
        if (take_row(dwarf_onesrcline(rows, i - 1), place))
            return;
    for (size_t i = at; i < count && i - at < NEAR_ROWS; i++)
        if (take_row(dwarf_onesrcline(rows, i), place))
            return;
}

static void look_up(uintptr_t return_address, struct source_line *place)
{
    Dwarf_Addr address = return_address - 1, bias = 0;
    Dwfl *self = open_self();
    Dwfl_Module *module = self ? dwfl_addrmodule(self, address) : NULL;
    Dwfl_Line *row = module ? dwfl_module_getsrc(module, address) : NULL;
    const char *file;
    int line = 0, column = 0;
    Dwarf_Die *unit;

    set_place(place, "", 0, 0);
    place->header[0] = 0;
    if (row == NULL)
        return;
    file = dwfl_lineinfo(row, NULL, &line, &column, NULL, NULL);
    if (file == NULL)
        return;
    set_place(place, file, line, column);
    name_header(place, file);
    unit = dwfl_module_addrdie(module, address, &bias);
    if (unit && line == 0)
        look_beside(unit, address - bias, place);
    if (unit)
        leave_headers(unit, address - bias, place);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The symbol of a variable that holds the address. */
static const char *variable_in(Dwfl_Module *module, GElf_Addr address)
{
    const int count = dwfl_module_getsymtab(module);

    for (int i = 0; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr begin;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &begin,
                                                   NULL, NULL, NULL);

        if (name && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT
            && address - begin < symbol.st_size)
            return name;
    }
    return NULL;
}

void softgpu_variable_at(uintptr_t address, char *name, int room)
{
    const char *found = NULL;

    pthread_mutex_lock(&lock);
    Dwfl *self = open_self();
    Dwfl_Module *module = /* unset variables may lie past its file */
        self ? dwfl_addrmodule(self, (Dwarf_Addr)&__executable_start) : NULL;

    if (module)
        found = variable_in(module, address);
    snprintf(name, (size_t)room, "%s", found ? found : "");
    pthread_mutex_unlock(&lock);
}

void softgpu_source_line(uintptr_t return_address, struct source_line *place)
{
    struct cached *entry =
        &cache[(return_address * 0x9E3779B97F4A7C15u) >> 52];

    pthread_mutex_lock(&lock);
    if (entry->address != return_address) {
        look_up(return_address, &entry->place);
        entry->address = return_address;
    }
    *place = entry->place;
    pthread_mutex_unlock(&lock);
}
