/* SPDX-License-Identifier: MIT */
/* The actions of a build: the runner's objects and the lab's dependencies,
 * an archive of the dependencies, the submission with all of them. */
#include "recipe.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/text.h"

const char *recipe_text(struct recipe *recipe, const char *format, ...)
{
    char *text = recipe->text + recipe->used;
    const size_t room = sizeof recipe->text - recipe->used;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text, room, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= room)
        abort(); /* MAX_ACTIONS of these need less */
    recipe->used += (size_t)length + 1;
    return text;
}

struct action *recipe_add(struct recipe *recipe, const char *program,
                          const char *source, const char *output)
{
    struct action *action = &recipe->action[recipe->count];

    if (recipe->count++ == MAX_ACTIONS)
        abort(); /* a lab has few dependencies */
    action->source = source;
    action->output = output;
    action->partial = recipe_text(recipe, "%s.%d", output, (int)getpid());
    command_add(&action->command, program);
    return action;
}

/* An input that the command finds by itself. */
static void add_hidden_input(struct action *action, const char *path)
{
    if (action->inputs == MAX_INPUTS)
        abort();
    action->input[action->inputs++] = path;
}

void action_add_input(struct action *action, const char *path)
{
    add_hidden_input(action, path);
    command_add(&action->command, path);
}

/* A compiler's "-MMD", and the files that it names; "-MD" names what was found
 * in the folders of system headers, too, as "../../solutions/x.cu" may be. */
static void add_depfile(struct recipe *recipe, struct action *action)
{
    action->depfile = recipe_text(recipe, "%s.d", action->output);
    action->partial_depfile = recipe_text(recipe, "%s.d", action->partial);
    command_add(&action->command, action->is_graded ? "-MD" : "-MMD");
    command_add(&action->command, "-MF");
    command_add(&action->command, action->partial_depfile);
}

static void add_output(struct action *action)
{
    command_add(&action->command, "-o");
    command_add(&action->command, action->partial);
}

void add_compile_arguments(struct recipe *recipe, struct action *action)
{
    command_add(&action->command, "-c");
    add_depfile(recipe, action);
    add_output(action);
    action_add_input(action, action->source);
}

static void add_include(struct recipe *recipe, struct command *command,
                        const char *folder)
{
    command_add(command, "-I");
    command_add(command, recipe_text(recipe, "%s/%s", source_root(), folder));
}

/* A grade counts the same with nvcc on the machine and without. */
static void add_watch_options(const struct target *target,
                              struct command *command)
{
    if (target->watch & WATCH_FINDINGS)
        command_add(command, "--check");
    if (target->watch == (WATCH_FINDINGS | WATCH_COUNTS))
        command_add(command, "--no-ptxas");
    if (target->watch & WATCH_COUNTS)
        command_add(command, "--profile");
}

void add_submission_options(struct recipe *recipe, struct action *action,
                            const struct target *target,
                            const struct lab *lab, enum effort effort)
{
    struct command *command = &action->command;
    const bool is_least = effort == EFFORT_LEAST
                          && target->kind == DEVICE_SOFT; /* nvcc has no -Og */

    command_add(command, effort == EFFORT_FULL ? "-O3"
                         : is_least ? "-Og" : "-O1");
    command_add(command, "-lineinfo");
    action->is_graded = target->kind == DEVICE_SOFT;
    if (action->is_graded)
        command_add(command, "--graded");
    if (target->kind == DEVICE_GPU)
        command_add(command, target->arch);
    add_include(recipe, command,
                recipe_text(recipe, "labs/%s", lab->stem));
    add_include(recipe, command, "common/include");
    if (*lab->dependencies)
        add_include(recipe, command, "");
    add_watch_options(target, command);
}

const char *recipe_add_object(struct recipe *recipe,
                              const struct target *target,
                              const char *source, const char *folder)
{
    const bool is_cuda = !strcmp(strrchr(source, '.'), ".cu");
    struct action *action =
        recipe_add(recipe, is_cuda ? target->compiler : "cc",
                   *source == '/' ? source
                   : recipe_text(recipe, "%s/%s",
                                 source_root(), source),
                   recipe_text(recipe, "%s/%s.o", folder,
                               base_name(source)));
    struct command *command = &action->command;

    if (is_cuda) {
        command_add(command, target->arch);
    } else {
        command_add(command, "-std=c11");
        command_add(command, "-D_GNU_SOURCE");
    }
    command_add(command, "-O2");
    add_include(recipe, command, "");
    add_include(recipe, command, "common/include");
    command_add(command, "-I");
    command_add(command, target->include);
    add_compile_arguments(recipe, action);
    return action->output;
}

/* The lab's thunk: generated by grader/calls, or the file that the lab's
 * settings name. */
static const char *find_thunk(struct recipe *recipe, const struct lab *lab)
{
    return *lab->thunk ? lab->thunk
                       : recipe_text(recipe, "%s/calls/%s_thunk.c",
                                     generated_root(), lab->stem);
}

static const char *const common_sources[] = {
    "grader/runner/main.c", "grader/runner/arrays.c",
    "grader/runner/device.c", "grader/runner/resources.c",
    "grader/channel/bytes.c", "grader/channel/frame.c",
    "grader/channel/message.c", "grader/runner/memcpy_wrappers.c",
    "grader/runner/handle_wrappers.c", NULL};
static const char *const gpu_sources[] = {
    "grader/runner/call_site_gpu.c", "grader/runner/digest_gpu.cu",
    "grader/runner/graph_capture_gpu.c", "grader/runner/launch_wrappers_gpu.c",
    "grader/runner/submission_gpu.c", NULL};
static const char *const soft_sources[] = {
    "grader/runner/call_site_soft.c", "grader/runner/digest_soft.c",
    "grader/runner/graph_capture_soft.c",
    "grader/runner/launch_wrappers_soft.c", "grader/runner/soft/slot.c",
    "grader/runner/soft/host_process.c", "grader/runner/soft/host_files.c",
    "grader/runner/soft/host_filter.c", "grader/runner/soft/process.c",
    "grader/runner/soft/device_image.c",
    "grader/runner/soft/indirect_calls.c",
    "grader/runner/soft/remote_perform.c", "grader/runner/soft/transfers.c",
    "grader/runner/soft/call_choices.c", "grader/runner/soft/call_copies.c",
    "grader/runner/soft/calls_gate.c", "grader/runner/soft/choices.c",
    "grader/runner/soft/handles.c", "grader/runner/soft/sent.c",
    "grader/runner/soft/inputs.c", "grader/runner/soft/overread.c",
    "grader/runner/soft/sparse_arrays.c", "grader/runner/soft/byte_set.c",
    "grader/runner/soft/remote_runtime.c", NULL};
static const char *const library_sources[] = {
    "grader/runner/library_status.c", "grader/runner/library_wrappers.c",
    "grader/runner/stream_output.c", NULL};

/* Nothing that the runner refers to is left for the submission to define. */
static const char *const no_library_sources[] = {
    "grader/runner/no_library_status.c", NULL};

static void add_objects(struct recipe *recipe, const struct target *target,
                        const char *const *sources, const char *folder)
{
    for (; *sources; sources++)
        recipe_add_object(recipe, target, *sources, folder);
}

/* The runner's own objects. */
static void add_runner_objects(struct recipe *recipe,
                               const struct build_request *request,
                               const char *folder)
{
    const struct target *target = request->target;
    const bool gpu = target->kind == DEVICE_GPU;
    const bool has_libraries = *request->lab->libraries;

    add_objects(recipe, target, common_sources, folder);
    add_objects(recipe, target, gpu ? gpu_sources : soft_sources, folder);
    recipe_add_object(recipe, target, find_thunk(recipe, request->lab),
                      folder);
    recipe_add_object(recipe, target,
                      target->watch ? "grader/runner/variant_watched.c"
                                    : "grader/runner/variant_plain.c",
                      folder);
    add_objects(recipe, target,
                has_libraries ? library_sources : no_library_sources, folder);
    if (!gpu)
        recipe_add_object(recipe, target,
                          has_libraries
                              ? "grader/runner/soft/remote_libraries.c"
                              : "grader/runner/soft/no_remote_libraries.c",
                          folder);
}

/* An archive, so that only those that are called are linked. */
static void add_archive(struct recipe *recipe, const char *folder,
                        const struct lab *lab, size_t first, size_t end)
{
    const char *output = recipe_text(recipe, "%s/%s.a", folder, lab->stem);
    struct action *action = recipe_add(recipe, "ar", output, output);

    command_add(&action->command, "rcs");
    command_add(&action->command, action->partial);
    for (size_t i = first; i < end; i++)
        action_add_input(action, recipe->action[i].output);
}

/* Words of "-lcudnn -lcublas". */
static void add_libraries(struct recipe *recipe, struct command *command,
                          const struct lab *lab)
{
    const char *at = lab->libraries;

    while (*(at += strspn(at, " "))) {
        int length = (int)strcspn(at, " ");

        command_add(command, recipe_text(recipe, "%.*s", length, at));
        at += length;
    }
}

/* The submission's object, where it is kept for another build. */
static void add_object(struct recipe *recipe,
                       const struct build_request *request)
{
    struct action *action =
        recipe_add(recipe, request->target->compiler,
                   recipe_text(recipe, "%s", request->source),
                   recipe_text(recipe, "%s", request->object));

    action->is_untrusted = !request->is_ours;
    add_submission_options(recipe, action, request->target, request->lab,
                           request->effort);
    add_compile_arguments(recipe, action);
}

/* The runtime, which the compiler links by itself. */
static void add_runtime(struct recipe *recipe, struct action *action,
                        const struct target *target)
{
    if (target->kind == DEVICE_SOFT)
        add_hidden_input(action, recipe_text(recipe, "%s/libsoftgpu.a",
                                             library_root()));
    if (target->watch)
        add_hidden_input(action, recipe_text(recipe, "%s/libsoftgpu_watch.a",
                                             library_root()));
}

/* The executable, of the submission's object or, in one command, its source. */
static void add_executable(struct recipe *recipe,
                           const struct build_request *request,
                           size_t objects)
{
    const struct target *target = request->target;
    struct action *action =
        recipe_add(recipe, target->compiler,
                   recipe_text(recipe, "%s", request->source),
                   recipe_text(recipe, "%s", request->output));

    action->is_untrusted = !request->is_ours;
    add_submission_options(recipe, action, target, request->lab,
                           request->effort);
    add_wraps(&action->command, target, request->lab);
    if (!target->watch && target->kind == DEVICE_SOFT)
        add_warning_options(&action->command);
    if (!request->object)
        add_depfile(recipe, action);
    add_output(action);
    action_add_input(action, request->object
                     ? recipe->action[recipe->stage[1]].output
                     : action->source);
    for (size_t i = 0; i < objects; i++)
        action_add_input(action, recipe->action[i].output);
    for (size_t i = recipe->stage[0]; i < recipe->stage[1]; i++)
        action_add_input(action, recipe->action[i].output);
    add_libraries(recipe, &action->command, request->lab);
    add_runtime(recipe, action, target);
}

const char *watch_suffix(const struct target *target)
{
    static const char *const suffixes[] = {"", "-checked", "-profiled",
                                           "-watched"};

    return suffixes[target->watch];
}

/* BUILD/runner/soft, or BUILD/runner/soft-watched/dependencies. */
static const char *make_folder(struct recipe *recipe,
                               const struct target *target, bool watched,
                               char *error)
{
    const char *folder =
        recipe_text(recipe, "%s/runner/%s%s%s", build_root(),
                    device_name(target->kind),
                    watched ? watch_suffix(target) : "",
                    watched ? "/dependencies" : "");

    if (make_directories(folder))
        return folder;
    text_format(error, LAB_ERROR_SIZE, "%s: %s", folder, strerror(errno));
    return NULL;
}

bool recipe_create(const struct build_request *request,
                   struct recipe *recipe, char *error)
{
    const struct lab *lab = request->lab;
    const char *folder;
    size_t objects;

    recipe->count = recipe->used = 0;
    memset(recipe->action, 0, sizeof recipe->action);
    if (!(folder = make_folder(recipe, request->target, false, error)))
        return false;
    add_runner_objects(recipe, request, folder);
    objects = recipe->stage[0] = recipe->stage[1] = recipe->count;
    if (*lab->dependencies) {
        folder = make_folder(recipe, request->target, true, error);
        if (!folder
            || !recipe_add_dependencies(recipe, request->target, lab, folder,
                                        error))
            return false;
        recipe->stage[0] = recipe->count;
        add_archive(recipe, folder, lab, objects, recipe->count);
        recipe->stage[1] = recipe->count;
    }
    if (request->source && request->object)
        add_object(recipe, request);
    recipe->stage[2] = recipe->count;
    if (request->source)
        add_executable(recipe, request, objects);
    return true;
}
