/* SPDX-License-Identifier: MIT */
/* Acts beyond the limits of a box. */
#include "acts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "canary.h"

/* Where the kernel does not count them, the grader does, once a second. */
enum { NOTICED_SECONDS = 5 };

static bool exceed_processes(void)
{
    const long most = atol(act_argument[CANARY_PROCESSES]);
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
    if (made >= most)
        sleep(NOTICED_SECONDS);
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
    const long most = atol(act_argument[CANARY_BYTES]) >> 20;

    return fill(".", 1 << 20, most + 1) > most
           || fill("/tmp", 1 << 20, most + 1) > most
           || fill("/dev/shm", 1 << 20, most + 1) > most;
}

static bool exceed_files(void)
{
    const long most = atol(act_argument[CANARY_FILES]);

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
        sleep(NOTICED_SECONDS);
        _exit(block == MAP_FAILED);
    }
    waitpid(child, &status, 0);
    return status == 0;
}

const struct act acts_beyond_limits[] = {
    {"write a file beyond its limit", exceed_file},
    {"write more bytes than its folder holds", exceed_bytes},
    {"make more files than its folder holds", exceed_files},
    {NULL, NULL}};

const struct act acts_alone[] = {
    {"take more memory than it may", exceed_memory},
    {"start more processes than it may", exceed_processes},
    {NULL, NULL}};
