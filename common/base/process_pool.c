/* SPDX-License-Identifier: MIT */
/* A pool of child processes. */
#include "process_pool.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "temp_dir.h"

/* A forked worker: it removes its own temporary folders, never those of its
 * parent, and leaves without the parent's atexit() handlers.  It gets SIGTERM
 * when its parent ends, even by SIGKILL. */
static void run_worker(size_t index, pid_t parent,
                       void (*work)(void *, size_t), void *user)
{
    temp_dirs_forget();
    install_signal_handlers();
    isolate_process();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) /* it had ended before */
        _exit(1);
    work(user, index);
    temp_dirs_remove();
    _exit(0);
}

void process_pool_run(size_t count, void (*work)(void *user, size_t index),
                      void *user)
{
    long most = sysconf(_SC_NPROCESSORS_ONLN), running = 0;
    const pid_t parent = getpid();

    for (size_t i = 0; i < count && !interrupted(); i++) {
        pid_t child;

        if (running >= most && wait(NULL) > 0)
            running--;
        fflush(stdout);
        child = fork();
        if (child == 0)
            run_worker(i, parent, work, user);
        running += child > 0;
    }
    while (running > 0 && (wait(NULL) > 0 || errno == EINTR))
        running--;
}
