/* SPDX-License-Identifier: MIT */
/** @file
 *  Source lines from DWARF.  An instruction that was inlined from a header of
 *  the software GPU is attributed to the innermost call in the user's own
 *  file: the lookup walks the inlined scopes outwards.
 */
#define _GNU_SOURCE
#include "source_line.h"

#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_range.h"
#include "libdw.h"
#include "program_file.h"
#include "source_scopes.h"

#define CACHE_BITS 12      /* of a hash of the address: 4096 entries */
#define MAX_ROW_DISTANCE 4 /* rows of the line table: one statement's */

struct cached_line {
    uintptr_t address;
    struct source_line location;
};

static struct cached_line cache[1 << CACHE_BITS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all below */
static const struct softgpu_libdw *dw; /* NULL: not loaded */

/* Adds a file with the distance of its addresses in memory from those in it.
 * fd: of the file, which libdw closes, or -1 */
static void report_file(Dwfl *debug_info, const char *path, int fd,
                        uintptr_t distance)
{
    const char *name = strrchr(path, '/');

    if (name) /* not the kernel's own, which has no file */
        dw->dwfl_report_elf(debug_info, name + 1, path, fd, distance, true);
}

/* The loader's list says what is loaded.  The program itself is opened as what
 * runs: its path may be gone, or in a folder that this user must not enter. */
static int report_loaded(struct dl_phdr_info *loaded, size_t size,
                         void *debug_info)
{
    const char *name = loaded->dlpi_name;

    (void)size;
    report_file(debug_info, *name ? name : "/proc/self/exe",
                *name ? -1 : softgpu_open_program(), loaded->dlpi_addr);
    return 0;
}

/* The debug information of another program, or of this process; NULL without
 * libdw.  The first call decides. */
static Dwfl *open_debug_info(const char *program)
{
    static Dwfl_Callbacks callbacks;
    static Dwfl *debug_info;

    if (debug_info || (!dw && !(dw = softgpu_load_libdw())))
        return debug_info;
    callbacks.find_elf = dw->dwfl_build_id_find_elf;
    callbacks.find_debuginfo = dw->dwfl_standard_find_debuginfo;
    setenv("DEBUGINFOD_URLS", "", 0); /* no download of debug information */
    debug_info = dw->dwfl_begin(&callbacks);
    if (!debug_info)
        return NULL;
    if (program)
        report_file(debug_info, program, -1, 0);
    else
        dl_iterate_phdr(report_loaded, debug_info);
    dw->dwfl_report_end(debug_info, NULL, NULL);
    return debug_info;
}

void softgpu_source_line_open(const char *program)
{
    pthread_mutex_lock(&lock);
    open_debug_info(program);
    pthread_mutex_unlock(&lock);
}

/* The module (program or shared library) that holds an address, or NULL. */
static Dwfl_Module *find_module(uintptr_t address)
{
    Dwfl *debug_info = open_debug_info(NULL);

    return debug_info ? dw->dwfl_addrmodule(debug_info, address) : NULL;
}

/* Headers of the project and of the system are not the user's files. */
static int is_our_header(const char *file)
{
    return strstr(file, "softgpu/include/") != NULL
           || strstr(file, "common/include/") != NULL
           || strncmp(file, "/usr/", 5) == 0;
}

/* Line and column count from 1; 0: not known. */
static void set_location(struct source_line *location, const char *file,
                         int line, int column)
{
    snprintf(location->file, sizeof location->file, "%s", file);
    location->line = line;
    location->column = column;
}

/* Code of CUDA's headers is told apart from the program's own. */
static void set_header(struct source_line *location, const char *file)
{
    static const char ours[] = "softgpu/include/", cub[] = "/cub/";
    const char *inside = strstr(file, ours), *library = strstr(file, cub);

    if (inside)
        snprintf(location->header, sizeof location->header, "%s",
                 inside + strlen(ours));
    else if (library)
        snprintf(location->header, sizeof location->header, "%s", library + 1);
}

/* A number from DWARF, 0 if absent. */
static int die_attribute(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute found;
    Dwarf_Word value = 0;

    if (dw->dwarf_attr(die, attribute, &found) == NULL
        || dw->dwarf_formudata(&found, &value) != 0)
        return 0;
    return (int)value;
}

/* The name of the file that a scope was inlined into, or NULL. */
static const char *call_file(Dwarf_Die *unit, Dwarf_Die *scope)
{
    Dwarf_Files *files;
    size_t count;
    int index = die_attribute(scope, DW_AT_call_file);

    if (!dw->dwarf_hasattr(scope, DW_AT_call_file) || index < 0
        || dw->dwarf_getsrcfiles(unit, &files, &count) != 0
        || (size_t)index >= count)
        return NULL; /* 0 is a file in DWARF 5 */
    return dw->dwarf_filesrc(files, index, NULL, NULL);
}

/* softcc defines it in a program whose copies of structs are calls. */
extern const char softgpu_calls_copies __attribute__((weak));

/* Is the scope a call of a constructor or `operator=' that no source has?  Its
 * line is that of the class. */
static int is_copy(Dwarf_Die *scope)
{
    Dwarf_Attribute found;
    const char *name = NULL;

    if (dw->dwarf_tag(scope) != DW_TAG_inlined_subroutine
        || !dw->dwarf_attr_integrate(scope, DW_AT_artificial, &found))
        return 0;
    if (dw->dwarf_attr_integrate(scope, DW_AT_name, &found))
        name = dw->dwarf_formstring(&found);
    return name && strcmp(name, "operator()") && *name != '<' && *name != '_';
}

/* Walk outwards to the first call that is in a user's file. */
static void skip_inlined_headers(Dwarf_Die *unit, Dwarf_Addr address,
                                 struct source_line *location)
{
    Dwarf_Die *scopes = NULL;
    int count, i;

    if (!is_our_header(location->file) && !&softgpu_calls_copies)
        return; /* the search for scopes is slow */
    count = softgpu_scopes_at(dw, unit, address, &scopes);
    for (i = 0; i < count && (is_our_header(location->file)
                              || is_copy(&scopes[i])); i++) {
        const char *file = call_file(unit, &scopes[i]);

        if (file)
            set_location(location, file,
                         die_attribute(&scopes[i], DW_AT_call_line),
                         die_attribute(&scopes[i], DW_AT_call_column));
    }
    free(scopes);
}

/* Use a row of the line table if it names a line in a user's file. */
static int use_row(Dwarf_Line *row, struct source_line *location)
{
    const char *file = row ? dw->dwarf_linesrc(row, NULL, NULL) : NULL;
    int line = 0, column = 0;

    if (!file || is_our_header(file) || dw->dwarf_lineno(row, &line)
        || line == 0)
        return 0;
    dw->dwarf_linecol(row, &column);
    set_location(location, file, line, column);
    return 1;
}

/* clang assigns line 0 to an instruction that it merged from two lines.  The
 * nearest row before it, or else after it, is one of the two. */
static void find_nearest_row(Dwarf_Die *unit, Dwarf_Addr address,
                             struct source_line *location)
{
    Dwarf_Lines *rows;
    size_t count, at = 0;
    Dwarf_Addr begin;

    if (dw->dwarf_getsrclines(unit, &rows, &count) != 0)
        return;
    while (at < count
           && !dw->dwarf_lineaddr(dw->dwarf_onesrcline(rows, at), &begin)
           && begin <= address)
        at++;
    for (size_t i = at; i > 0 && at - i < MAX_ROW_DISTANCE; i--)
        if (use_row(dw->dwarf_onesrcline(rows, i - 1), location))
            return;
    for (size_t i = at; i < count && i - at < MAX_ROW_DISTANCE; i++)
        if (use_row(dw->dwarf_onesrcline(rows, i), location))
            return;
}

/* The row of a unit.  The last row before an address may be of other code: of
 * an object without debug information no unit has the address. */
static Dwarf_Line *row_of_unit(Dwarf_Die *unit, Dwarf_Addr address)
{
    return dw->dwarf_haspc(unit, address) > 0
               ? dw->dwarf_getsrc_die(unit, address) : NULL;
}

/* The line table's row for an address; *unit is the compilation unit that has
 * it, and *address becomes relative to the module.  clang writes no
 * .debug_aranges, the index that dwfl_module_addrdie() uses: it then returns
 * no unit or a wrong one, and every unit is searched. */
static Dwarf_Line *find_row(Dwarf_Addr *address, Dwarf_Die **unit)
{
    Dwfl_Module *module = find_module(*address);
    Dwarf_Addr bias = 0;
    Dwarf_Line *row = NULL;

    if (!module)
        return NULL;
    *unit = dw->dwfl_module_addrdie(module, *address, &bias);
    if (*unit)
        row = row_of_unit(*unit, *address - bias);
    if (!row)
        *unit = NULL;
    while (!row && (*unit = dw->dwfl_module_nextcu(module, *unit, &bias)))
        row = row_of_unit(*unit, *address - bias);
    *address -= bias;
    return row;
}

/* A return address minus 1 lies in the call itself. */
static void resolve_address(uintptr_t return_address,
                            struct source_line *location)
{
    Dwarf_Addr address = return_address - 1;
    Dwarf_Die *unit = NULL;
    Dwarf_Line *row = find_row(&address, &unit);
    const char *file = row ? dw->dwarf_linesrc(row, NULL, NULL) : NULL;
    int line = 0, column = 0;

    set_location(location, "", 0, 0);
    location->header[0] = 0;
    if (file == NULL)
        return;
    dw->dwarf_lineno(row, &line);
    dw->dwarf_linecol(row, &column);
    set_location(location, file, line, column);
    set_header(location, file);
    if (line == 0)
        find_nearest_row(unit, address, location);
    skip_inlined_headers(unit, address, location);
}

/* The symbol of the variable that contains the address. */
static const char *find_variable(Dwfl_Module *module, GElf_Addr address)
{
    const int count = dw->dwfl_module_getsymtab(module);

    for (int i = 0; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr begin;
        const char *name = dw->dwfl_module_getsym_info(
            module, i, &symbol, &begin, NULL, NULL, NULL);

        if (name && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT
            && address - begin < symbol.st_size)
            return name;
    }
    return NULL;
}

void softgpu_variable_at(uintptr_t address, char *name, int size)
{
    const char *found = NULL;

    pthread_mutex_lock(&lock);
    /* uninitialized variables may lie past the end of the module's file */
    Dwfl_Module *program = find_module(softgpu_image_begin());
    if (program)
        found = find_variable(program, address);
    snprintf(name, (size_t)size, "%s", found ? found : "");
    pthread_mutex_unlock(&lock);
}

const char *softgpu_function_name(const void *address)
{
    pthread_mutex_lock(&lock);
    Dwfl_Module *module = find_module((uintptr_t)address);
    const char *name =
        module ? dw->dwfl_module_addrname(module, (uintptr_t)address) : NULL;
    pthread_mutex_unlock(&lock);
    return name;
}

void softgpu_source_line(uintptr_t return_address,
                         struct source_line *location)
{
    struct cached_line *entry =
        &cache[return_address * 0x9E3779B97F4A7C15u >> (64 - CACHE_BITS)];

    pthread_mutex_lock(&lock);
    if (entry->address != return_address) {
        resolve_address(return_address, &entry->location);
        entry->address = return_address;
    }
    *location = entry->location;
    pthread_mutex_unlock(&lock);
}
