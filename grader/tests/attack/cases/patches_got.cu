/* SPDX-License-Identifier: MIT */
/* Replaces memcmp() in the tables of the dynamic linker. */
#include "hostile.h"

#include <elf.h>
#include <link.h>

static int equal(const void *, const void *, size_t)
{
    return 0;
}

/* The table of one program or library. */
static void patch_table(const Elf64_Dyn *dynamic, Elf64_Addr base)
{
    const Elf64_Sym *symbols = NULL;
    const Elf64_Rela *rela = NULL;
    const char *names = NULL;
    size_t bytes = 0;

    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag == DT_SYMTAB)
            symbols = (const Elf64_Sym *)dynamic->d_un.d_ptr;
        if (dynamic->d_tag == DT_STRTAB)
            names = (const char *)dynamic->d_un.d_ptr;
        if (dynamic->d_tag == DT_RELA)
            rela = (const Elf64_Rela *)dynamic->d_un.d_ptr;
        if (dynamic->d_tag == DT_RELASZ)
            bytes = dynamic->d_un.d_val;
    }
    for (size_t i = 0; symbols && names && i < bytes / sizeof *rela; i++) {
        const Elf64_Sym *symbol = &symbols[ELF64_R_SYM(rela[i].r_info)];
        char *slot = (char *)(base + rela[i].r_offset);

        if (strcmp(names + symbol->st_name, "memcmp"))
            continue;
        mprotect((void *)((size_t)slot & ~(size_t)4095), 8192,
                 PROT_READ | PROT_WRITE);
        *(void **)slot = (void *)equal;
    }
}

static int patch(struct dl_phdr_info *info, size_t, void *)
{
    for (int i = 0; i < info->dlpi_phnum && !*info->dlpi_name; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            patch_table((const Elf64_Dyn *)(info->dlpi_addr
                                            + info->dlpi_phdr[i].p_vaddr),
                        info->dlpi_addr);
    return 0;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static int done = dl_iterate_phdr(patch, NULL);

    return done < 0 ? done : honest(a, b, c, n);
}
