/* SPDX-License-Identifier: MIT */
/* The runner's own objects, and running a compiler. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build.h"
#include "house.h"
#include "text.h"

extern char **environ;

void command_add(struct command *command, const char *argument)
{
    enum { MOST = sizeof command->argument / sizeof *command->argument };

    if (command->count >= MOST - 1)
        abort(); /* a defect of ours: the lists are fixed */
    command->argument[command->count++] = (char *)(size_t)argument;
    command->argument[command->count] = NULL;
}

const struct limits compiler_limits = {.seconds = 120, .file = 1u << 30,
                                       .memory = (size_t)4 << 30,
                                       .processes = 64};

bool command_run(struct command *command, const char *folder, char **log)
{
    struct program program = {NULL, command->argument, environ, folder,
                              false};
    struct process process;
    char path[PATH_MAX];
    int status = -1, how;

    *log = NULL;
    if (strchr(command->argument[0], '/'))
        text_put(path, sizeof path, "%s", command->argument[0]);
    else if (!program_find(command->argument[0], path))
        return false;
    program.path = path;
    how = process_run(&process, &program, &compiler_limits, &status);
    if (process.err.text)
        *log = strdup(process.err.text);
    process_free(&process);
    return how == WAIT_ENDED && status == 0;
}

double changed_at(const char *path)
{
    struct stat about;

    if (stat(path, &about))
        return 0;
    return (double)about.st_mtim.tv_sec + 1e-9 * (double)about.st_mtim.tv_nsec;
}

double newest(const char *folder, const char *ending)
{
    DIR *open = opendir(folder);
    struct dirent *entry;
    double latest = 0;

    while (open && (entry = readdir(open))) {
        char path[PATH_MAX];
        size_t length = strlen(entry->d_name), end = strlen(ending);
        double at;

        if (*entry->d_name == '.' || length < end
            || strcmp(entry->d_name + length - end, ending))
            continue;
        text_put(path, sizeof path, "%s/%s", folder,
                 entry->d_name);
        at = changed_at(path);
        latest = at > latest ? at : latest;
    }
    if (open)
        closedir(open);
    return latest;
}

/* When a header that an object may include last changed. */
static double headers(const struct lab *lab)
{
    static const char *const folders[] = {"grader/channel", "grader/runner",
                                          "common/net"};
    char path[PATH_MAX];
    double latest = newest(house_path(path, "labs/%s", lab->stem), ".h");

    for (int i = 0; i < 3; i++) {
        double at = newest(house_path(path, "%s", folders[i]), ".h");

        latest = at > latest ? at : latest;
    }
    return latest;
}

/* Compiles one source to `object`, beside it first: two graders may do this at
 * the same time. */
bool build_part(const struct target *target, const char *source,
                const char *object, char *error)
{
    struct command command = {0};
    char part[PATH_MAX + 32], grader[PATH_MAX], *log = NULL;
    bool ok;

    text_put(part, sizeof part, "%s.%d", object, (int)getpid());
    if (strcmp(strrchr(source, '.'), ".cu")) {
        command_add(&command, "cc");
        command_add(&command, "-std=c11");
        command_add(&command, "-D_GNU_SOURCE");
    } else {
        command_add(&command, target->compiler);
        command_add(&command, target->arch);
    }
    command_add(&command, "-O2");
    command_add(&command, "-I");
    command_add(&command, house_root());
    command_add(&command, "-I");
    command_add(&command, house_path(grader, "grader"));
    command_add(&command, "-I");
    command_add(&command, target->include);
    command_add(&command, "-c");
    command_add(&command, "-o");
    command_add(&command, part);
    command_add(&command, source);
    ok = command_run(&command, house_root(), &log)
         && rename(part, object) == 0;
    if (!ok) {
        unlink(part);
        text_put(error, MESSAGE_TEXT, "cannot build the runner's part %s: %s",
                 source, log ? log : strerror(errno));
    }
    free(log);
    return ok;
}

bool build_parts(const struct target *target, const struct lab *lab,
                 char objects[][PATH_MAX], size_t *count, char *error)
{
    const bool gpu = target->kind == DEVICE_GPU;
    char call[128], folder[PATH_MAX], source[PATH_MAX];
    const char *const sources[] = {
        "runner/main.c",     "runner/arrays.c", "runner/device.c",
        "channel/bytes.c",   "channel/frame.c", "channel/message.c", call,
        target->watch ? "runner/watched.c" : "runner/plain.c",
        gpu ? "runner/digest_gpu.cu" : "runner/digest_soft.c",
        gpu ? "runner/capture_gpu.c" : "runner/capture_soft.c",
        "runner/traffic.c",  "runner/held.c",
        gpu ? "runner/launch_gpu.c" : "runner/launch_soft.c"};
    /* Of a watched program the watchers count what the last three do. */
    const size_t most = sizeof sources / sizeof *sources
                        - (target->watch ? 3 : 0);
    double latest = headers(lab);

    text_put(call, sizeof call, "runner/calls/%s.c", lab->stem);
    text_put(folder, sizeof folder, "%s/runner/%s", house_build(),
             device_name(target->kind));
    if (!make_folders(folder)) {
        text_put(error, MESSAGE_TEXT, "%s: %s", folder, strerror(errno));
        return false;
    }
    for (size_t i = 0; i < most; i++) {
        double object, newer;

        text_put(objects[i], PATH_MAX, "%s/%s.o", folder,
                 strrchr(sources[i], '/') + 1);
        house_path(source, "grader/%s", sources[i]);
        object = changed_at(objects[i]);
        newer = changed_at(source) > latest ? changed_at(source) : latest;
        if (object <= newer && !build_part(target, source, objects[i], error))
            return false;
        *count = i + 1;
    }
    if (!*lab->with)
        return true;
    return build_with(target, lab, objects[(*count)++], error);
}
