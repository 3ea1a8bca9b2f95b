/* SPDX-License-Identifier: MIT */
/* A library for LD_PRELOAD: one call of the C library fails, in the program
 * that loads it and in the processes that it forks, not in those it executes.
 *
 * FAULTS names a file with a struct faults, which the test maps, too: it says
 * which call fails, and counts all of them.  With FAULTS_TRACE the callers of
 * the call that fails are appended to the file of that name. */
#include "faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct faults *faults;
static const char *trace; /* a file, or NULL */

static __attribute__((constructor)) void map_faults(void)
{
    const char *path = getenv("FAULTS");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *map = fd < 0 ? MAP_FAILED
                       : mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE,
                              MAP_SHARED, fd, 0);

    if (fd >= 0)
        close(fd);
    unsetenv("LD_PRELOAD"); /* compilers and runners are not concerned */
    unsetenv("FAULTS");
    if (map != MAP_FAILED)
        faults = map;
    trace = getenv("FAULTS_TRACE");
}

/* Who called.  Called after the call that fails was counted. */
static void show_callers(void)
{
    const char *path = trace;
    void *callers[32];
    FILE *file;

    trace = NULL; /* these calls are not shown */
    file = fopen(path, "a");
    if (file)
        backtrace_symbols_fd(callers, backtrace(callers, 32), fileno(file));
    if (file)
        fclose(file);
}

/* Does this call fail?  Then errno is set. */
static int fails(enum fault_kind kind)
{
    long number;

    if (!faults)
        return 0;
    number = __atomic_add_fetch(&faults->count[kind], 1, __ATOMIC_RELAXED);
    if (kind != (enum fault_kind)faults->kind || !faults->at
        || (faults->stays_failed ? number < faults->at : number != faults->at))
        return 0;
    __atomic_add_fetch(&faults->hits, 1, __ATOMIC_RELAXED);
    if (trace)
        show_callers();
    errno = faults->error;
    return 1;
}

/* The function of the same name in the C library. */
#define NEXT(name) \
    static __typeof__(name) *next; \
    if (!next) \
        next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define WRAP(kind, failed, type, name, parameters, arguments) \
    type name parameters \
    { \
        NEXT(name); \
        return fails(kind) ? failed : next arguments; \
    }

/* open() and openat() have a mode when they create. */
#define WRAP_OPEN(name, parameters, ...) \
    int name parameters \
    { \
        va_list list; \
        mode_t mode; \
        NEXT(name); \
        va_start(list, flags); \
        mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
        va_end(list); \
        return fails(FAULT_OPEN) ? -1 : next(__VA_ARGS__, flags, mode); \
    }

WRAP_OPEN(open, (const char *path, int flags, ...), path)
WRAP_OPEN(openat, (int at, const char *path, int flags, ...), at, path)
WRAP(FAULT_OPEN, -1, int, memfd_create, (const char *n, unsigned f), (n, f))
WRAP(FAULT_OPEN, NULL, FILE *, fopen, (const char *p, const char *m), (p, m))
WRAP(FAULT_OPEN, NULL, FILE *, fdopen, (int fd, const char *m), (fd, m))
WRAP(FAULT_OPEN, NULL, DIR *, opendir, (const char *path), (path))
WRAP(FAULT_OPEN, -1, int, scandirat,
     (int at, const char *path, struct dirent ***list,
      int (*filter)(const struct dirent *),
      int (*order)(const struct dirent **, const struct dirent **)),
     (at, path, list, filter, order))
WRAP(FAULT_READ, -1, ssize_t, read, (int fd, void *to, size_t n), (fd, to, n))
WRAP(FAULT_READ, -1, ssize_t, pread,
     (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
WRAP(FAULT_WRITE, -1, ssize_t, write, (int fd, const void *from, size_t n),
     (fd, from, n))
WRAP(FAULT_FSYNC, -1, int, fsync, (int fd), (fd))
WRAP(FAULT_RENAME, -1, int, rename, (const char *a, const char *b), (a, b))
WRAP(FAULT_RENAME, -1, int, renameat,
     (int at, const char *a, int to, const char *b), (at, a, to, b))
WRAP(FAULT_RENAME, -1, int, renameat2,
     (int at, const char *a, int to, const char *b, unsigned f),
     (at, a, to, b, f))
WRAP(FAULT_RENAME, -1, int, linkat,
     (int at, const char *a, int to, const char *b, int f), (at, a, to, b, f))
WRAP(FAULT_MKDIR, -1, int, mkdir, (const char *path, mode_t m), (path, m))
WRAP(FAULT_MKDIR, -1, int, mkdirat, (int at, const char *p, mode_t m),
     (at, p, m))
WRAP(FAULT_MKDIR, NULL, char *, mkdtemp, (char *path), (path))
WRAP(FAULT_FORK, -1, pid_t, fork, (void), ())
WRAP(FAULT_PIPE, -1, int, pipe, (int ends[2]), (ends))
WRAP(FAULT_PIPE, -1, int, pipe2, (int ends[2], int flags), (ends, flags))
WRAP(FAULT_PIPE, -1, int, socketpair, (int d, int t, int p, int ends[2]),
     (d, t, p, ends))
WRAP(FAULT_WAIT, -1, pid_t, waitpid, (pid_t pid, int *status, int options),
     (pid, status, options))
WRAP(FAULT_WAIT, -1, int, poll, (struct pollfd *p, nfds_t n, int ms),
     (p, n, ms))
WRAP(FAULT_STAT, -1, int, fstat, (int fd, struct stat *about), (fd, about))
WRAP(FAULT_STAT, -1, int, access, (const char *path, int mode), (path, mode))
WRAP(FAULT_STAT, -1, int, faccessat,
     (int at, const char *path, int mode, int flags), (at, path, mode, flags))

/* dlsym() itself may allocate: the C library's own names are called. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

void *malloc(size_t bytes)
{
    return fails(FAULT_MEMORY) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails(FAULT_MEMORY) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return fails(FAULT_MEMORY) ? NULL : __libc_realloc(old, bytes);
}
