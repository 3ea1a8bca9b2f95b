/* SPDX-License-Identifier: MIT */
/* Acts past the file system: sockets, kernel keys, shared objects, and large
 * parts of the kernel. */
#include "acts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "canary.h"

static bool can_make_socket(int family, int type)
{
    int fd = socket(family, type | SOCK_CLOEXEC, 0);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool use_network(void)
{
    return can_make_socket(AF_INET, SOCK_STREAM)
           || can_make_socket(AF_INET, SOCK_DGRAM)
           || can_make_socket(AF_INET6, SOCK_STREAM);
}

static bool use_other_sockets(void)
{
    return can_make_socket(AF_NETLINK, SOCK_RAW)
           || can_make_socket(AF_PACKET, SOCK_DGRAM)
           || can_make_socket(AF_ALG, SOCK_SEQPACKET);
}

static bool use_vsock(void)
{
    return can_make_socket(AF_VSOCK, SOCK_STREAM);
}

static bool connect_abstract(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const char *name = act_argument[CANARY_SOCKET];
    bool connected;

    memcpy(address.sun_path + 1, name, strlen(name));
    connected = connect(fd, (struct sockaddr *)&address,
                        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1
                                    + strlen(name))) == 0;
    close(fd);
    return connected;
}

static bool use_keys(void)
{
    return syscall(SYS_keyctl, 0, -3, 1) >= 0
           || syscall(SYS_add_key, "user", "canary", "x", 1, -2) >= 0;
}

static bool use_io_uring(void)
{
    struct io_uring_params params = {0};

    return syscall(SYS_io_uring_setup, 1, &params) >= 0 || errno != EPERM;
}

static bool use_kernel_parts(void)
{
    return syscall(SYS_bpf, 0, NULL, 0) >= 0 || errno != EPERM
           || syscall(SYS_userfaultfd, 0) >= 0 || errno != EPERM
           || syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0) >= 0
           || errno != EPERM;
}

static bool attach_segment(void)
{
    const key_t key = (key_t)strtol(act_argument[CANARY_KEY], NULL, 0);

    return shmget(key, 0, 0) >= 0;
}

/* Refused by the filter, not for lack of a terminal. */
static bool push_characters(void)
{
    return ioctl(0, TIOCSTI, "x") == 0 || errno != EPERM;
}

static bool find_descriptors(void)
{
    for (int fd = 3; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            return true;
    return false;
}

/* Both tell of the files that all boxes have. */
static bool watch_files(void)
{
    int fd = inotify_init1(IN_CLOEXEC);

    return fd >= 0 && inotify_add_watch(fd, "/usr", IN_OPEN) >= 0;
}

static bool lock_file(void)
{
    struct flock lock = {.l_type = F_RDLCK};
    int fd = open("/usr/bin/env", O_RDONLY | O_CLOEXEC);

    return fd >= 0
           && (flock(fd, LOCK_EX | LOCK_NB) == 0
               || fcntl(fd, F_SETLK, &lock) == 0
               || fcntl(fd, F_OFD_SETLK, &lock) == 0);
}

const struct act acts_by_calls[] = {
    {"use the network", use_network},
    {"use netlink, packet or crypto sockets", use_other_sockets},
    {"use AF_VSOCK", use_vsock},
    {"connect to an abstract socket", connect_abstract},
    {"use kernel keys", use_keys},
    {"use io_uring", use_io_uring},
    {"use bpf, perf or userfaultfd", use_kernel_parts},
    {"attach System V memory", attach_segment},
    {"push characters into a terminal", push_characters},
    {"find further descriptors", find_descriptors},
    {"watch files that all boxes have", watch_files},
    {"lock a file that all boxes have", lock_file},
    {NULL, NULL}};
