/* SPDX-License-Identifier: MIT */
/* Compiling a submission in a box: which files its compiler sees. */
#include "build_box.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/paths.h"
#include "common/base/target.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"

enum { FOLDER_BYTES = 256 << 20, FOLDER_FILES = 512 };

static const struct limits box_limits = {
    .seconds = 60, .memory = (size_t)2 << 30, .processes = 64,
    .file = 64u << 20};

/* Settings of softcc and nvcc that users make. */
static const char *const settings[] = {"SOFTGPU_HOME", "SOFTCC_CXX",
                                       "SOFTCC_PRELUDE", "SOFTCC_ENGINE",
                                       "SOFTGPU_CARD",
                                       "ASAN_OPTIONS", "UBSAN_OPTIONS",
                                       NULL};

/* --- what the compiler sees ----------------------------------------------- */

static bool is_listed(const struct box *box, const char *path)
{
    for (size_t i = 0; i < box->readables; i++)
        if (!strcmp(box->readable[i], path))
            return true;
    return false;
}

static void add_path(struct build_box *built, const char *folder,
                     const char *name)
{
    char *text;

    if (built->texts == BUILD_PATHS)
        return; /* the compiler then names the header that it misses */
    text = built->text[built->texts++];
    text_format(text, PATH_MAX, "%s/%s", folder, name);
    if (access(text, F_OK) == 0 && !is_listed(&built->box, text))
        box_add_readable(&built->box, text);
}

/* The headers of a folder: beside them can lie a solved lab. */
static void add_headers(struct build_box *built, const char *folder)
{
    DIR *all = opendir(folder);
    struct dirent *entry;

    while (all && (entry = readdir(all))) {
        const char *dot = strrchr(entry->d_name, '.');

        if (dot && (!strcmp(dot, ".h") || !strcmp(dot, ".cuh")))
            add_path(built, folder, entry->d_name);
    }
    if (all)
        closedir(all);
}

/* A lab that calls others includes their contracts by paths of the tree. */
static void add_contracts(struct build_box *built)
{
    char labs[PATH_MAX], folder[PATH_MAX];
    struct dirent *entry;
    DIR *all = opendir(root_path(labs, "labs"));

    while (all && (entry = readdir(all)))
        if (*entry->d_name != '.') {
            text_format(folder, sizeof folder, "%s/%s", labs, entry->d_name);
            add_headers(built, folder);
        }
    if (all)
        closedir(all);
    add_headers(built, root_path(folder, "common/net"));
    add_path(built, source_root(), "common/base"); /* which these include */
}

static bool is_root_folder(const char *folder)
{
    const size_t length = strlen(source_root());

    return !strncmp(folder, source_root(), length)
           && strspn(folder + length, "/") == strlen(folder + length);
}

/* The folder of an "-I". */
static void add_include_folder(struct build_box *built, const char *folder)
{
    char common[PATH_MAX];

    if (is_root_folder(folder))
        add_contracts(built);
    else if (!strcmp(folder, root_path(common, "common/include")))
        box_add_readable(&built->box, folder);
    else
        add_headers(built, folder);
}

static void add_libraries(struct build_box *built, const char *folder)
{
    add_path(built, folder, "libsoftgpu.a");
    add_path(built, folder, "libsoftgpu_watch.a");
}

/* softcc finds its headers and libraries from where it lies; nvcc's folder may
 * lie outside of /usr. */
static void add_toolchain(struct build_box *built, const char *compiler)
{
    char folder[PATH_MAX];

    box_add_readable(&built->box, compiler);
    add_path(built, source_root(), "common/softgpu/include");
    add_libraries(built, library_root());
    text_format(folder, sizeof folder, "%.*slib",
                (int)(base_name(compiler) - compiler), compiler);
    add_libraries(built, folder); /* of another build's softcc */
    text_format(folder, sizeof folder, "%.*s",
                (int)(base_name(compiler) - compiler), compiler);
    add_path(built, folder, "prelude");
    add_path(built, build_root(), "prelude");
    if (!strncmp(base_name(compiler), "nvcc", 4)
        && strncmp(compiler, "/usr/", 5))
        add_path(built, folder, "..");
}

static void add_files(struct build_box *built, const struct action *action)
{
    const struct command *command = &action->command;

    if (*command->argument[0] == '/')
        add_toolchain(built, command->argument[0]);
    box_add_readable(&built->box, action->source);
    for (size_t i = 0; i < action->inputs; i++)
        if (!is_listed(&built->box, action->input[i]))
            box_add_readable(&built->box, action->input[i]);
    for (size_t i = 0; i + 1 < command->count; i++)
        if (!strcmp(command->argument[i], "-I"))
            add_include_folder(built, command->argument[i + 1]);
}

/* --- outputs -------------------------------------------------------------- */

static bool add_output(struct build_box *built, const char *path)
{
    const size_t number = built->box.outputs;
    int fd;

    if (!temp_file_path(built->copy[number], number ? "depfile" : "output"))
        return false;
    fd = open(built->copy[number], O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
              0755);
    built->box.output[number] = (struct box_output){base_name(path), fd};
    built->box.outputs++;
    return fd >= 0;
}

static bool copy_outputs(struct build_box *built, const struct action *action)
{
    const char *const places[] = {action->partial, action->partial_depfile};

    for (size_t i = 0; i < built->box.outputs; i++) {
        unlink(places[i]); /* tier C: the compiler's own */
        if (!temp_file_publish(built->copy[i], places[i]))
            return false;
    }
    return true;
}

/* --- the whole ------------------------------------------------------------ */

static bool prepare(struct build_box *built, const struct action *action)
{
    const char *slash = strrchr(action->partial, '/');

    text_format(built->folder, sizeof built->folder, "%.*s",
                (int)(slash - action->partial), action->partial);
    built->box = (struct box){.tier = box_tier_in_use(), .kind = BOX_BUILD,
                              .folder = built->folder,
                              .folder_bytes = FOLDER_BYTES,
                              .folder_files = FOLDER_FILES, .processors = 2};
    add_files(built, action);
    return add_output(built, action->partial)
           && (!action->depfile
               || add_output(built, action->partial_depfile));
}

struct build_box *build_box_start(const struct action *action,
                                  struct process *process, char *problem)
{
    struct build_box *built = calloc(1, sizeof *built);
    char path[PATH_MAX];
    struct program program = {.path = action->command.argument[0],
                              .arguments = action->command.argument};

    text_format(problem, BOX_REASON, "out of memory");
    if (!built)
        return NULL;
    if (!prepare(built, action)) {
        text_format(problem, BOX_REASON, "%.300s: %s", built->copy[0],
                    strerror(errno));
    } else if (*program.path != '/'
               && !find_program(program.path, path)) {
        text_format(problem, BOX_REASON, "there is no %.100s", program.path);
    } else {
        if (*program.path != '/')
            program.path = path;
        program.environment = box_environment(built->folder, settings);
        if (box_start(&built->box, process, &program, &box_limits))
            return built;
        text_format(problem, BOX_REASON, "%s", built->box.problem);
    }
    build_box_end(built);
    return NULL;
}

bool build_box_wait(struct build_box *built, const struct action *action,
                    struct process *process, struct command_end *end)
{
    const double start = clock_seconds(), limit = box_limits.seconds;

    do
        end->why = process_wait(process, 0, start + command_seconds(limit));
    while (end->why == WAIT_TIMEOUT
           && clock_seconds() < start + command_seconds(limit));
    end->status = process_stop(process, end->why == WAIT_ENDED ? 1 : 0);
    if (process->over_memory)
        end->why = WAIT_MEMORY_LIMIT;
    end->log = process->err.text ? strdup(process->err.text) : NULL;
    process_free(process);
    return end->why == WAIT_ENDED && end->status == 0
           && built->box.outputs_complete && copy_outputs(built, action);
}

void build_box_end(struct build_box *built)
{
    for (size_t i = 0; built && i < built->box.outputs; i++)
        unlink(built->copy[i]);
    free(built);
}
