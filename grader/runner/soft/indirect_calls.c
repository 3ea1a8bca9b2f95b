/* SPDX-License-Identifier: MIT */
/* Calls through pointers: see indirect_calls.h.
 *
 * A table has a byte for each byte of device code, 1 where a function begins:
 * an address within a function could be any instruction, as the bytes of a
 * constant.  The table of symbols says where functions begin; a submission can
 * add to it only functions. */
#include "indirect_calls.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/softgpu/core/block.h"
#include "common/softgpu/core/math_names.h"
#include "common/softgpu/core/program_file.h"

/* Bounds of the two sections with functions that kernels may call. */
#define SECTION(name)                                                         \
    extern char __start_##name[] __attribute__((weak));                       \
    extern char __stop_##name[] __attribute__((weak))
SECTION(warp_device_text);
SECTION(softgpu_shared_text);

enum { PAGE = 4096, LIBRARY_FUNCTIONS = 500, INVALID_PC = 718 };

/* What the thunks read; nothing writes it after indirect_calls_close(). */
static union {
    struct {
        uintptr_t begin, bytes; /* of device code, once it is closed */
        uintptr_t table;        /* a byte for each of them */
        uintptr_t is_closed;    /* else anything is called */
        uintptr_t library[LIBRARY_FUNCTIONS]; /* others; 0 is the end */
    };
    char page[PAGE];
} calls __attribute__((aligned(PAGE), used));

static uintptr_t begin, end; /* of device code */
static unsigned char *table;

/* Without the check nothing may run. */
static void give_up(const char *what)
{
    fprintf(stderr, "warpbook: %s of the submission's program cannot be "
                    "read\n", what);
    _exit(EXIT_FAILURE);
}

/* A call of anything else.  In the runtime's section, so that the message has
 * the line of the call. */
__attribute__((used, noreturn, section("softgpu_text"))) static void
refuse_call(void)
{
    if (softgpu_tls.thread)
        softgpu_tls.thread->site = __builtin_return_address(0);
    softgpu_fail(INVALID_PC, "invalid program counter: a call through a "
                             "pointer to what is no __device__ function");
}

#ifdef __x86_64__
/* No register changes, and the stack is as after the call.  The names are those
 * that gcc and clang give. */
#define THUNK(reg, other)                                                     \
    ".globl __x86_indirect_thunk_" reg "\n"                                   \
    ".type __x86_indirect_thunk_" reg ", @function\n"                         \
    "__x86_indirect_thunk_" reg ":\n"                                         \
    "push %" other "\n"                                                       \
    "mov %" reg ", %" other "\n"                                              \
    "sub calls(%rip), %" other "\n"                                           \
    "cmp 8+calls(%rip), %" other "\n"                                         \
    "jae 1f\n"                                                                \
    "add 16+calls(%rip), %" other "\n"                                        \
    "cmpb $0, (%" other ")\n"                                                 \
    "pop %" other "\n"                                                        \
    "je refuse_call\n"                                                        \
    "jmp *%" reg "\n"                                                         \
    "1: cmpq $0, 24+calls(%rip)\n"                                            \
    "je 3f\n"                                                                 \
    "lea 32-8+calls(%rip), %" other "\n"                                      \
    "2: add $8, %" other "\n"                                                 \
    "cmpq $0, (%" other ")\n"                                                 \
    "je 4f\n"                                                                 \
    "cmp %" reg ", (%" other ")\n"                                            \
    "jne 2b\n"                                                                \
    "3: pop %" other "\n"                                                     \
    "jmp *%" reg "\n"                                                         \
    "4: pop %" other "\n"                                                     \
    "jmp refuse_call\n"
__asm__(".pushsection .text\n"
        THUNK("rax", "r11") THUNK("rbx", "r11") THUNK("rcx", "r11")
        THUNK("rdx", "r11") THUNK("rsi", "r11") THUNK("rdi", "r11")
        THUNK("rbp", "r11") THUNK("r8", "r11") THUNK("r9", "r11")
        THUNK("r10", "r11") THUNK("r11", "r10") THUNK("r12", "r11")
        THUNK("r13", "r11") THUNK("r14", "r11") THUNK("r15", "r11")
        ".popsection\n");
#endif

/* Set the bounds to those of a section, and of what was there before. */
static void add_section(const char *from, const char *to)
{
    if (from == to)
        return;
    if (!end || (uintptr_t)from < begin)
        begin = (uintptr_t)from;
    if ((uintptr_t)to > end)
        end = (uintptr_t)to;
}

static bool is_in(uintptr_t at, const char *from, const char *to)
{
    return at >= (uintptr_t)from && at < (uintptr_t)to;
}

/* A function's rarely used part is no function: ".cold" of gcc. */
static void add_function(uintptr_t at, const char *name)
{
    if ((is_in(at, __start_warp_device_text, __stop_warp_device_text)
         || is_in(at, __start_softgpu_shared_text, __stop_softgpu_shared_text))
        && !strstr(name, ".cold"))
        table[at - begin] = 1;
}

/* The first object of the list is the program. */
static int find_base(struct dl_phdr_info *info, size_t bytes, void *base)
{
    (void)bytes;
    *(uintptr_t *)base = info->dlpi_addr;
    return 1;
}

/* The file is one that our own linker wrote. */
static bool add_symbols(const char *file)
{
    const Elf64_Ehdr *header = (const void *)file;
    const Elf64_Shdr *section = (const void *)(file + header->e_shoff);
    uintptr_t base = 0;
    bool any = false;

    dl_iterate_phdr(find_base, &base);
    for (size_t i = 0; i < header->e_shnum; i++) {
        const Elf64_Sym *symbol = (const void *)(file + section[i].sh_offset);
        const size_t count = section[i].sh_size / sizeof *symbol;

        if (section[i].sh_type != SHT_SYMTAB)
            continue;
        const char *names = file + section[section[i].sh_link].sh_offset;
        any = true;
        for (size_t s = 0; s < count; s++)
            if (ELF64_ST_TYPE(symbol[s].st_info) == STT_FUNC)
                add_function(base + symbol[s].st_value,
                             names + symbol[s].st_name);
    }
    return any;
}

static void read_symbols(void)
{
    struct stat s;
    const int fd = softgpu_open_program();
    const bool has_size = fd >= 0 && !fstat(fd, &s) && s.st_size;
    void *file = has_size ? mmap(NULL, (size_t)s.st_size, PROT_READ,
                                 MAP_PRIVATE, fd, 0) : MAP_FAILED;

    if (file == MAP_FAILED || !add_symbols(file))
        give_up("the symbols");
    munmap(file, (size_t)s.st_size);
    close(fd);
}

/* Functions of <math.h>, in double and in float. */
static void add_library(void)
{
    static const char *const suffixes[] = {"", "f"};
    size_t count = 0;
    char name[64];
    int length;

    for (const char *at = MATH_NAMES; *at; at += length + strspn(at + length,
                                                                 " ")) {
        length = (int)strcspn(at, " ");
        for (size_t i = 0; i < 2 && length; i++) {
            snprintf(name, sizeof name, "%.*s%s", length, at, suffixes[i]);
            void *found = dlsym(RTLD_DEFAULT, name);
            if (found && count < LIBRARY_FUNCTIONS - 1)
                calls.library[count++] = (uintptr_t)found;
        }
    }
}

void indirect_calls_read(void)
{
    add_section(__start_warp_device_text, __stop_warp_device_text);
    add_section(__start_softgpu_shared_text, __stop_softgpu_shared_text);
    table = mmap(NULL, end - begin + 1, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table == MAP_FAILED)
        give_up("the code");
    read_symbols();
    add_library();
}

void indirect_calls_close(void)
{
    calls.begin = begin;
    calls.bytes = end - begin;
    calls.table = (uintptr_t)table;
    calls.is_closed = 1;
    if (mprotect(table, end - begin + 1, PROT_READ)
        || mprotect(&calls, sizeof calls, PROT_READ))
        give_up("the code");
}
