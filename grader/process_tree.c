/* SPDX-License-Identifier: MIT */
/* What the kernel says of a process and its descendants. */
#include "process.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NODES = 4096 };

struct node {
    pid_t pid, parent, session;
    unsigned threads;
    size_t resident;
    bool member;
};

/* Reads /proc/PID/stat.  The name in it may hold anything, so fields are
 * counted from the last ')'. */
static bool read_node(pid_t pid, struct node *node)
{
    char path[64], text[1024], *at;
    int fd;
    ssize_t got;
    long resident, threads;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    got = read(fd, text, sizeof text - 1);
    close(fd);
    if (got <= 0)
        return false;
    text[got] = 0;
    at = strrchr(text, ')');
    *node = (struct node){.pid = pid};
    if (!at
        || sscanf(at + 1,
                  " %*c %d %*d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d "
                  "%*d %*d %*d %ld %*d %*u %*u %ld",
                  &node->parent, &node->session, &threads, &resident) != 4)
        return false;
    node->threads = (unsigned)threads;
    node->resident = (size_t)resident * (size_t)sysconf(_SC_PAGESIZE);
    return true;
}

bool tree_root(pid_t pid, struct tree *tree)
{
    struct node node;

    if (!read_node(pid, &node))
        return false;
    *tree = (struct tree){1, node.threads, node.resident};
    return true;
}

static size_t read_all(struct node *nodes)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    size_t count = 0;

    if (!proc)
        return 0;
    while (count < NODES && (entry = readdir(proc)))
        if (isdigit((unsigned char)entry->d_name[0])
            && read_node(atoi(entry->d_name), &nodes[count]))
            count++;
    closedir(proc);
    return count;
}

static bool is_member(const struct node *nodes, size_t count, pid_t pid)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i].pid == pid)
            return nodes[i].member;
    return false;
}

/* Marks the session of `root` and all descendants, until no more are found. */
static void mark(struct node *nodes, size_t count, pid_t root)
{
    bool more = true;

    for (size_t i = 0; i < count; i++)
        nodes[i].member = nodes[i].pid == root || nodes[i].session == root;
    while (more) {
        more = false;
        for (size_t i = 0; i < count; i++)
            if (!nodes[i].member && is_member(nodes, count, nodes[i].parent))
                nodes[i].member = more = true;
    }
}

void tree_all(pid_t pid, struct tree *tree)
{
    static struct node nodes[NODES];
    size_t count = read_all(nodes);

    *tree = (struct tree){0};
    mark(nodes, count, pid);
    for (size_t i = 0; i < count; i++)
        if (nodes[i].member) {
            tree->processes++;
            tree->threads += nodes[i].threads;
            tree->resident += nodes[i].resident;
        }
}

/* As that user, kill(-1) reaches all its processes at once, and no other. */
static void kill_user(uid_t user)
{
    pid_t helper = fork();

    if (helper == 0) {
        if (setresuid(user, user, user) == 0)
            kill(-1, SIGKILL);
        _exit(0);
    }
    if (helper > 0)
        waitpid(helper, NULL, 0);
}

/* The programs that run now; few, so a list will do. */
static pid_t known[16];

void tree_know(pid_t pid, bool running)
{
    pid_t from = running ? 0 : pid, to = running ? pid : 0;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == from) {
            known[i] = to;
            return;
        }
}

static bool is_known(pid_t pid)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == pid)
            return true;
    return false;
}

/* Descendants that left the session came to us when their parents died (we
 * are their subreaper): children that we did not start ourselves. */
static bool kill_orphans(pid_t session)
{
    static struct node nodes[NODES];
    size_t count = read_all(nodes);
    bool found = false;

    for (size_t i = 0; i < count; i++) {
        const struct node *node = &nodes[i];
        bool orphan = node->parent == getpid() && !is_known(node->pid);

        if (orphan || node->session == session) {
            kill(node->pid, SIGKILL);
            waitpid(node->pid, NULL, WNOHANG);
            found = true;
        }
    }
    return found;
}

void tree_sweep(pid_t session, uid_t user)
{
    for (int round = 0; round < 50; round++) {
        if (user)
            kill_user(user);
        if (!kill_orphans(session))
            return;
        usleep(1000);
    }
}
