/* SPDX-License-Identifier: MIT */
/* Why a person should look at a file that builds: names and sections that an
 * honest program for a lab does not have.  No verdict follows from them. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "common/base/files.h"
#include "common/base/text.h"

enum { MAX_PROGRAM = 256 << 20 };

/* Functions of the C library and of test tools, which a program calls but does
 * not define. */
static const char *const names[] = {
    "memcmp", "memcpy", "memset", "memmove", "strcmp", "strlen", "fabs",
    "fabsf", "malloc", "free", "calloc", "realloc", "abort", "exit", "_exit",
    "read", "write", "clock_gettime", "gettimeofday", "time"};
static const char *const prefixes[] = {"CU_", "__asan_", "__lsan_", "__tsan_de",
                                       "__ubsan_", "__msan_", "__gmon_start__"};

/* The bytes of a program; every offset in it may be wrong. */
struct program_file {
    const char *bytes;
    size_t length;
};

static bool has_room(const struct program_file *file, uint64_t offset,
                     uint64_t bytes)
{
    return offset <= file->length && bytes <= file->length - offset;
}

/* A text of a table that ends in the file, or "". */
static const char *table_text(const struct program_file *file,
                              const Elf64_Shdr *table, uint64_t at)
{
    const uint64_t offset = table->sh_offset + at;

    if (!has_room(file, table->sh_offset, table->sh_size)
        || at >= table->sh_size
        || !memchr(file->bytes + offset, 0, table->sh_size - at))
        return "";
    return file->bytes + offset;
}

static bool is_library_name(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
            return true;
    return false;
}

/* As the file has it: softcc --graded gives functions of this kind another
 * name, so that only the file itself calls them. */
static const char *own_name(const char *name)
{
    static const char prefix[] = "warp_own_";
    const size_t bytes = sizeof prefix - 1;

    return strncmp(name, prefix, bytes) ? name : name + bytes;
}

static void review_symbols(const struct program_file *file,
                           const Elf64_Shdr *section,
                           const Elf64_Shdr *names_of, char *review)
{
    const size_t count = section->sh_size / sizeof(Elf64_Sym);

    if (!has_room(file, section->sh_offset, section->sh_size))
        return;
    for (size_t i = 0; i < count && !*review; i++) {
        Elf64_Sym symbol;
        const char *name;

        memcpy(&symbol, file->bytes + section->sh_offset + i * sizeof symbol,
               sizeof symbol);
        if (symbol.st_shndx == SHN_UNDEF
            || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL)
            continue;
        name = own_name(table_text(file, names_of, symbol.st_name));
        if (is_library_name(name))
            text_format(review, REVIEW_SIZE, "the file defines %.60s(), a "
                        "function of a library", name);
        else if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
            text_format(review, REVIEW_SIZE, "%.60s() is chosen while the "
                        "program is loaded", name);
    }
}

/* A header of the section table, zeros if it is not there. */
static Elf64_Shdr section_header(const struct program_file *file,
                                 const Elf64_Ehdr *head, size_t index)
{
    const uint64_t offset = head->e_shoff + index * sizeof(Elf64_Shdr);
    Elf64_Shdr section = {0};

    if (index < head->e_shnum && has_room(file, offset, sizeof section))
        memcpy(&section, file->bytes + offset, sizeof section);
    return section;
}

static void review_sections(const struct program_file *file, char *review)
{
    Elf64_Shdr texts;
    Elf64_Ehdr head;

    if (!has_room(file, 0, sizeof head))
        return;
    memcpy(&head, file->bytes, sizeof head);
    texts = section_header(file, &head, head.e_shstrndx);
    for (size_t i = 0; i < head.e_shnum && !*review; i++) {
        const Elf64_Shdr section = section_header(file, &head, i);

        if (!strcmp(table_text(file, &texts, section.sh_name),
                    ".preinit_array")) {
            text_format(review, REVIEW_SIZE,
                        "the file has code that runs before all other");
        } else if (section.sh_type == SHT_SYMTAB) {
            const Elf64_Shdr own = section_header(file, &head,
                                                  section.sh_link);

            review_symbols(file, &section, &own, review);
        }
    }
}

void review_program(const char *path, char *review)
{
    struct program_file file;
    char *bytes;

    if (*review)
        return;
    file.length = 0;
    bytes = read_file(path, MAX_PROGRAM, &file.length);
    file.bytes = bytes;
    if (bytes)
        review_sections(&file, review);
    free(bytes);
}

void review_source(const char *text, char *review)
{
    static const char *const times[] = {"__DATE__", "__TIME__",
                                        "__TIMESTAMP__"};

    for (size_t i = 0; i < 3 && !*review; i++)
        if (strstr(text, times[i]))
            text_format(review, REVIEW_SIZE,
                        "the file asks when it is compiled: %s", times[i]);
    if (!*review && strstr(text, ".byte"))
        text_format(review, REVIEW_SIZE,
                    "the file may have machine code in it: .byte");
}
