/* SPDX-License-Identifier: MIT */
/* Mangled names: the module has a pointer to each kernel and variable that is
 * asked for, and a relocation says what is at the other end.  A module is of
 * this machine, so its ELF structures are the compiler's own. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

/* A table of symbols and its names. */
struct symbols {
    const Elf64_Sym *all;
    size_t count;
    const char *names;
};

/* The section headers of a module. */
static const Elf64_Shdr *sections(const char *module)
{
    return (const void *)(module + ((const Elf64_Ehdr *)module)->e_shoff);
}

/* Their number. */
static int section_count(const char *module)
{
    return ((const Elf64_Ehdr *)module)->e_shnum;
}

/* The symbols of a section, or none if it is of another type. */
static struct symbols symbols_of(const char *module, const Elf64_Shdr *s,
                                 unsigned type)
{
    struct symbols t = {0};

    if (s->sh_type != type)
        return t;
    t.all = (const void *)(module + s->sh_offset);
    t.count = s->sh_size / sizeof *t.all;
    t.names = module + sections(module)[s->sh_link].sh_offset;
    return t;
}

/* A symbol by its name, or with NULL by its address; the empty name and files
 * are none. */
static const char *find(const char *module, const char *name,
                        Elf64_Addr *address)
{
    for (int i = 0; i < section_count(module); i++) {
        const struct symbols t =
            symbols_of(module, &sections(module)[i], SHT_SYMTAB);
        for (size_t k = 0; k < t.count; k++) {
            const Elf64_Sym *s = &t.all[k];
            const char *text = t.names + s->st_name;
            const unsigned char type = ELF64_ST_TYPE(s->st_info);
            if (name ? strcmp(text, name) != 0
                     : s->st_value != *address
                           || (type != STT_FUNC && type != STT_OBJECT))
                continue;
            *address = s->st_value;
            return text;
        }
    }
    return NULL;
}

/* The target of the pointer at an address. */
static const char *target_of(const char *module, Elf64_Addr address)
{
    for (int i = 0; i < section_count(module); i++) {
        const Elf64_Shdr *s = &sections(module)[i];
        const Elf64_Rela *r = (const void *)(module + s->sh_offset);
        const size_t n = s->sh_type == SHT_RELA ? s->sh_size / sizeof *r : 0;
        for (size_t k = 0; k < n; k++) {
            if (r[k].r_offset != address)
                continue;
            const size_t symbol = ELF64_R_SYM(r[k].r_info);
            const struct symbols t = symbols_of(
                module, &sections(module)[s->sh_link], SHT_DYNSYM);
            if (symbol && symbol < t.count)
                return t.names + t.all[symbol].st_name;
            Elf64_Addr at = (Elf64_Addr)r[k].r_addend;
            return find(module, NULL, &at);
        }
    }
    return NULL;
}

/* _Z1k and _ZL1k without arguments are k: a variable. */
static char *plain_name(const char *mangled)
{
    const char *digits = mangled;
    char *end;

    if (strncmp(mangled, "_Z", 2) == 0)
        digits += mangled[2] == 'L' ? 3 : 2;
    const unsigned long length = strtoul(digits, &end, 10);
    if (digits != mangled && length && strlen(end) == length)
        return strdup(end);
    return strdup(mangled);
}

/* Each name has a pointer in the module; the symbol that it points to is
 * its lowered name. */
nvrtcResult rtc_lower_names(nvrtcProgram p)
{
    for (int i = 0; i < p->name_count; i++) {
        char pointer[32];
        Elf64_Addr address = 0;
        snprintf(pointer, sizeof pointer, "softgpu_name_%d", i);
        const char *name = find(p->module, pointer, &address)
                               ? target_of(p->module, address) : NULL;
        if (!name)
            return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
        p->names[i].lowered = plain_name(name);
    }
    return NVRTC_SUCCESS;
}
