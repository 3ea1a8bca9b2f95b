/* SPDX-License-Identifier: MIT */
/* Child processes write into files, not pipes, so that long output cannot block
 * them. */
#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    size_t n = 0, room = 4096;
    char *text = f ? malloc(room + 1) : NULL;

    while (text) {
        n += fread(text + n, 1, room - n, f);
        if (n < room)
            break;
        room *= 2;
        char *more = realloc(text, room + 1);
        if (!more)
            free(text);
        text = more;
    }
    if (text)
        text[n] = 0;
    if (f)
        fclose(f);
    return text;
}

static void redirect(const char *path, int flags, int to)
{
    int fd = open(path, flags, 0644);

    if (fd < 0)
        _exit(126);
    dup2(fd, to);
    close(fd);
}

static void start(char *const argv[], char *const env[], const char *out,
                  const char *err)
{
    struct rlimit none = { 0, 0 };

    setpgid(0, 0);
    setrlimit(RLIMIT_CORE, &none);
    redirect("/dev/null", O_RDONLY, 0);
    redirect(out, O_WRONLY | O_CREAT | O_TRUNC, 1);
    redirect(err, O_WRONLY | O_CREAT | O_TRUNC, 2);
    for (; *env; env++)
        putenv(*env);
    execvp(argv[0], argv);
    _exit(127);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Wait for the child; returns its exit status as a shell does. */
static int wait_for(pid_t child, double seconds)
{
    struct timespec pause = { 0, 2 * 1000 * 1000 };
    double end = now() + seconds;
    int status = 0;

    while (waitpid(child, &status, WNOHANG) == 0) {
        if (now() > end) {
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            return 124;
        }
        nanosleep(&pause, NULL);
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static char *text_or_empty(const char *path)
{
    char *text = read_text(path);

    return text ? text : calloc(1, 1);
}

void run_process(char *const argv[], char *const env[], double seconds,
                 const char *base, struct outcome *o)
{
    char out[512], err[512];
    pid_t child;

    snprintf(out, sizeof out, "%s.stdout", base);
    snprintf(err, sizeof err, "%s.stderr", base);
    child = fork();
    if (child == 0)
        start(argv, env, out, err);
    o->status = child < 0 ? 126 : wait_for(child, seconds);
    o->out = text_or_empty(out);
    o->err = text_or_empty(err);
    unlink(out);
    unlink(err);
}

void free_outcome(struct outcome *o)
{
    free(o->out);
    free(o->err);
}
