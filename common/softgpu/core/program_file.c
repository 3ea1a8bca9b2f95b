/* SPDX-License-Identifier: MIT */
/* The file of the running program.
 *
 * The kernel names a program that was executed by a descriptor /dev/fd/N.  The
 * file of that number is the program's if its program headers are those in
 * memory: the program may have closed it and opened another. */
#include "program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Does the file have the program headers of this process? */
static bool is_this_program(int fd)
{
    enum { MOST = 64 };
    const void *loaded = (const void *)getauxval(AT_PHDR);
    ElfW(Phdr) read[MOST];
    ElfW(Ehdr) file;
    size_t bytes;

    if (pread(fd, &file, sizeof file, 0) != sizeof file
        || memcmp(file.e_ident, ELFMAG, SELFMAG)
        || file.e_phentsize != sizeof *read || file.e_phnum > MOST
        || file.e_phnum != getauxval(AT_PHNUM))
        return false;
    bytes = file.e_phnum * sizeof *read;
    return pread(fd, read, bytes, (off_t)file.e_phoff) == (ssize_t)bytes
           && !memcmp(read, loaded, bytes);
}

int softgpu_open_program(void)
{
    const char *name = (const char *)getauxval(AT_EXECFN);
    int executed, fd;

    if (name && sscanf(name, "/dev/fd/%d", &executed) == 1
        && is_this_program(executed)
        && (fd = fcntl(executed, F_DUPFD_CLOEXEC, 3)) >= 0)
        return fd;
    return open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
}
