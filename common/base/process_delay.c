/* SPDX-License-Identifier: MIT */
/* How long a program waited for a processor that others used. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "proc_files.h"
#include "process.h"

/* Nanoseconds that a thread was ready to run and did not: the second number of
 * its schedstat.  @return -1 if the kernel does not count them */
static long long thread_delay(pid_t pid, const char *thread)
{
    char path[320], text[128];
    long long delay;

    snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", (int)pid, thread);
    return proc_read(path, text, sizeof text)
                   && sscanf(text, "%*u %lld", &delay) == 1
               ? delay : -1;
}

/* The same of the thread of a process that waited longest. */
static long long longest_delay(pid_t pid)
{
    char path[64];
    struct dirent *entry;
    long long most = -1;
    DIR *threads;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    threads = proc_list(path);
    while (threads && (entry = readdir(threads)))
        if (*entry->d_name != '.') {
            const long long delay = thread_delay(pid, entry->d_name);

            most = delay > most ? delay : most;
        }
    if (threads)
        closedir(threads);
    return most;
}

double process_delay(const struct process *process)
{
    const long long own = longest_delay(process->program);
    const pid_t child = tree_first_child(process->program);
    const long long other = child ? longest_delay(child) : 0;

    return own < 0 ? -1 : 1e-9 * (double)(own + (other > 0 ? other : 0));
}

double process_starved(const struct process *process)
{
    const double wall = clock_seconds() - process->clock_start;
    const double cpu = process_cpu(process) - process->cpu_start;
    const double delay = process->delay_start >= 0 ? process_delay(process)
                                                   : -1;

    if (process->clock_start <= 0)
        return 0;
    if (process->delay_start >= 0 && delay >= 0)
        return delay - process->delay_start;
    /* A short call, or a kernel that does not count: a program that runs at
     * times is starved. */
    return cpu > 0.1 * wall && cpu < wall ? wall - cpu : 0;
}
