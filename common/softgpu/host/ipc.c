/* SPDX-License-Identifier: MIT */
/** @file
 *  The table of what this process exports, and those of other processes.
 */
#include "ipc.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC 0x63706967u

/* A table that this process has mapped.  Never unmapped: events refer to it. */
struct peer {
    struct peer *next;
    int process;
    uint64_t inode;
    struct softgpu_ipc_table *table;
};

static struct peer *peers;
static struct softgpu_ipc_table *own;
static int own_file, owner; /* the process that made it: not a forked child */

int softgpu_ipc_file(const char *name, size_t bytes)
{
    const int first = memfd_create(name, MFD_CLOEXEC);
    const int file = first < 0 ? -1 : fcntl(first, F_DUPFD_CLOEXEC, 3);
    if (first >= 0)
        close(first);
    if (file >= 0 && !ftruncate(file, (off_t)bytes))
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

uint64_t softgpu_ipc_inode(int file)
{
    struct stat s;
    return fstat(file, &s) ? 0 : (uint64_t)s.st_ino;
}

/* The descriptor may be another file's now, such as a pipe, on which open()
 * would wait: its kind is looked at first. */
int softgpu_ipc_open(int process, int file, uint64_t inode)
{
    char path[64];
    struct stat s;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", process, file);
    if (stat(path, &s) || !S_ISREG(s.st_mode) || s.st_ino != inode)
        return -1;
    const int opened = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (opened >= 0 && softgpu_ipc_inode(opened) == inode)
        return opened;
    if (opened >= 0)
        close(opened);
    return -1;
}

static struct softgpu_ipc_table *map_table(int file)
{
    struct stat s;
    void *p = MAP_FAILED;
    if (!fstat(file, &s)
        && (size_t)s.st_size == sizeof(struct softgpu_ipc_table))
        p = mmap(NULL, sizeof(struct softgpu_ipc_table),
                 PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return p == MAP_FAILED ? NULL : p;
}

struct softgpu_ipc_table *softgpu_ipc_own_table(void)
{
    if (own && owner == getpid())
        return own;
    const int file =
        softgpu_ipc_file("softgpu-ipc", sizeof(struct softgpu_ipc_table));
    own = file < 0 ? NULL : map_table(file);
    own_file = file;
    owner = getpid();
    return own;
}

struct softgpu_ipc_handle softgpu_ipc_handle(enum softgpu_ipc_kind kind,
                                             size_t entry, uint32_t life)
{
    return (struct softgpu_ipc_handle){
        .magic = MAGIC, .kind = kind, .process = owner, .file = own_file,
        .inode = softgpu_ipc_inode(own_file), .entry = (uint32_t)entry,
        .life = life};
}

int softgpu_ipc_is_handle(const struct softgpu_ipc_handle *handle,
                          enum softgpu_ipc_kind kind)
{
    const uint32_t entries = kind == SOFTGPU_IPC_OF_MEMORY
                                 ? SOFTGPU_IPC_MEMORY : SOFTGPU_IPC_EVENTS;
    return handle->magic == MAGIC && handle->kind == kind
           && handle->process > 0 && handle->entry < entries
           && handle->life % 2 == 1;
}

static struct softgpu_ipc_table *new_peer(const struct softgpu_ipc_handle *h)
{
    const int file = softgpu_ipc_open(h->process, h->file, h->inode);
    struct softgpu_ipc_table *table = file < 0 ? NULL : map_table(file);
    struct peer *peer = table ? malloc(sizeof *peer) : NULL;
    if (file >= 0)
        close(file);
    if (!peer)
        return NULL;
    *peer = (struct peer){peers, h->process, h->inode, table};
    peers = peer;
    return table;
}

struct softgpu_ipc_table *
softgpu_ipc_table_of(const struct softgpu_ipc_handle *handle)
{
    if (softgpu_ipc_has_ended(handle->process))
        return NULL;
    for (const struct peer *p = peers; p; p = p->next)
        if (p->process == handle->process && p->inode == handle->inode)
            return p->table;
    return new_peer(handle);
}

/* A process that has ended and was not waited for counts, too. */
int softgpu_ipc_has_ended(int process)
{
    struct pollfd end = {.fd = pidfd_open(process, 0), .events = POLLIN};
    if (end.fd < 0)
        return 1;
    const int ended = poll(&end, 1, 0) == 1;
    close(end.fd);
    return ended;
}
