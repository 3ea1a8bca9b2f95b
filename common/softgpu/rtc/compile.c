/* SPDX-License-Identifier: MIT */
/* Compilation: the source and its headers are written to a new folder, softcc
 * -cubin makes the module there, and the folder is removed.  Each name
 * expression becomes a pointer, of which lower.c reads the target's name. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/softgpu/core/hooks.h"
#include "common/softgpu/core/read_file.h"
#include "program.h"
#include "ptx_text.h"

enum { ARGUMENTS = 8, WRONG_OPTIONS = 2 /* softcc's exit code */ };

/** Where softcc is, and its options for instrumentation: softcc defines it in
 *  programs that name nvrtcCompileProgram(). */
extern const char *const softgpu_softcc[] __attribute__((weak));

/* --- files ---------------------------------------------------------------- */

/* Make the folders of a path. */
static void make_folders(char *path, size_t from)
{
    for (char *p = path + from; (p = strchr(p, '/')) != NULL; p++) {
        *p = 0;
        mkdir(path, 0700);
        *p = '/';
    }
}

/* Does a name stay in the folder? */
static bool is_inside(const char *name)
{
    return name[0] != '/' && strncmp(name, "../", 3) != 0
           && !strstr(name, "/../");
}

/* Write a file in the folder; false also for a name that leads out of it. */
static bool write_text(const char *folder, const char *name, const char *text)
{
    char path[PATH_MAX];
    const int n = snprintf(path, sizeof path, "%s/%s", folder, name);

    if (n < 0 || n >= (int)sizeof path || !is_inside(name))
        return false;
    make_folders(path, strlen(folder) + 1);
    FILE *f = fopen(path, "w");
    const bool good = f && fputs(text, f) >= 0;
    return f && !fclose(f) && good;
}

/* Read a file of the folder; a 0 follows. */
static char *read_result(const char *folder, const char *name, size_t *bytes)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return softgpu_read_file(path, bytes);
}

/* Of nftw(): remove a file or an empty folder. */
static int remove_entry(const char *path, const struct stat *s, int kind,
                        struct FTW *ftw)
{
    (void)s, (void)kind, (void)ftw;
    return remove(path);
}

/* The source, and a pointer for each name: an expression that begins with & or
 * with a cast, (void (*)(int *))k, is an address already. */
static bool write_source(const nvrtcProgram p, const char *folder)
{
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    if (!f)
        return false;
    fprintf(f, "#line 1 \"%s\"\n%s\n", p->name, p->source);
    for (int i = 0; i < p->name_count; i++) {
        const char *e = p->names[i].expression;
        fprintf(f, "#line 1 \"name expression\"\nextern \"C\" { extern void *"
                   "softgpu_name_%d; void *softgpu_name_%d = (void *)(%s%s); "
                   "}\n", i, i, strchr("&(", e[strspn(e, " ")]) ? "" : "&", e);
    }
    bool good = !fclose(f) && write_text(folder, "source.cu", text);
    for (int i = 0; good && i < p->header_count; i++)
        good = write_text(folder, p->header_names[i], p->headers[i]);
    free(text);
    return good;
}

/* --- the command ---------------------------------------------------------- */

/* Options of NVRTC that nvcc does not have, and that change nothing here. */
static bool is_without_effect(const char *option)
{
    static const char *const prefixes[] = {
        "-default-device", "--device-as-default-execution-space", "-minimal",
        "--minimal", "--no-source-include", "-no-source-include",
        "--builtin-", "-builtin-", "-modify-stack-limit",
        "--modify-stack-limit", "--dopt", "-dopt", "--brief-diagnostics",
        "-brief-diag", "--pch", "-pch", "--split-compile", "-split-compile",
        "--extra-device-vectorization", "-extra-device-vectorization",
        "--version-ident", "-version-ident", "--disable-warnings",
    };

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(option, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/* The command, ended by NULL. */
static const char **command(nvrtcProgram p, int option_count,
                            const char *const *options)
{
    const char **argv =
        calloc((size_t)option_count + ARGUMENTS + 8, sizeof *argv);
    const char *own = getenv("SOFTCC");
    int n = 0;

    if (!argv)
        return NULL;
    argv[n++] = own ? own : softgpu_softcc ? softgpu_softcc[0] : "softcc";
    for (int i = 1; softgpu_softcc && softgpu_softcc[i] && i < ARGUMENTS - 4;
         i++)
        argv[n++] = softgpu_softcc[i];
    for (int i = 0; i < option_count; i++) {
        p->is_virtual |= strstr(options[i], "compute_") != NULL;
        if (!is_without_effect(options[i]))
            argv[n++] = options[i];
    }
    argv[n++] = "-D__CUDACC_RTC__";
    argv[n++] = "-include"; /* assert() needs no header there */
    argv[n++] = "assert.h";
    argv[n++] = "-I.";
    argv[n++] = "-cubin";
    return argv;
}

/* Run softcc; its messages go to a file.  @return its exit code, -1: it does
 * not run */
static int run(const char *const *argv, const char *log)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, log,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    const int error = posix_spawnp(&child, argv[0], &actions, NULL,
                                   (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        return -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Compile in a folder that exists. */
static nvrtcResult compile_in(nvrtcProgram p, const char *folder,
                              const char **argv)
{
    char source[PATH_MAX], module[PATH_MAX], include[PATH_MAX], log[PATH_MAX];
    int n = 0;
    size_t bytes;

    while (argv[n])
        n++;
    snprintf(source, sizeof source, "%s/source.cu", folder);
    snprintf(module, sizeof module, "%s/module", folder);
    snprintf(include, sizeof include, "-I%s", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    argv[n] = include;
    argv[n + 1] = source;
    argv[n + 2] = "-o";
    argv[n + 3] = module;
    if (!write_source(p, folder))
        return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
    const int code = run(argv, log);
    p->log = read_result(folder, "log", &bytes);
    if (code < 0)
        fprintf(stderr, "softgpu: nvrtcCompileProgram() needs softcc; %s does "
                        "not run (the variable SOFTCC names another)\n",
                argv[0]);
    if (code != 0)
        return code < 0                ? NVRTC_ERROR_INTERNAL_ERROR
               : code == WRONG_OPTIONS ? NVRTC_ERROR_INVALID_OPTION
                                       : NVRTC_ERROR_COMPILATION;
    p->module = read_result(folder, "module", &p->module_bytes);
    p->ptx = p->module ? softgpu_ptx_encode(p->module, p->module_bytes) : NULL;
    return p->ptx ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
}

/* In a temporary folder, which is removed; results of an earlier
 * compilation are freed. */
nvrtcResult rtc_compile(nvrtcProgram p, int option_count,
                        const char *const *options)
{
    const char *temporary = getenv("TMPDIR");
    char folder[PATH_MAX - 64];

    free(p->module);
    free(p->ptx);
    free(p->log);
    p->module = p->ptx = p->log = NULL;
    p->is_virtual = false;
    const char **argv = command(p, option_count, options);
    snprintf(folder, sizeof folder, "%s/nvrtc.XXXXXX",
             temporary ? temporary : "/tmp");
    if (!argv || !mkdtemp(folder)) {
        free(argv);
        return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
    }
    const nvrtcResult result = compile_in(p, folder, argv);
    free(argv);
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    return result;
}
