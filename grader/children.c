/* SPDX-License-Identifier: MIT */
/* Work that is done in child processes. */
#include "children.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "house.h"
#include "process.h"

static void begin(size_t index, void (*work)(void *, size_t), void *user)
{
    forget_temporary();
    interrupt_catch();
    work(user, index);
    remove_temporary();
    _exit(0);
}

void children_run(size_t count, void (*work)(void *user, size_t index),
                  void *user)
{
    long most = sysconf(_SC_NPROCESSORS_ONLN), running = 0;

    for (size_t i = 0; i < count && !interrupted(); i++) {
        pid_t child;

        if (running >= most && wait(NULL) > 0)
            running--;
        fflush(stdout);
        child = fork();
        if (child == 0)
            begin(i, work, user);
        running += child > 0;
    }
    while (running > 0 && (wait(NULL) > 0 || errno == EINTR))
        running--;
}
