/* SPDX-License-Identifier: MIT */
/* The descendants of a process, from /proc.
 *
 * Only the subtree is read: /proc/PID/task/TID/children names the children of
 * each thread.  We are a subreaper, so descendants whose parents died are our
 * own children; a child that we did not start is such an orphan. */
#include "process.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "proc_files.h"

enum { MAX_NODES = 512 /* a larger tree is beyond every limit */ };

/* A process as /proc/PID/stat describes it. */
struct node {
    pid_t parent, session;
    unsigned threads;
    size_t resident;
    char state; /* 'Z': its first thread has ended */
};

/* The process name in the text may hold anything: fields are counted from the
 * last ')'. */
static bool parse_stat(const char *text, struct node *node)
{
    const char *at = strrchr(text, ')');
    long resident, threads;

    if (!at
        || sscanf(at + 1,
                  " %c %d %*d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d "
                  "%*d %*d %*d %ld %*d %*u %*u %ld",
                  &node->state, &node->parent, &node->session, &threads,
                  &resident) != 5)
        return false;
    node->threads = (unsigned)threads;
    node->resident = (size_t)resident * (size_t)sysconf(_SC_PAGESIZE);
    return true;
}

/* The memory of a process whose first thread has ended, which then has none:
 * all other threads share it. */
static size_t resident_of_threads(pid_t pid)
{
    struct node node = {0};
    struct dirent *entry;
    char path[300], text[1024];
    DIR *all;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    all = proc_list(path);
    while (all && !node.resident && (entry = readdir(all))) {
        if (*entry->d_name == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/stat", (int)pid,
                 entry->d_name);
        if (proc_read(path, text, sizeof text))
            parse_stat(text, &node);
    }
    if (all)
        closedir(all);
    return node.resident;
}

/* A zombie with running threads still owns memory, which its own status no
 * longer tells. */
static bool read_node(pid_t pid, struct node *node)
{
    char path[64], text[1024];

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (!proc_read(path, text, sizeof text) || !parse_stat(text, node))
        return false;
    if (node->state == 'Z' && node->threads > 1)
        node->resident = resident_of_threads(pid);
    return true;
}

bool tree_read_root(const struct process *process, struct tree *tree)
{
    struct node node;

    if (!read_node(process->program, &node))
        return false;
    *tree = (struct tree){1, node.threads, node.resident};
    return true;
}

/* A growing list of processes. */
struct list {
    pid_t pid[MAX_NODES];
    size_t count;
};

/* Processes beyond MAX_NODES are not followed. */
static void append(struct list *list, pid_t pid)
{
    if (list->count < MAX_NODES && pid > 0)
        list->pid[list->count++] = pid;
}

/* Does the kernel have the files that name a thread's children? */
static bool has_children_files(void)
{
    static int known = -1;

    if (known < 0)
        known = access("/proc/thread-self/children", R_OK) == 0;
    return known;
}

/* Append the processes that one thread started: the kernel lists children per
 * thread. */
static void append_thread_children(pid_t pid, pid_t thread,
                                   struct list *list)
{
    char path[64], text[16 * MAX_NODES], *at = text, *end;

    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid,
             (int)thread);
    proc_read(path, text, sizeof text);
    for (long child; (child = strtol(at, &end, 10)) > 0 && end > at; at = end)
        append(list, (pid_t)child);
}

/* Without CONFIG_PROC_CHILDREN every process is looked at. */
static void append_by_parent(pid_t parent, struct list *list)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    struct node node;

    while (proc && (entry = readdir(proc))) {
        pid_t pid = (pid_t)atoi(entry->d_name);

        if (pid > 0 && read_node(pid, &node) && node.parent == parent)
            append(list, pid);
    }
    if (proc)
        closedir(proc);
}

/* Append the children of a process: of its only thread, or of each thread, or
 * by a search of /proc where the kernel has no lists of children. */
static void append_children(pid_t pid, unsigned threads, struct list *list)
{
    struct dirent *entry;
    char path[64];
    DIR *tasks;

    if (!has_children_files()) {
        append_by_parent(pid, list);
        return;
    }
    if (threads == 1) {
        append_thread_children(pid, pid, list);
        return;
    }
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    tasks = proc_list(path);
    while (tasks && (entry = readdir(tasks)))
        if (*entry->d_name != '.')
            append_thread_children(pid, (pid_t)atoi(entry->d_name), list);
    if (tasks)
        closedir(tasks);
}

pid_t tree_first_child(pid_t pid)
{
    static struct list children;

    children.count = 0;
    append_children(pid, 1, &children);
    return children.count ? children.pid[0] : 0;
}

/* The programs that we started and that still run. */
static pid_t running_programs[64];
enum { MAX_RUNNING = sizeof running_programs / sizeof *running_programs };

void tree_register(pid_t pid, bool is_running)
{
    pid_t from = is_running ? 0 : pid, to = is_running ? pid : 0;

    for (size_t i = 0; i < MAX_RUNNING; i++)
        if (running_programs[i] == from) {
            running_programs[i] = to;
            return;
        }
}

/* Is this one of the programs that the grader itself started? */
static bool is_registered(pid_t pid)
{
    for (size_t i = 0; i < MAX_RUNNING; i++)
        if (running_programs[i] == pid)
            return true;
    return false;
}

/* Our own children; we have one thread. */
static void append_own_children(struct list *list)
{
    siginfo_t info;

    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT))
        return; /* there are none */
    append_children(getpid(), 1, list);
}

/* Our children that we did not start. */
static void append_orphans(struct list *list)
{
    static struct list children;

    children.count = 0;
    append_own_children(&children);
    for (size_t i = 0; i < children.count; i++)
        if (!is_registered(children.pid[i]))
            append(list, children.pid[i]);
}

void tree_read(pid_t pid, struct tree *tree)
{
    static struct list members;
    struct node node;
    size_t own;

    *tree = (struct tree){0};
    members.count = 0;
    append(&members, pid);
    if (pid != getpid())
        append_orphans(&members);
    own = members.count;
    for (size_t i = 0; i < members.count; i++) {
        if (!read_node(members.pid[i], &node))
            continue;
        /* an orphan of another program of ours is none of this tree */
        if (i > 0 && i < own && node.session != pid)
            continue;
        tree->processes++;
        tree->threads += node.threads;
        tree->resident += node.resident;
        append_children(members.pid[i], node.threads, &members);
    }
}

/* With the user id of a runner and no capability, kill(-1) reaches all its
 * processes at once, and no other: with CAP_KILL it would reach every one. */
static void kill_user(uid_t user)
{
    pid_t helper = fork();

    if (helper == 0) {
        if (user && process_drop_privileges(user) && geteuid() == user)
            kill(-1, SIGKILL);
        _exit(0);
    }
    if (helper > 0)
        waitpid(helper, NULL, 0);
}

void tree_kill_orphans(uid_t user)
{
    static struct list orphans;
    const double end = clock_seconds() + command_seconds(0.1);

    do { /* on a busy machine a killed process ends late */
        if (user)
            kill_user(user);
        orphans.count = 0;
        append_orphans(&orphans);
        if (!orphans.count)
            return;
        for (size_t i = 0; i < orphans.count; i++) {
            kill(orphans.pid[i], SIGKILL);
            waitpid(orphans.pid[i], NULL, WNOHANG);
        }
        usleep(1000);
    } while (clock_seconds() < end);
}
