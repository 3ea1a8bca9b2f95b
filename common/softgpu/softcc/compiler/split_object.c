/* SPDX-License-Identifier: MIT */
/* Moving the functions of an object to sections of their own, by the
 * processes that may run them.
 *
 * The roots are the functions by which the runtime enters a kernel.  From there
 * relocations of any type lead to all that kernels call, by section
 * (-ffunction-sections).  Only names and types of sections change: new names
 * are appended to the file with a copy of the table of names. */
#include "split_object.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "options.h"
#include "unseen_accesses.h"

enum { MAX_OBJECT_BYTES = 1 << 30,
       REACHED = 1, CALLS_HOST = 2 /* properties of a section */ };

struct object {
    char *bytes;
    size_t length;
    Elf64_Shdr *section;
    size_t sections;
    const Elf64_Sym *symbol;
    size_t symbols;
    const char *symbol_names, *section_names;
    unsigned char *marks; /* by section */
    const char *name;     /* of the source file */
    struct buffer *messages;
};

static bool in_file(const struct object *o, const Elf64_Shdr *s)
{
    return s->sh_type == SHT_NOBITS
           || (s->sh_offset <= o->length
               && s->sh_size <= o->length - s->sh_offset);
}

static const char *section_name(const struct object *o, size_t i)
{
    return o->section_names + o->section[i].sh_name;
}

static bool has_prefix(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

/* A section and the members of its family: ".text", ".text.startup". */
static bool is_family(const char *name, const char *family)
{
    const size_t n = strlen(family);

    return !strncmp(name, family, n) && (!name[n] || name[n] == '.');
}

static void open_tables(struct object *o)
{
    for (size_t i = 0; i < o->sections; i++) {
        const Elf64_Shdr *s = &o->section[i];

        if (s->sh_type != SHT_SYMTAB || s->sh_link >= o->sections)
            continue;
        o->symbol = (const void *)(o->bytes + s->sh_offset);
        o->symbols = s->sh_size / sizeof *o->symbol;
        o->symbol_names = o->bytes + o->section[s->sh_link].sh_offset;
    }
}

/* Check the headers: an object that the compiler has just written. */
static bool parse(struct object *o)
{
    const Elf64_Ehdr *header = (const void *)o->bytes;

    if (o->length < sizeof *header || memcmp(o->bytes, ELFMAG, SELFMAG)
        || header->e_ident[EI_CLASS] != ELFCLASS64
        || header->e_type != ET_REL || header->e_shoff > o->length
        || header->e_shnum > (o->length - header->e_shoff)
                                 / sizeof *o->section
        || !header->e_shnum || header->e_shstrndx >= header->e_shnum)
        return false;
    o->section = (Elf64_Shdr *)(o->bytes + header->e_shoff);
    o->sections = header->e_shnum;
    for (size_t i = 0; i < o->sections; i++)
        if (!in_file(o, &o->section[i]))
            return false;
    o->section_names = o->bytes + o->section[header->e_shstrndx].sh_offset;
    open_tables(o);
    o->marks = calloc(o->sections, 1);
    return o->symbol && o->marks;
}

/* The runtime enters a kernel by one of these (softgpu/launch.h). */
static bool is_entry(const Elf64_Sym *symbol, const char *name)
{
    return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC
           && (has_prefix(name, "_ZN7softgpu10run_blocksI")
               || has_prefix(name, "_ZN7softgpu12thread_entryI")
               || has_prefix(name, "_ZN7softgpu11stub_callerI"));
}

static bool is_code(const struct object *o, size_t i)
{
    return o->section[i].sh_flags & SHF_EXECINSTR;
}

/* The effect of a relocation in section `from` on the marks.
 *  @return true when a mark is new */
static bool follow(struct object *o, size_t from, const Elf64_Sym *to)
{
    const char *name = o->symbol_names + to->st_name;
    unsigned char *mark;

    if (to->st_shndx == SHN_UNDEF) {
        if (!*name || is_device_import(name)
            || o->marks[from] & CALLS_HOST)
            return false;
        o->marks[from] |= CALLS_HOST;
        return true;
    }
    if (to->st_shndx >= o->sections)
        return false;
    mark = &o->marks[to->st_shndx];
    if (o->marks[from] & REACHED && !(*mark & REACHED)) {
        *mark |= REACHED;
        return true;
    }
    if (*mark & CALLS_HOST && !(o->marks[from] & CALLS_HOST)) {
        o->marks[from] |= CALLS_HOST;
        return true;
    }
    return false;
}

/* Call visit() for the symbol of each relocation of a section's. */
static bool each_relocation(struct object *o, size_t i,
                            bool (*visit)(struct object *, size_t,
                                          const Elf64_Sym *))
{
    const Elf64_Shdr *s = &o->section[i];
    bool any = false;

    if (s->sh_type != SHT_RELA || s->sh_info >= o->sections
        || !(o->section[s->sh_info].sh_flags & SHF_ALLOC)
        || is_family(section_name(o, s->sh_info), ".eh_frame"))
        return false;
    for (size_t r = 0; r < s->sh_size / sizeof(Elf64_Rela); r++) {
        const Elf64_Rela *rela =
            (const Elf64_Rela *)(o->bytes + s->sh_offset) + r;
        const size_t symbol = ELF64_R_SYM(rela->r_info);

        if (symbol < o->symbols)
            any |= visit(o, s->sh_info, &o->symbol[symbol]);
    }
    return any;
}

static void mark_sections(struct object *o)
{
    bool changed = true;

    for (size_t i = 0; i < o->symbols; i++) {
        const Elf64_Sym *s = &o->symbol[i];

        if (s->st_shndx && s->st_shndx < o->sections
            && is_entry(s, o->symbol_names + s->st_name))
            o->marks[s->st_shndx] |= REACHED;
    }
    while (changed) {
        changed = false;
        for (size_t i = 0; i < o->sections; i++)
            changed |= each_relocation(o, i, follow);
    }
}

/* A host function that kernel code calls. */
static bool report_import(struct object *o, size_t from, const Elf64_Sym *to)
{
    const char *name = o->symbol_names + to->st_name;

    if (!(o->marks[from] & REACHED) || to->st_shndx != SHN_UNDEF || !*name
        || is_device_import(name))
        return false;
    buffer_printf(o->messages,
                  "%s: error: device code uses `%s', which only host code "
                  "may\n", o->name, /* in the words of the program */
                  strcmp(name, "softgpu_push_config") ? name
                                                      : "kernel<<<...>>>()");
    return true;
}

static void check_symbols(struct object *o)
{
    for (size_t i = 0; i < o->symbols; i++)
        if (ELF64_ST_TYPE(o->symbol[i].st_info) == STT_GNU_IFUNC)
            buffer_printf(o->messages,
                          "%s: error: `%s' is an indirect function (ifunc), "
                          "which no program for a card has\n", o->name,
                          o->symbol_names + o->symbol[i].st_name);
}

/* Do kernels reach the function of this name? */
static bool is_reached(void *object, const char *name, size_t length)
{
    const struct object *o = object;

    for (const Elf64_Sym *s = o->symbol; s < o->symbol + o->symbols; s++) {
        const char *own = o->symbol_names + s->st_name;

        if (s->st_shndx != SHN_UNDEF && s->st_shndx < o->sections
            && strlen(own) == length && !memcmp(own, name, length))
            return o->marks[s->st_shndx] & REACHED;
    }
    return false;
}

/* Sections of compilers; the rest is code or data in disguise. */
static void check_section(struct object *o, size_t i)
{
    static const char *const families[] = {
        ".text", ".rodata", ".lrodata", ".data", ".bss", ".ldata", ".lbss",
        ".tdata", ".tbss", ".init_array", ".fini_array", ".eh_frame",
        ".gcc_except_table", ".note", ".group", "__sancov_guards",
        "__sancov_pcs"};
    const char *name = section_name(o, i);

    if (!(o->section[i].sh_flags & SHF_ALLOC))
        return;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        if (is_family(name, families[f])
            && (!is_code(o, i) || is_family(name, ".text")))
            return;
    buffer_printf(o->messages,
                  "%s: error: section `%.100s' is not one of the compiler's\n",
                  o->name, name);
}

static const char *const new_names[] = {
    "warp_host_text", "warp_device_text", "warp_host_init", "warp_host_fini",
    "warp_data", "warp_bss", "softgpu_shared_text"};
enum { HOST_TEXT, DEVICE_TEXT, HOST_INIT, HOST_FINI, DATA, BSS, SHARED_TEXT,
       NAMES };

/* The section's new name, or NAMES.  A function that several objects may
 * define (COMDAT) stays callable if all that it calls is. */
static int choose_name(const struct object *o, size_t i)
{
    const char *name = section_name(o, i);
    const Elf64_Shdr *s = &o->section[i];
    const bool is_shared = s->sh_flags & SHF_GROUP;

    if (!(s->sh_flags & SHF_ALLOC))
        return NAMES;
    if (is_code(o, i) && o->marks[i] & REACHED)
        return DEVICE_TEXT;
    if (is_code(o, i))
        return is_shared && !(o->marks[i] & CALLS_HOST) ? SHARED_TEXT
                                                        : HOST_TEXT;
    if (is_family(name, ".init_array"))
        return HOST_INIT;
    if (is_family(name, ".fini_array"))
        return HOST_FINI;
    if (is_family(name, ".bss"))
        return BSS;
    return is_family(name, ".data") ? DATA : NAMES;
}

/* Append the table of section names with the new ones, and use them.  In
 * objects of clang it is also that of the symbols.
 *  @param names  the table of the symbols, appended before it */
static void rename_sections(struct object *o, const struct buffer *names,
                            struct buffer *out)
{
    const Elf64_Ehdr *header = (const void *)o->bytes;
    Elf64_Shdr *table = &o->section[header->e_shstrndx];
    const size_t at = o->length + names->length;
    size_t end = table->sh_size, offset[NAMES];

    for (int n = 0; n < NAMES; n++) {
        offset[n] = end;
        end += strlen(new_names[n]) + 1;
    }
    for (size_t i = 1; i < o->sections; i++) {
        const int name = choose_name(o, i);

        if (name == NAMES)
            continue;
        o->section[i].sh_name = (Elf64_Word)offset[name];
        if (name == HOST_INIT || name == HOST_FINI)
            o->section[i].sh_type = SHT_PROGBITS;
    }
    const bool is_of_symbols = table->sh_offset == o->length;
    const char *old = is_of_symbols ? names->bytes
                                    : o->bytes + table->sh_offset;
    const size_t old_bytes = table->sh_size;
    table->sh_offset = at;
    table->sh_size = end;
    buffer_write(out, o->bytes, o->length);
    buffer_write(out, names->bytes, names->length);
    buffer_write(out, old, old_bytes);
    for (int n = 0; n < NAMES; n++)
        buffer_write(out, new_names[n], strlen(new_names[n]) + 1);
}

/* A name of the C library or of the tool chain, as __gmon_start__(), which
 * start-up code calls before main(): what the program defines under it would
 * replace theirs in the device process, too. */
static bool is_library_name(const Elf64_Sym *symbol, const char *name)
{
    return symbol->st_shndx != SHN_UNDEF
           && ELF64_ST_BIND(symbol->st_info) != STB_LOCAL && *name
           && (has_prefix(name, "_Zn") || has_prefix(name, "_Zd")
               || (*name == '_' && !has_prefix(name, "_Z"))
               || (!has_prefix(name, "_Z") && dlsym(RTLD_DEFAULT, name)));
}

/* Give the program's functions of such names other names; references within the
 * object follow by number. */
static void rename_symbols(struct object *o, struct buffer *out)
{
    static const char prefix[] = "warp_own_";
    Elf64_Shdr *table = NULL;
    struct buffer names = { 0 };

    for (size_t i = 0; i < o->sections && !table; i++)
        if (o->section[i].sh_type == SHT_SYMTAB)
            table = &o->section[o->section[i].sh_link];
    buffer_write(&names, o->symbol_names, table->sh_size);
    for (size_t i = 1; i < o->symbols; i++) {
        Elf64_Sym *symbol = (Elf64_Sym *)&o->symbol[i];
        const char *name = o->symbol_names + symbol->st_name;
        const size_t at = names.length;

        if (!is_library_name(symbol, name))
            continue;
        buffer_write(&names, prefix, sizeof prefix - 1);
        buffer_write(&names, name, strlen(name) + 1);
        symbol->st_name = (Elf64_Word)at;
    }
    table->sh_offset = o->length;
    table->sh_size = names.length;
    buffer_write(out, names.bytes, names.length);
    free(names.bytes);
}

static int split(struct object *o, const char *path, const char *dump)
{
    struct buffer out = { 0 }, names = { 0 };
    bool ok;

    if (!parse(o)) {
        buffer_printf(o->messages, "%s: error: no ELF object\n", o->name);
        return EXIT_UNSUPPORTED;
    }
    mark_sections(o);
    check_symbols(o);
    if (dump)
        report_unseen_accesses(dump, is_reached, o, o->messages);
    for (size_t i = 1; i < o->sections; i++) {
        check_section(o, i);
        each_relocation(o, i, report_import);
    }
    if (o->messages->length)
        return EXIT_UNSUPPORTED;
    rename_symbols(o, &names);
    rename_sections(o, &names, &out);
    ok = write_file(path, out.bytes, out.length);
    free(out.bytes);
    free(names.bytes);
    if (!ok)
        buffer_printf(o->messages, "softcc: cannot write %s: %s\n", path,
                      strerror(errno));
    return ok ? EXIT_OK : EXIT_FILES;
}

int split_object(const char *object, const char *name, const char *dump,
                 struct buffer *messages)
{
    struct object o = { .name = name, .messages = messages };
    int code;

    o.bytes = read_file(object, MAX_OBJECT_BYTES, &o.length);
    if (!o.bytes) {
        buffer_printf(messages, "softcc: cannot read %s: %s\n", object,
                      strerror(errno));
        return EXIT_FILES;
    }
    code = split(&o, object, dump);
    free(o.marks);
    free(o.bytes);
    return code;
}
