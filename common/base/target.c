/* SPDX-License-Identifier: MIT */
/* Finding a device and the compiler for it. */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "paths.h"
#include "text.h"
#include "process.h"

const char *device_name(enum device_kind kind)
{
    return kind == DEVICE_GPU ? "gpu" : "soft";
}

/* A folder of PATH is no string of its own, hence its length. */
static bool exists_in(const char *folder, int length, const char *name,
                      char *path)
{
    text_format(path, PATH_MAX, "%.*s/%s", length, folder, name);
    return access(path, X_OK) == 0;
}

bool find_program(const char *name, char *path)
{
    static const char cuda[] = "/usr/local/cuda/bin";
    const char *at = getenv("PATH");

    while (at && *at) {
        size_t length = strcspn(at, ":");

        if (exists_in(at, (int)length, name, path))
            return true;
        at += length + (at[length] == ':');
    }
    return exists_in(cuda, sizeof cuda - 1, name, path);
}

/* Run a program and get the first line of its output, or with `all` all. */
static bool run_for_output(char *const *arguments, bool all, char *text,
                           size_t bytes)
{
    const struct limits limits = {.seconds = command_seconds(20),
                                  .file = 1 << 20};
    struct program program = {.arguments = arguments, .folder = "/"};
    struct process process;
    char path[PATH_MAX];
    int status = -1;
    bool ok;

    if (!find_program(arguments[0], path))
        return false;
    program.path = path;
    ok = process_run(&process, &program, &limits, &status) == WAIT_ENDED
         && status == 0 && process.out.text;
    if (ok)
        text_format(text, bytes, "%.*s",
                    (int)strcspn(process.out.text, all ? "" : "\n"),
                    process.out.text);
    process_free(&process);
    return ok && *text;
}

bool program_first_line(const char *name, const char *argument, char *text,
                        size_t bytes)
{
    char *const arguments[] = {(char *)name, (char *)argument, NULL};

    return run_for_output(arguments, false, text, bytes);
}

bool gpu_query(char *text, size_t bytes)
{
    char *const arguments[] = {"nvidia-smi",
                               "--query-gpu=name,compute_cap",
                               "--format=csv,noheader", NULL};

    return run_for_output(arguments, false, text, bytes);
}

/* The architecture of the card, with the suffix for architecture-specific
 * instructions (sm_90a for 9.0) when nvcc has one. */
static void choose_arch(struct target *target)
{
    char *const arguments[] = {"nvcc", "--help", NULL};
    const char *capability = strrchr(target->model, ',');
    static char known[1 << 17]; /* --list-gpu-code has no suffixes */
    char code[16];
    int major, minor;

    text_format(target->arch, sizeof target->arch, "-arch=native");
    if (!capability || sscanf(capability, ", %d.%d", &major, &minor) != 2
        || !run_for_output(arguments, true, known, sizeof known))
        return;
    text_format(code, sizeof code, "'sm_%d%da'", major, minor);
    if (strstr(known, code))
        text_format(target->arch, sizeof target->arch, "-arch=sm_%d%da", major,
                    minor);
}

/* A device counts as found only with its compiler and a driver that answers. */
static bool find_gpu(struct target *target, char *error)
{
    char *end;

    target->kind = DEVICE_GPU;
    if (!find_program("nvcc", target->compiler)) {
        text_format(error, 512, "device gpu: nvcc was not found");
        return false;
    }
    if (!gpu_query(target->model, sizeof target->model)) {
        text_format(error, 512, "device gpu: no GPU answers nvidia-smi");
        return false;
    }
    text_format(target->include, PATH_MAX, "%s", target->compiler);
    end = strstr(target->include, "/bin/nvcc");
    if (end)
        strcpy(end, "/include");
    choose_arch(target);
    return true;
}

/* The softcc of this build; a sanitized grader (build/san) uses the plain one
 * above. */
static void softcc_path(char *path)
{
    size_t length = strlen(program_root());

    if (length > 4 && !strcmp(program_root() + length - 4, "/san"))
        length -= 4;
    text_format(path, PATH_MAX, "%.*s/softcc", (int)length, program_root());
}

/* The software GPU needs softcc alone; the card is the one it models. */
static bool find_soft(struct target *target, char *error)
{
    const char *card = getenv("SOFTGPU_CARD");

    target->kind = DEVICE_SOFT;
    text_format(target->model, sizeof target->model, "%.64s as described",
                card ? card : "h200");
    softcc_path(target->compiler);
    root_path(target->include, "common/softgpu/include");
    if (access(target->compiler, X_OK) == 0)
        return true;
    text_format(error, 512, "device soft: %.300s is missing; run make build",
                target->compiler);
    return false;
}

bool target_find(const char *name, struct target *target, char *error)
{
    memset(target, 0, sizeof *target);
    if (!strcmp(name, "gpu"))
        return find_gpu(target, error);
    if (!strcmp(name, "soft"))
        return find_soft(target, error);
    if (strcmp(name, "auto")) {
        text_format(error, 512, "--device is auto, gpu or soft, not \"%.40s\"",
                    name);
        return false;
    }
    return find_gpu(target, error) || find_soft(target, error);
}
