/* SPDX-License-Identifier: MIT */
/* Child processes and temporary files.  Output of children is collected in
 * memory files, and results are written beside their target and renamed, so
 * that an error or a signal leaves nothing half written. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"

#define MAX_TEMPORARIES 256

static char *temporaries[MAX_TEMPORARIES]; /* still to be removed */
static volatile sig_atomic_t temporary_count;
static volatile pid_t child;

void remove_temporaries(void)
{
    for (int i = 0; i < temporary_count; i++)
        if (temporaries[i])
            unlink(temporaries[i]);
}

static void on_signal(int number)
{
    if (child > 0) {
        kill(child, SIGTERM);
        waitpid(child, NULL, 0); /* it removes its own files */
    }
    remove_temporaries();
    static const char line[] = "softcc: interrupted\n";
    ssize_t ignored = write(STDERR_FILENO, line, sizeof line - 1);
    (void)ignored;
    _exit(128 + number);
}

void catch_signals(void)
{
    struct sigaction action = { .sa_handler = on_signal };
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* --- children ------------------------------------------------------------------ */

/* A file in memory that holds `content`, ready to be read. */
static int memory_file(const char *name, const struct buffer *content)
{
    int fd = memfd_create(name, MFD_CLOEXEC);
    size_t done = 0;
    while (fd >= 0 && content && done < content->length) {
        ssize_t n = write(fd, content->bytes + done, content->length - done);
        if (n <= 0)
            return -1;
        done += (size_t)n;
    }
    if (fd >= 0)
        lseek(fd, 0, SEEK_SET);
    return fd;
}

static void read_back(int fd, struct buffer *b)
{
    char block[65536];
    ssize_t n;
    if (fd < 0)
        return;
    lseek(fd, 0, SEEK_SET);
    while ((n = read(fd, block, sizeof block)) > 0)
        buffer_add(b, block, (size_t)n);
    close(fd);
}

static void run_child(const struct list *argv, int in, int out, int err)
{
    signal(SIGPIPE, SIG_DFL);
    if (in >= 0)
        dup2(in, STDIN_FILENO);
    if (out >= 0)
        dup2(out, STDOUT_FILENO);
    if (err >= 0)
        dup2(err, STDERR_FILENO);
    execvp(argv->at[0], (char *const *)argv->at);
    dprintf(STDERR_FILENO, "softcc: cannot run %s: %s\n", argv->at[0],
            strerror(errno));
    _exit(127);
}

struct result run_program(const struct list *argv, const struct buffer *input,
                          bool keep)
{
    struct result r = { .status = 127 };
    int in = input ? memory_file("input", input) : -1;
    int out = keep ? memory_file("output", NULL) : -1;
    int err = keep ? memory_file("messages", NULL) : -1;
    int status = 0;
    fflush(NULL);
    child = input && in < 0 ? -1 : fork();
    if (child == 0)
        run_child(argv, in, out, err);
    if (child < 0)
        fprintf(stderr, "softcc: cannot run %s: %s\n", argv->at[0],
                strerror(errno));
    else if (waitpid(child, &status, 0) > 0)
        r.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    child = 0;
    if (in >= 0)
        close(in);
    read_back(out, &r.out);
    read_back(err, &r.err);
    return r;
}

/* --- results ------------------------------------------------------------------- */

static bool is_special(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

static const char *cannot_write(const char *path, int error)
{
    fprintf(stderr, "softcc: cannot write %s: %s\n", path, strerror(error));
    return NULL;
}

const char *start_output(const char *target)
{
    struct stat s;
    if (stat(target, &s) == 0 && S_ISDIR(s.st_mode))
        return cannot_write(target, EISDIR);
    if (is_special(target))
        return target;
    if (temporary_count == MAX_TEMPORARIES)
        return cannot_write(target, EMFILE);
    size_t n = strlen(target) + 24;
    char *path = malloc(n);
    if (path == NULL)
        return cannot_write(target, ENOMEM);
    snprintf(path, n, "%s.softcc-XXXXXX", target);
    int fd = mkstemp(path);
    if (fd < 0) {
        cannot_write(target, errno);
        free(path);
        return NULL;
    }
    temporaries[temporary_count] = path;
    temporary_count = temporary_count + 1;
    close(fd);
    return path;
}

static mode_t file_mode(const char *path)
{
    struct stat s;
    mode_t mask = umask(0);
    umask(mask);
    bool runs = stat(path, &s) == 0 && (s.st_mode & 0100);
    return (runs ? 0777 : 0666) & ~mask;
}

bool finish_output(const char *temporary, const char *target, bool good)
{
    if (temporary == target)
        return good;
    chmod(temporary, file_mode(temporary));
    bool done = good && rename(temporary, target) == 0;
    if (good && !done)
        cannot_write(target, errno);
    if (!done)
        unlink(temporary);
    for (int i = 0; i < temporary_count; i++)
        if (temporaries[i] == temporary)
            temporaries[i] = NULL;
    return done;
}

const char *temporary_directory(void)
{
    const char *tmp = getenv("TMPDIR");
    return tmp && *tmp ? tmp : "/tmp";
}

bool read_text(const char *path, struct buffer *text)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    read_back(fd, text);
    return fd >= 0 && text->length > 0;
}

const char *write_temporary(const struct buffer *text)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/softcc", temporary_directory());
    const char *path = start_output(name);
    FILE *f = path ? fopen(path, "w") : NULL;
    bool good = f && fwrite(text->bytes, 1, text->length, f) == text->length;
    if (f && fclose(f) != 0)
        good = false;
    if (path && !good)
        cannot_write(path, errno);
    return good ? path : "/dev/null";
}
