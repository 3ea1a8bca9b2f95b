/* SPDX-License-Identifier: MIT */
/* A pool of child processes. */
#include "process_pool.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "temp_dir.h"

/* A forked worker: it removes its own temporary folders, never those of its
 * parent, and leaves without the parent's atexit() handlers. */
static void run_worker(size_t index, void (*work)(void *, size_t), void *user)
{
    temp_dirs_forget();
    install_signal_handlers();
    isolate_process();
    work(user, index);
    temp_dirs_remove();
    _exit(0);
}

void process_pool_run(size_t count, void (*work)(void *user, size_t index),
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
            run_worker(i, work, user);
        running += child > 0;
    }
    while (running > 0 && (wait(NULL) > 0 || errno == EINTR))
        running--;
}
