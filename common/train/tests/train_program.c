/* SPDX-License-Identifier: MIT */
/* See train_tests.h. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "train_tests.h"

enum { WORDS = 40 };

static char build[512]; /* build folder of the program under test */

bool train_find(void)
{
    char *san;

    snprintf(build, sizeof build, "%s",
             getenv("BUILD") ? getenv("BUILD") : "build");
    san = strstr(build, "/san");
    if (san)
        *san = 0;
    return !san;
}

/* File size limit of the next child; 0: none. */
static struct {
    size_t bytes;
    bool kill;
} size_limit;

/* In the child: a limit on file sizes stands for a full disk, or kills in the
 * middle of a write. */
static void limit(void)
{
    const struct rlimit none = {0, 0},
                        to = {size_limit.bytes, size_limit.bytes};

    if (!size_limit.bytes)
        return;
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGXFSZ, size_limit.kill ? SIG_DFL : SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &to);
}

/* Start the trainer with these words, its output in a log. */
static pid_t begin(const char *log_name, const char *format, va_list words)
{
    static char line[2048], program[600], log[PATH_BYTES];
    char *argument[WORDS] = {program}, *rest = line;
    pid_t child;

    snprintf(program, sizeof program, "%s/train", build);
    vsnprintf(line, sizeof line, format, words);
    for (int i = 1; i < WORDS - 1; i++)
        argument[i] = strsep(&rest, " ");
    scratch_path(log, log_name);
    fflush(NULL);
    child = fork();
    if (child == 0) {
        limit();
        if (freopen(log, "w", stdout) && dup2(STDOUT_FILENO, STDERR_FILENO))
            execv(program, argument);
        _exit(99);
    }
    return child;
}

pid_t train_start(const char *format, ...)
{
    va_list words;
    pid_t child;

    va_start(words, format);
    child = begin("log", format, words);
    va_end(words);
    return child;
}

int train_wait(pid_t child)
{
    int status = -1;

    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int train(const char *format, ...)
{
    va_list words;
    int status;

    va_start(words, format);
    status = train_wait(begin("log", format, words));
    va_end(words);
    return status;
}

int train_aside(const char *format, ...)
{
    va_list words;
    int status;

    va_start(words, format);
    status = train_wait(begin("aside", format, words));
    va_end(words);
    return status;
}

int train_limited(size_t bytes, bool kill, const char *format, ...)
{
    va_list words;
    int status;

    size_limit.bytes = bytes;
    size_limit.kill = kill;
    va_start(words, format);
    status = train_wait(begin("log", format, words));
    va_end(words);
    size_limit.bytes = 0;
    return status;
}

/* Does a log contain this?  @param loud  print both if not */
static bool contains(const char *name, const char *fragment, bool loud)
{
    char path[PATH_BYTES], text[8192] = "";
    FILE *log = fopen(scratch_path(path, name), "r");

    if (!log)
        return false;
    text[fread(text, 1, sizeof text - 1, log)] = 0;
    fclose(log);
    if (strstr(text, fragment))
        return true;
    if (loud)
        fprintf(stderr, "missing in the log: %s\nbut: %s\n", fragment, text);
    return false;
}

bool log_contains(const char *fragment)
{
    return contains("log", fragment, true);
}

bool log_has(const char *fragment)
{
    return contains("log", fragment, false);
}

bool aside_contains(const char *fragment)
{
    return contains("aside", fragment, true);
}

struct checkpoint *load_state(const char *folder, const struct network *net)
{
    char path[PATH_BYTES], name[PATH_BYTES];
    struct failure why = {""};
    struct tensors from;
    struct checkpoint *state = checkpoint_allocate(net);

    snprintf(name, sizeof name, "%s/checkpoint.safetensors", folder);
    CU_ASSERT_FATAL(safetensors_read(scratch_path(path, name), &from, &why));
    CU_ASSERT_FATAL(checkpoint_load(state, &from, CHECKPOINT_ALL, path, &why));
    tensors_free(&from);
    return state;
}

bool same_files(const char *a, const char *b)
{
    char path[PATH_BYTES];
    static char text[2][1 << 21];
    const char *const names[] = {a, b};
    size_t bytes[2] = {0, 0};

    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(scratch_path(path, names[i]), "r");

        if (!file)
            return false;
        bytes[i] = fread(text[i], 1, sizeof *text, file);
        fclose(file);
    }
    return bytes[0] && bytes[0] == bytes[1]
           && !memcmp(text[0], text[1], bytes[0]);
}
