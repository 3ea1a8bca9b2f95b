/* SPDX-License-Identifier: MIT */
/* The canary of a box: tries each forbidden act, and prints one line for each:
 * "refused WORDS" or "succeeded WORDS".  See canary.h for its arguments.  Each
 * act is bounded, and attacks only what the grader planted. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/box/canary.h"

enum { NO_PROCESS = 4194303 /* the highest number, hardly ever reached */ };

static char **argument;
static pid_t grader;

/* --- files ---------------------------------------------------------------- */

static bool can_open(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool read_secret(void)
{
    return can_open(argument[CANARY_SECRET], O_RDONLY);
}

static bool read_other(void)
{
    return can_open(argument[CANARY_OTHER], O_RDONLY);
}

static bool read_below(const char *folder)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", argument[CANARY_SOURCES], folder);
    return can_open(path, O_RDONLY);
}

static bool read_solutions(void)
{
    return read_below("solutions/01_vector_add") || read_below("solutions");
}

static bool read_grader(void)
{
    return read_below("grader/suites/01_vector_add.c") || read_below("grader")
           || can_open(argument[CANARY_PROGRAM], O_RDONLY);
}

static bool write_outside(void)
{
    static const char *const folders[] = {"/", "/usr", "/usr/lib", "/etc",
                                          "/var/tmp", "/home", "/root", "/run",
                                          "/dev"};
    char path[64];

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/box-canary.%d", folders[i],
                 (int)getpid());
        if (can_open(path, O_WRONLY | O_CREAT | O_EXCL)) {
            unlink(path);
            return true;
        }
    }
    return false;
}

static bool change_machine(void)
{
    static const char *const files[] = {
        "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger",
        "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/power/state",
        "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/cgroup.procs"};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (can_open(files[i], O_WRONLY))
            return true;
    return false;
}

/* Is it named in "null zero full"? */
static bool is_allowed_device(const char *name)
{
    static const char *const folders[] = {".", "..", "shm"};
    const size_t length = strlen(name);

    for (size_t i = 0; i < 3; i++)
        if (!strcmp(name, folders[i]))
            return true;
    for (const char *at = argument[CANARY_DEVICES];
         (at = strstr(at, name)); at += length)
        if ((at == argument[CANARY_DEVICES] || at[-1] == ' ')
            && (!at[length] || at[length] == ' '))
            return true;
    return !strncmp(name, "nvidia", 6);
}

static bool other_devices(void)
{
    DIR *all = opendir("/dev");
    struct dirent *entry;
    char path[300];
    bool found = can_open("/dev/kmsg", O_RDONLY) || can_open("/dev/ptmx", O_RDWR)
                 || can_open("/dev/tty", O_RDWR);

    while (all && !found && (entry = readdir(all))) {
        snprintf(path, sizeof path, "/dev/%s", entry->d_name);
        found = !is_allowed_device(entry->d_name) && can_open(path, O_RDONLY);
    }
    if (all)
        closedir(all);
    return found;
}

static bool make_device(void)
{
    bool made = mknod("device", S_IFCHR | 0600, 1 << 8 | 1) == 0;

    unlink("device");
    return made;
}

/* --- other processes ------------------------------------------------------ */

static uintptr_t grader_address(void)
{
    return strtoull(argument[CANARY_ADDRESS], NULL, 16);
}

static bool read_memory(void)
{
    uint64_t word;
    struct iovec here = {&word, sizeof word};
    struct iovec there = {(void *)grader_address(), sizeof word};

    return process_vm_readv(grader, &here, 1, &there, 1, 0) > 0;
}

static bool write_memory(void)
{
    uint64_t word = 1;
    struct iovec here = {&word, sizeof word};
    struct iovec there = {(void *)grader_address(), sizeof word};

    return process_vm_writev(grader, &here, 1, &there, 1, 0) > 0;
}

static bool open_process(pid_t pid, const char *file)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    return can_open(path, O_RDONLY);
}

static bool open_grader(void)
{
    return open_process(grader, "mem") || open_process(grader, "environ")
           || open_process(grader, "maps") || open_process(getppid(), "mem");
}

static bool trace(void)
{
    const pid_t others[] = {grader, getppid()};

    for (int i = 0; i < 2; i++)
        if (ptrace(PTRACE_SEIZE, others[i], NULL, NULL) == 0) {
            ptrace(PTRACE_DETACH, others[i], NULL, NULL);
            return true;
        }
    return false;
}

/* Its own child: what the filter forbids, no namespace does. */
static bool trace_own(void)
{
    pid_t child = fork();
    int status = 1;

    if (child == 0)
        _exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0);
    waitpid(child, &status, 0);
    return status == 0;
}

/* In a box there are this process and box-init. */
static bool see_processes(void)
{
    DIR *all = opendir("/proc");
    struct dirent *entry;
    int count = 0;

    while (all && (entry = readdir(all)))
        count += atoi(entry->d_name) > 0;
    if (all)
        closedir(all);
    return count > 2;
}

static bool signal_grader(void)
{
    return kill(grader, 0) == 0;
}

/* Nothing is printed after this act when it succeeds. */
static bool kill_first(void)
{
    kill(getppid(), SIGKILL);
    usleep(20000);
    return false;
}

/* --- namespaces and privileges -------------------------------------------- */

static bool mount_folder(void)
{
    return mount("none", ".", "tmpfs", 0, NULL) == 0
           || syscall(SYS_fsopen, "tmpfs", 0) >= 0;
}

/* EPERM comes from the filter; the limit on namespaces says ENOSPC. */
static bool unshare_user(void)
{
    return unshare(CLONE_NEWUSER) == 0 || errno != EPERM;
}

static bool clone_user(void)
{
    long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);

    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid((pid_t)child, NULL, 0);
    return child > 0;
}

static bool enter_namespace(void)
{
    char path[64];
    int fd;

    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)getppid());
    fd = open(path, O_RDONLY | O_CLOEXEC);
    return (fd >= 0 && setns(fd, 0) == 0) || setns(-1, 0) == 0
           || errno != EPERM;
}

static bool become_root(void)
{
    return setuid(0) == 0 || setgid(0) == 0;
}

static bool have_capabilities(void)
{
    for (int capability = 0; capability <= 40; capability++)
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, capability, 0, 0) == 1)
            return true;
    return chroot(".") == 0;
}

static bool gain_privileges(void)
{
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

/* --- past the file system ------------------------------------------------- */

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
    const char *name = argument[CANARY_SOCKET];
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
    const key_t key = (key_t)strtol(argument[CANARY_KEY], NULL, 0);

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

/* --- limits --------------------------------------------------------------- */

static bool exceed_processes(void)
{
    const long most = atol(argument[CANARY_PROCESSES]);
    long made = 0;
    pid_t group = 0, child;

    for (; made <= most; made++) {
        child = fork();
        if (child < 0)
            break;
        if (child == 0) {
            pause();
            _exit(0);
        }
        setpgid(child, group);
        group = group ? group : child;
    }
    if (group)
        kill(-group, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0)
        ;
    return made >= most;
}

static bool exceed_file(void)
{
    static char block[1 << 20];
    int fd = open("large", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    size_t written = 0;
    ssize_t got;

    signal(SIGXFSZ, SIG_IGN);
    while (written <= CANARY_FILE
           && (got = write(fd, block, sizeof block)) > 0)
        written += (size_t)got;
    close(fd);
    unlink("large");
    return written > CANARY_FILE;
}

/* Makes files of some size until none can be made.
 *  @return bytes written, or files made when a file has none */
static long fill(const char *folder, size_t bytes, long most)
{
    static char block[1 << 20];
    char path[96];
    long files = 0;
    bool whole = true;

    for (; files < most && whole; files++) {
        int fd;

        snprintf(path, sizeof path, "%s/fill%ld", folder, files);
        fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        whole = fd >= 0
                && (!bytes || write(fd, block, bytes) == (ssize_t)bytes);
        if (fd >= 0)
            close(fd);
        if (!whole)
            break;
    }
    for (long i = 0; i <= files; i++) {
        snprintf(path, sizeof path, "%s/fill%ld", folder, i);
        unlink(path);
    }
    return files;
}

static bool exceed_bytes(void)
{
    const long most = atol(argument[CANARY_BYTES]) >> 20;

    return fill(".", 1 << 20, most + 1) > most
           || fill("/tmp", 1 << 20, most + 1) > most
           || fill("/dev/shm", 1 << 20, most + 1) > most;
}

static bool exceed_files(void)
{
    const long most = atol(argument[CANARY_FILES]);

    return fill(".", 0, most + 1) > most || fill("/tmp", 0, most + 1) > most
           || fill("/dev/shm", 0, most + 1) > most;
}

/* Twice what is allowed, in a child: the kernel ends it, or the grader all. */
static bool exceed_memory(void)
{
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        const size_t bytes = (size_t)CANARY_MEMORY * 2;
        volatile char *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        for (size_t i = 0; block != MAP_FAILED && i < bytes; i += 4096)
            block[i] = 1;
        usleep(200000);
        _exit(block == MAP_FAILED);
    }
    waitpid(child, &status, 0);
    return status == 0;
}

/* --- all ------------------------------------------------------------------ */

static const struct {
    const char *words;
    bool (*succeeds)(void);
} acts[] = {
    {"read a file of the grader's user alone", read_secret},
    {"read another submission", read_other},
    {"read the references", read_solutions},
    {"read the grader's files", read_grader},
    {"write outside of its folder", write_outside},
    {"change the kernel's settings", change_machine},
    {"open other devices", other_devices},
    {"make a device", make_device},
    {"read the grader's memory", read_memory},
    {"write the grader's memory", write_memory},
    {"open another process in /proc", open_grader},
    {"trace the grader or the first process", trace},
    {"trace a process of its own", trace_own},
    {"see other processes", see_processes},
    {"signal the grader", signal_grader},
    {"kill the first process", kill_first},
    {"mount a file system", mount_folder},
    {"make a user namespace", unshare_user},
    {"make a user namespace by clone", clone_user},
    {"enter another namespace", enter_namespace},
    {"become root", become_root},
    {"use a capability", have_capabilities},
    {"gain privileges by execve", gain_privileges},
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
    {"write a file beyond its limit", exceed_file},
    {"write more bytes than its folder holds", exceed_bytes},
    {"make more files than its folder holds", exceed_files},
};

/* Each in a box of its own: the grader may end the whole box. */
static const struct {
    const char *name, *words;
    bool (*succeeds)(void);
} alone[] = {{"memory", "take more memory than it may", exceed_memory},
             {"processes", "start more processes than it may",
              exceed_processes}};

/* Without what runs at exit: a sanitizer would trace this process. */
static _Noreturn void finish(void)
{
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    if (argc != CANARY_ARGUMENTS)
        return 2;
    argument = argv;
    grader = (pid_t)atoi(argv[CANARY_GRADER]);
    if (grader == getpid() || grader == getppid())
        grader = NO_PROCESS; /* in this namespace, the number is another's */
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (!strcmp(argv[CANARY_ACTS], alone[i].name)) {
            printf("%s %s\n", alone[i].succeeds() ? "succeeded" : "refused",
                   alone[i].words);
            finish();
        }
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        printf("%s %s\n", acts[i].succeeds() ? "succeeded" : "refused",
               acts[i].words);
    printf("end\n");
    finish();
}
